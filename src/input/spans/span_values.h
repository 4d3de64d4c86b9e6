#pragma once

#include <string>
#include <string_view>

#include "facts/span.h"
#include "input/common/json.h"
#include "input/common/shard.h"

namespace xtrace {

// Values as the formats of spans write them.

/// An id as 16 or 32 hex digits are usually written, in lower case without `0x`, also where it was
/// written in base64; empty if it is all zeros, for that is how nobody is written.
std::string read_span_id(std::string_view id);
StringId intern_span_id(std::string_view id, Shard& shard);
/// Also where its bytes are listed.
StringId intern_span_id(json::element id, Shard& shard);
/// `client`, `SPAN_KIND_CLIENT`, `SpanKind.CLIENT`
SpanKind read_span_kind(std::string_view word);
/// Also by the number that the protocol has for it.
SpanKind read_span_kind(json::element value);
/// A count of units of `unit` nanoseconds since 1970, or of a duration: a number, or its digits as
/// text; false if it is none or more than 64 bits can hold.
bool read_units(json::element value, int64_t unit, Duration& length);

}  // namespace xtrace
