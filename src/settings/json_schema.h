#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/pattern.h"

namespace xtrace {

struct JsonProperty;

/// How a JSON value has to be: the part of JSON Schema (draft 2020-12, "Validation") that says it
/// without references. What is not said is not asked for.
struct JsonSchema {
  bool is_never = false;  ///< `false`: no value fits
  std::vector<std::string> types;
  std::vector<std::string> values;  ///< of `enum` and `const`, as JSON; empty: any
  std::vector<JsonProperty> properties;
  std::vector<std::string> required;
  std::vector<JsonSchema> additional;  ///< of other properties; one, or none
  std::vector<JsonSchema> items;       ///< of each item; one, or none
  std::vector<JsonSchema> any_of;      ///< one of them at least has to fit
  std::optional<double> minimum, maximum, above, below;
  std::optional<uint64_t> min_length, max_length;  ///< in code points
  std::optional<uint64_t> min_items, max_items;
  std::optional<Pattern> pattern;
};
/// How the value of that name in an object has to be.
struct JsonProperty {
  std::string name;
  JsonSchema schema;
};
inline constexpr std::string_view kJsonTypes[] = {"null",    "boolean", "object", "array",
                                                  "integer", "number",  "string"};

/// Where a JSON text does not fit, and why.
struct SchemaViolation {
  std::string path;   ///< `findings.0`; empty: all of it
  std::string what;   ///< `is missing`
  std::string value;  ///< what is there: payload; empty: nothing, or a list or object
};

/// Nothing: it fits. What is no JSON at all does not.
std::optional<SchemaViolation> find_violation(const JsonSchema& schema, const std::string& json);

}  // namespace xtrace
