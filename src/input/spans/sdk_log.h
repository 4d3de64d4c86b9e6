#pragma once

#include "base/time.h"
#include "facts/record.h"
#include "input/common/json.h"

namespace xtrace {

class Shard;
class SpanTags;

// What the libraries of OpenTelemetry print beside spans (otel_sdk.cpp).

/// `[seconds, nanoseconds]`, nanoseconds, or a moment as text.
Time read_sdk_time(json::element value);
/// What a resource says of itself, as attributes or as the library for JavaScript has them inside:
/// `"_rawAttributes": [["service.name", "x"]]`.
void read_sdk_resource(json::element resource, SpanTags& tags);

/// Is it a log record?
bool is_sdk_log(json::element record);
/// Reads what an agent tells in it; says what it does not read.
void read_sdk_log(json::element record, const Extent& at, Shard& shard);

}  // namespace xtrace
