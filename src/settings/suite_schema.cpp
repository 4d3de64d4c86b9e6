#include "settings/suite_schema.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "base/one_of.h"
#include "settings/settings_file.h"

namespace xtrace {

namespace {

using Kind = Setting::Kind;
using Json = nlohmann::json;

/// They say nothing that a value could miss.
constexpr std::string_view kNotes[] = {"$schema",  "$comment", "title",     "description",
                                       "examples", "default",  "deprecated"};
constexpr std::string_view kKeywords[] = {
    "type",    "enum",     "const",    "properties", "required",         "additionalProperties",
    "items",   "anyOf",    "minimum",  "maximum",    "exclusiveMinimum", "exclusiveMaximum",
    "pattern", "minItems", "maxItems", "minLength",  "maxLength"};

Json json_of(const Setting& from) {
  constexpr double kExact = 9007199254740992;  // 2^53
  switch (from.kind) {
    case Kind::boolean: return from.truth;
    case Kind::number:
      if (std::trunc(from.number) == from.number && std::abs(from.number) < kExact)
        return static_cast<int64_t>(from.number);
      return from.number;
    case Kind::text: return from.text;
    case Kind::list: {
      Json list = Json::array();
      for (const auto& [none, item] : from.items) list.push_back(json_of(item));
      return list;
    }
    case Kind::table: {
      Json object = Json::object();
      for (const auto& [key, item] : from.items) object[key] = json_of(item);
      return object;
    }
    case Kind::null: break;
  }
  return nullptr;
}

class SchemaFile {
 public:
  explicit SchemaFile(const SuiteWords& words) : words_(words) {}

  Status read(const Setting& from, JsonSchema& into) {
    if (from.kind == Kind::boolean) {
      into.is_never = !from.truth;
      return {};
    }
    std::vector<std::string_view> known(std::begin(kKeywords), std::end(kKeywords));
    known.insert(known.end(), std::begin(kNotes), std::end(kNotes));
    if (Status checked = words_.keys(from, "a JSON Schema in a suite", known); !checked)
      return checked;
    for (const auto& [key, value] : from.items)
      if (!is_one_of(key, kNotes))
        if (Status read = read_keyword(key, value, into); !read) return read;
    return {};
  }

 private:
  Status read_keyword(const std::string& key, const Setting& value, JsonSchema& into) {
    if (key == "type") return read_types(value, into.types);
    if (key == "enum") {
      if (value.kind != Kind::list || value.items.empty())
        return words_.wrong(value, "enum must be a non-empty list of values");
      for (const auto& [none, item] : value.items) into.values.push_back(text_of(item));
      return {};
    }
    if (key == "const") return into.values.push_back(text_of(value)), Status();
    if (key == "properties") return read_properties(value, into);
    if (key == "required") {
      Result<std::vector<std::string>> names = texts_of(words_.path(), value, "required");
      if (!names) return tl::unexpected(names.error());
      into.required = *std::move(names);
      return {};
    }
    if (key == "additionalProperties") return read(value, into.additional.emplace_back());
    if (key == "items") return read(value, into.items.emplace_back());
    if (key == "anyOf") {
      if (value.kind != Kind::list || value.items.empty())
        return words_.wrong(value, "anyOf must be a non-empty list of schemas");
      for (const auto& [none, item] : value.items)
        if (Status one = read(item, into.any_of.emplace_back()); !one) return one;
      return {};
    }
    if (key == "pattern") return words_.read_pattern(value, key, into.pattern);
    return read_bound(key, value, into);
  }

  Status read_types(const Setting& value, std::vector<std::string>& into) {
    auto add = [&](const Setting& one) -> Status {
      size_t word = 0;
      if (Status read = words_.read_word(one, "type", kJsonTypes, word); !read) return read;
      into.emplace_back(kJsonTypes[word]);
      return {};
    };
    if (value.kind != Kind::list) return add(value);
    for (const auto& [none, item] : value.items)
      if (Status added = add(item); !added) return added;
    return value.items.empty()
               ? words_.wrong(value, "type must be a type or a non-empty list of types")
               : Status();
  }

  Status read_properties(const Setting& value, JsonSchema& into) {
    if (value.kind != Kind::table)
      return words_.wrong(value, "properties must be an object: {severity: {type: string}}");
    for (const auto& [name, of] : value.items) {
      into.properties.push_back({name, JsonSchema()});
      if (Status one = read(of, into.properties.back().schema); !one) return one;
    }
    return {};
  }

  Status read_bound(const std::string& key, const Setting& value, JsonSchema& into) {
    const std::pair<std::string_view, std::optional<double> JsonSchema::*> kBounds[] = {
        {"minimum", &JsonSchema::minimum},
        {"maximum", &JsonSchema::maximum},
        {"exclusiveMinimum", &JsonSchema::above},
        {"exclusiveMaximum", &JsonSchema::below}};
    const std::pair<std::string_view, std::optional<uint64_t> JsonSchema::*> kCounts[] = {
        {"minLength", &JsonSchema::min_length},
        {"maxLength", &JsonSchema::max_length},
        {"minItems", &JsonSchema::min_items},
        {"maxItems", &JsonSchema::max_items}};
    for (const auto& [name, bound] : kBounds) {
      if (name != key) continue;
      if (value.kind != Kind::number)
        return words_.wrong(value, fmt::format("{} must be a number", key));
      into.*bound = value.number;
    }
    for (const auto& [name, count] : kCounts) {
      if (name != key) continue;
      double number = 0;
      if (Status read = words_.read_count(value, key, number); !read) return read;
      into.*count = static_cast<uint64_t>(number);
    }
    return {};
  }

  static std::string text_of(const Setting& value) {
    return json_of(value).dump(-1, ' ', false, Json::error_handler_t::replace);
  }

  const SuiteWords& words_;
};

}  // namespace

Status read_schema(const SuiteWords& words, const Setting& from, JsonSchema& into) {
  return SchemaFile(words).read(from, into);
}

std::optional<JsonSchema> schema_of_json(const std::string& text) {
  std::optional<Setting> setting = setting_of_json(text);
  JsonSchema schema;
  if (!setting || !read_schema(SuiteWords("declared"), *setting, schema)) return std::nullopt;
  return schema;
}

}  // namespace xtrace
