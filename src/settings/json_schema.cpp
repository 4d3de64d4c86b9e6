#include "settings/json_schema.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "base/utf8.h"
#include "settings/arguments.h"

namespace xtrace {

namespace {

using Json = nlohmann::json;

bool is_of(const std::string& type, const Json& value) {
  if (type == "null") return value.is_null();
  if (type == "boolean") return value.is_boolean();
  if (type == "object") return value.is_object();
  if (type == "array") return value.is_array();
  if (type == "string") return value.is_string();
  if (type == "number") return value.is_number();
  // 1.0 is an integer, says the specification.
  return value.is_number_integer() ||
         (value.is_number() && std::trunc(value.get<double>()) == value.get<double>());
}

/// Goes no deeper than the schema does.
class SchemaValidator {
 public:
  std::optional<SchemaViolation> check(const JsonSchema& schema, const Json& value,
                                       const std::string& path) {
    auto wrong = [&](std::string what) {
      SchemaViolation one{path, std::move(what), {}};
      if (value.is_string()) one.value = value.get<std::string>();
      if (value.is_number() || value.is_boolean()) one.value = value.dump();
      return one;
    };
    if (schema.is_never) return wrong("is not allowed");
    if (!schema.types.empty() &&
        std::none_of(schema.types.begin(), schema.types.end(),
                     [&](const std::string& type) { return is_of(type, value); }))
      return wrong(fmt::format("is not of type {}", fmt::join(schema.types, " or ")));
    if (!schema.values.empty() &&
        std::none_of(schema.values.begin(), schema.values.end(), [&](const std::string& one) {
          return Json::parse(one, nullptr, /*allow_exceptions=*/false) == value;
        }))
      return wrong(schema.values.size() == 1
                       ? fmt::format("is not {}", schema.values.front())
                       : fmt::format("is not one of {}", fmt::join(schema.values, ", ")));
    if (value.is_number())
      if (std::string what = number_misses(schema, value.get<double>()); !what.empty())
        return wrong(std::move(what));
    if (value.is_string())
      if (std::string what = text_misses(schema, value.get<std::string>()); !what.empty())
        return wrong(std::move(what));
    if (std::optional<SchemaViolation> found = check_parts(schema, value, path)) return found;
    bool any = schema.any_of.empty();
    for (const JsonSchema& one : schema.any_of) any = any || !check(one, value, path);
    return any ? std::nullopt : std::optional(wrong("matches no schema of anyOf"));
  }

 private:
  static std::string number_misses(const JsonSchema& schema, double number) {
    if (schema.minimum && number < *schema.minimum)
      return fmt::format("is less than {}", *schema.minimum);
    if (schema.maximum && number > *schema.maximum)
      return fmt::format("is greater than {}", *schema.maximum);
    if (schema.above && number <= *schema.above)
      return fmt::format("is not greater than {}", *schema.above);
    if (schema.below && number >= *schema.below)
      return fmt::format("is not less than {}", *schema.below);
    return {};
  }

  static std::string text_misses(const JsonSchema& schema, const std::string& text) {
    const uint64_t length = static_cast<uint64_t>(code_points(text));
    if (schema.min_length && length < *schema.min_length)
      return fmt::format("is shorter than {}", *schema.min_length);
    if (schema.max_length && length > *schema.max_length)
      return fmt::format("is longer than {}", *schema.max_length);
    if (schema.pattern && !schema.pattern->is_in(text))
      return fmt::format("does not match {}", schema.pattern->text());
    return {};
  }

  std::optional<SchemaViolation> check_parts(const JsonSchema& schema, const Json& value,
                                             const std::string& path) {
    auto inside = [&](const std::string& name) { return path.empty() ? name : path + '.' + name; };
    if (value.is_array()) {
      if (schema.min_items && value.size() < *schema.min_items)
        return SchemaViolation{path, fmt::format("has fewer than {} items", *schema.min_items), {}};
      if (schema.max_items && value.size() > *schema.max_items)
        return SchemaViolation{path, fmt::format("has more than {} items", *schema.max_items), {}};
      for (size_t i = 0; i < value.size() && !schema.items.empty(); ++i)
        if (auto found = check(schema.items.front(), value[i], inside(std::to_string(i))))
          return found;
    }
    if (!value.is_object()) return {};
    for (const std::string& name : schema.required)
      if (!value.contains(name)) return SchemaViolation{inside(name), "is missing", {}};
    for (const auto& [name, item] : value.items()) {
      auto known =
          std::find_if(schema.properties.begin(), schema.properties.end(),
                       [&, &key = name](const auto& property) { return property.name == key; });
      const JsonSchema* of = known != schema.properties.end() ? &known->schema
                             : schema.additional.empty()      ? nullptr
                                                              : &schema.additional.front();
      if (of == nullptr) continue;
      if (auto found = check(*of, item, inside(name))) return found;
    }
    return {};
  }
};

}  // namespace

std::optional<SchemaViolation> find_violation(const JsonSchema& schema, const std::string& json) {
  if (is_too_deep(json)) return SchemaViolation{{}, "is nested too deeply", {}};
  Json value = Json::parse(json, nullptr, /*allow_exceptions=*/false);
  if (value.is_discarded()) return SchemaViolation{{}, "is not valid JSON", {}};
  return SchemaValidator().check(schema, value, {});
}

}  // namespace xtrace
