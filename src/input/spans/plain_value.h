#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "facts/span.h"
#include "input/common/json.h"
#include "input/common/shard.h"

namespace xtrace {

// OpenTelemetry's protocol has one way to write a value as JSON; programs that print its structures
// with their language's own JSON library have others.

/// A value without its wrapping, in the dialect of any language:
///   the protocol's JSON   {"stringValue": "x"}, {"string_value": "x"}
///   Go, Rust              {"Value": {"StringValue": "x"}}, {"Type": "STRING", "Value": "x"}
///   TypeScript            {"value": {"$case": "stringValue", "stringValue": "x"}}
///   C#, Java              {"stringValue": "x", "boolValue": null, …}
json::element plain_value(json::element value);

/// A tag in a list of tags: `{"key", "value"}`, Go's `{"Key", "Value"}`, the protocol of Jaeger's
/// `{"key", "vType", "vStr"}`, a pair `["key", "value"]`; false: none of these.
bool read_key_value(json::element tag, std::string_view& key, json::element& value);

/// A whole number: also one written as text, as a fraction of nothing (`4.0`), or in the halves of
/// a library for JavaScript that knows no 64 bits, `{"low", "high"}`.
std::optional<int64_t> whole_number(json::element value);
/// Any number, also one written as text.
std::optional<double> number_in(json::element value);

/// The bytes of an id as hex digits, where a library printed a list of bytes instead of text;
/// otherwise the text, or the digits of a number.
std::string id_text(json::element value);

/// The keys of a value and the types at them, without any content: `{"key": text, "value": {…}}`.
std::string shape_of(json::element value);

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
