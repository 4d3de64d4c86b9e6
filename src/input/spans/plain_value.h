#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "input/common/json.h"

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

/// The bytes of an id as hex digits, where a library printed a list of bytes instead of text;
/// otherwise the text, or the digits of a number.
std::string id_text(json::element value);

/// The keys of a value and the types at them, without any content: `{"key": text, "value": {…}}`.
std::string shape_of(json::element value);

}  // namespace xtrace
