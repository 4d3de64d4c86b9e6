#include "settings/arguments.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

namespace xtrace {

namespace {

using Json = nlohmann::ordered_json;
using Values = std::vector<std::pair<std::string, std::string>>;

constexpr int kDeepest = 32;

std::string word_of(const Json& value) {
  if (value.is_string()) return value.get<std::string>();
  return value.dump(-1, ' ', false, Json::error_handler_t::replace);
}

/// Adds the value and what is in it; returns its text.
std::string add(const Json& value, const std::string& path, int depth, Values& into) {
  std::string text;
  if (!value.is_structured() || depth > kDeepest) {
    text = word_of(value);
  } else {
    size_t nth = 0;
    for (const auto& [key, item] : value.items()) {
      std::string name = value.is_array() ? fmt::format("{}", nth++) : key;
      if (!path.empty()) name = fmt::format("{}.{}", path, name);
      text += add(item, name, depth + 1, into) + '\n';
    }
    if (!text.empty()) text.pop_back();
  }
  into.emplace_back(path, text);
  return text;
}

}  // namespace

bool is_too_deep(std::string_view json) {
  constexpr int kMost = 500;
  int depth = 0;
  bool is_text = false;
  for (size_t i = 0; i < json.size(); ++i) {
    if (json[i] == '"') is_text = !is_text;
    if (is_text) {
      i += json[i] == '\\';
      continue;
    }
    if (json[i] == '[' || json[i] == '{') ++depth;
    if (json[i] == ']' || json[i] == '}') --depth;
    if (depth > kMost) return true;
  }
  return false;
}

Arguments::Arguments(const std::string& json) {
  Json root = is_too_deep(json) ? Json() : Json::parse(json, nullptr, /*allow_exceptions=*/false);
  is_json_ = root.is_structured();
  if (is_json_)
    add(root, {}, 0, values_);
  else
    values_.emplace_back(std::string(), json);
}

std::optional<std::string> json_object(const std::string& text) {
  Json root = is_too_deep(text) ? Json() : Json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (!root.is_object()) return std::nullopt;
  return root.dump(-1, ' ', /*ensure_ascii=*/true, Json::error_handler_t::replace);
}

std::vector<std::pair<std::string, std::string>> members_of(const std::string& json) {
  Json root = Json::parse(json, nullptr, /*allow_exceptions=*/false);
  Values members;
  if (root.is_object())
    for (const auto& [name, value] : root.items()) members.emplace_back(name, word_of(value));
  return members;
}

std::optional<std::string> Arguments::find(std::string_view path) const {
  for (const auto& [name, value] : values_)
    if (name == path) return value;
  return std::nullopt;
}

}  // namespace xtrace
