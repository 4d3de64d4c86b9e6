#include "settings/arguments.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/json_writer.h"

namespace xtrace {

namespace {

using Ordered = nlohmann::ordered_json;
using Values = std::vector<std::pair<std::string, std::string>>;

constexpr int kDeepestArgument = 32;

std::string word_of(const Ordered& value) {
  if (value.is_string()) return value.get<std::string>();
  return value.dump(-1, ' ', false, Ordered::error_handler_t::replace);
}

/// Adds the value and what is in it; returns its text.
std::string add(const Ordered& value, const std::string& path, int depth, Values& into,
                std::set<std::string, std::less<>>& structured) {
  std::string text;
  if (!value.is_structured() || depth > kDeepestArgument) {
    text = word_of(value);
  } else {
    size_t nth = 0;
    for (const auto& [key, item] : value.items()) {
      std::string name = value.is_array() ? fmt::format("{}", nth++) : key;
      if (!path.empty()) name = fmt::format("{}.{}", path, name);
      text += add(item, name, depth + 1, into, structured) + '\n';
    }
    if (!text.empty()) text.pop_back();
    structured.insert(path);
  }
  into.emplace_back(path, text);
  return text;
}

void rewrite(const Ordered& value, std::string_view name, const JsonRewriting& by,
             JsonWriter& out) {
  if (value.is_object()) {
    out.open_object();
    for (const auto& [key, item] : value.items()) {
      out.key(by.name(key));
      rewrite(item, key, by, out);
    }
    return out.close();
  }
  if (value.is_array()) {
    out.open_list();
    for (const Ordered& item : value) rewrite(item, name, by, out);
    return out.close();
  }
  const std::string text = word_of(value);
  const std::string shown = value.is_null() ? text : by.value(name, text);
  if (value.is_string() || shown != text)
    out.value(std::string_view(shown));
  else
    out.raw(text);
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
  Ordered root =
      is_too_deep(json) ? Ordered() : Ordered::parse(json, nullptr, /*allow_exceptions=*/false);
  is_json_ = root.is_structured();
  if (is_json_)
    add(root, {}, 0, values_, structured_);
  else
    values_.emplace_back(std::string(), json);
}

std::optional<std::string> rewritten_json(const std::string& json, const JsonRewriting& by) {
  const Ordered root = is_too_deep(json) ? Ordered() : Ordered::parse(json, nullptr, false);
  if (!root.is_structured()) return std::nullopt;
  std::string text;
  JsonWriter out(text);
  rewrite(root, {}, by, out);
  return text;
}

bool is_json_object(std::string_view text) {
  return text.starts_with('{') && Ordered::accept(text);
}

bool Arguments::holds(std::string_view path) const {
  return structured_.contains(path);
}

std::vector<std::pair<std::string, std::string>> members_of(const std::string& json) {
  Ordered root = Ordered::parse(json, nullptr, /*allow_exceptions=*/false);
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
