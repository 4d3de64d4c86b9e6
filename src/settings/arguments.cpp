#include "settings/arguments.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/json_writer.h"
#include "base/same_number.h"

namespace xtrace {

namespace {

using Ordered = nlohmann::ordered_json;
using Values = std::vector<std::pair<std::string, std::string>>;

constexpr int kDeepestArgument = 32;  // bounds recursion; tools take far fewer levels

std::string word_of(const Ordered& value) {
  if (value.is_string()) return value.get<std::string>();
  if (value.is_binary()) return {value.get_binary().begin(), value.get_binary().end()};
  return value.dump(-1, ' ', false, Ordered::error_handler_t::replace);
}

/// Builds JSON from what the parser meets. A number that no type holds is the bytes of its text,
/// which no other value of a JSON text is.
class ExactJson final : public nlohmann::json_sax<Ordered> {
 public:
  Ordered root = Ordered(Ordered::value_t::discarded);  ///< that: it is no JSON

  bool null() override { return add(nullptr); }
  bool boolean(bool truth) override { return add(truth); }
  bool number_integer(number_integer_t number) override { return add(number); }
  bool number_unsigned(number_unsigned_t number) override { return add(number); }
  bool number_float(number_float_t number, const string_t& written) override {
    Ordered value = number;
    // What is nested deeper is one text with what is around it.
    const bool is_apart = open_.size() <= kDeepestArgument + 1;
    if (is_apart && !same_number(value.dump(), written))
      value = Ordered::binary({written.begin(), written.end()});
    return add(std::move(value));
  }
  bool string(string_t& text) override { return add(std::move(text)); }
  bool binary(binary_t&) override { return false; }
  bool start_object(size_t) override { return open(Ordered::object()); }
  bool start_array(size_t) override { return open(Ordered::array()); }
  bool key(string_t& name) override {
    key_ = std::move(name);
    return true;
  }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }
  bool parse_error(size_t, const std::string&, const nlohmann::json::exception&) override {
    root = Ordered(Ordered::value_t::discarded);
    return false;
  }

 private:
  Ordered* place(Ordered value) {
    if (open_.empty()) return &(root = std::move(value));
    Ordered& around = *open_.back();
    if (around.is_object()) return &(around[key_] = std::move(value));
    around.push_back(std::move(value));
    return &around.back();
  }
  bool add(Ordered value) { return place(std::move(value)) != nullptr; }
  bool open(Ordered value) {
    // What is open does not move: what is around it grows no more until it is closed.
    open_.push_back(place(std::move(value)));
    return true;
  }
  bool close() {
    open_.pop_back();
    return true;
  }

  std::vector<Ordered*> open_;
  std::string key_;
};

/// Where the values go.
struct FoundValues {
  std::vector<std::pair<std::string, std::string>>& values;
  std::set<std::string, std::less<>>& structured;
  std::vector<bool>& is_number;
};

/// Adds the value and what is in it; returns its text.
std::string add(const Ordered& value, const std::string& path, int depth, FoundValues into) {
  std::string text;
  if (!value.is_structured() || depth > kDeepestArgument) {
    text = word_of(value);
  } else {
    size_t nth = 0;
    for (const auto& [key, item] : value.items()) {
      std::string name = value.is_array() ? fmt::format("{}", nth++) : key;
      if (!path.empty()) name = fmt::format("{}.{}", path, name);
      text += add(item, name, depth + 1, into) + '\n';
    }
    if (!text.empty()) text.pop_back();
    into.structured.insert(path);
  }
  into.values.emplace_back(path, text);
  into.is_number.push_back(value.is_number() || value.is_binary());
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
  constexpr int kMost = 500;  // the parser calls itself for each level
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
  ExactJson read;
  if (!is_too_deep(json)) Ordered::sax_parse(json, &read);
  is_json_ = read.root.is_structured();
  if (is_json_)
    add(read.root, {}, 0, {values_, structured_, is_number_});
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
  std::optional<JsonValue> found = value_at(path);
  return found ? std::optional(std::move(found->text)) : std::nullopt;
}

std::optional<JsonValue> Arguments::value_at(std::string_view path) const {
  for (size_t i = 0; i < values_.size(); ++i)
    if (values_[i].first == path) return JsonValue{values_[i].second, is_json_ && is_number_[i]};
  return std::nullopt;
}

}  // namespace xtrace
