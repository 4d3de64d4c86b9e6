#include "settings/settings_file.h"

#include <fmt/format.h>
#include <toml++/toml.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <sstream>
#include <unordered_set>
#include <utility>

#include "base/same_number.h"
#include "base/text.h"
#include "settings/yaml.h"

namespace xtrace {

namespace {

using Kind = Setting::Kind;

/// Reads characters for the JSON parser and counts lines, because the parser does not.
class CountingReader {
 public:
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;

  CountingReader(const char* at, size_t* line) : at_(at), line_(line) {}
  reference operator*() const { return *at_; }
  CountingReader& operator++() {
    // The parser reads one character behind a number: a line begins with its own first one.
    if (std::exchange(ended_line_, *at_++ == '\n')) ++*line_;
    return *this;
  }
  CountingReader operator++(int) {
    CountingReader before = *this;
    ++*this;
    return before;
  }
  bool operator==(const CountingReader& other) const { return at_ == other.at_; }
  bool operator!=(const CountingReader& other) const { return at_ != other.at_; }

 private:
  const char* at_;
  size_t* line_;
  bool ended_line_ = false;  ///< with what was read last
};

/// Who compares numbers needs all digits of those that no double has.
Setting number_setting(double number, std::string_view written) {
  Setting one;
  one.kind = Kind::number;
  one.number = number;
  if (!same_number(fmt::format("{}", number), written)) one.text = written;
  return one;
}

/// The parser's message for people who do not know its grammar: `invalid literal; last read: 'h'`.
std::string in_plain_words(std::string_view fault) {
  if (fault.starts_with("unexpected end of input"))
    return "the file ends too early; a bracket, a quote or a value is missing";
  if (fault.find("missing closing quote") != fault.npos) return "a text has no closing quote";
  // `invalid literal; last read: '"a"b'; expected ':'`
  constexpr std::string_view kBefore = "; last read: ";
  const size_t read = fault.find(kBefore);
  if (read == fault.npos) return std::string(fault);
  std::string_view near = fault.substr(read + kBefore.size()), expected;
  if (const size_t more = near.rfind("; expected "); more != near.npos) {
    expected = near.substr(more);
    near = near.substr(0, more);
  }
  if (fault.starts_with("invalid literal") && expected.empty())
    return fmt::format("{} begins no value; text needs double quotes", near);
  return fmt::format("{}, near {}{}",
                     expected.empty() ? fault.substr(0, read) : "unexpected character", near,
                     expected);
}

/// Builds Settings from what the JSON parser meets.
class JsonListener final : public nlohmann::json_sax<nlohmann::json> {
 public:
  JsonListener(Setting& root, const size_t& line) : root_(root), line_(line) {}
  const std::string& fault() const { return fault_; }
  /// Is there more behind a whole object, as in a log?
  bool is_behind_end() const { return is_behind_end_; }

  bool null() override { return add(Setting()); }
  bool boolean(bool truth) override {
    Setting one;
    one.kind = Kind::boolean;
    one.truth = truth;
    return add(std::move(one));
  }
  bool number_integer(number_integer_t value) override {
    return add(number_setting(static_cast<double>(value), fmt::format("{}", value)));
  }
  bool number_unsigned(number_unsigned_t value) override {
    return add(number_setting(static_cast<double>(value), fmt::format("{}", value)));
  }
  bool number_float(number_float_t value, const string_t& written) override {
    return add(number_setting(value, written));
  }
  bool string(string_t& text) override {
    Setting one;
    one.kind = Kind::text;
    one.text = std::move(text);
    return add(std::move(one));
  }
  bool binary(binary_t&) override { return true; }
  bool start_object(size_t) override { return open(Kind::table); }
  bool key(string_t& name) override {
    key_ = name;
    if (keys_.back().insert(key_).second) return true;
    fault_ = fmt::format("duplicate key '{}'", key_);
    return false;
  }
  bool end_object() override { return close(); }
  bool start_array(size_t) override { return open(Kind::list); }
  bool end_array() override { return close(); }
  bool parse_error(size_t, const std::string&, const nlohmann::json::exception& error) override {
    std::string_view what = error.what();
    // `[json.exception.parse_error.101] parse error at line 1, column 2: syntax error while …`
    const size_t colon = what.find(": ");
    std::string_view fault = what.substr(colon == what.npos ? 0 : colon + 2);
    if (const size_t dash = fault.find(" - ");
        fault.starts_with("syntax error") && dash != fault.npos)
      fault.remove_prefix(dash + 3);
    fault_ = fmt::format("not valid JSON: {}", in_plain_words(fault));
    is_behind_end_ = what.ends_with("expected end of input");
    return false;
  }

 private:
  Setting* place(Setting one) {
    one.line = line_;
    if (open_.empty()) return &(root_ = std::move(one));
    Setting& around = *open_.back();
    std::string key = around.kind == Kind::table ? key_ : std::string();
    around.items.push_back({std::move(key), std::move(one)});
    return &around.items.back().value;
  }
  bool add(Setting one) { return place(std::move(one)) != nullptr; }
  bool open(Kind kind) {
    constexpr size_t kDeepest = 20;
    Setting one;
    one.kind = kind;
    // What is open is the last item of what is open around it, so nothing moves below it.
    open_.push_back(place(std::move(one)));
    keys_.emplace_back();
    if (open_.size() > kDeepest) fault_ = "nested too deeply";
    return fault_.empty();
  }
  bool close() {
    open_.pop_back();
    keys_.pop_back();
    return true;
  }

  Setting& root_;
  const size_t& line_;
  std::vector<Setting*> open_;
  std::vector<std::unordered_set<std::string>> keys_;  ///< of what is open
  std::string key_, fault_;
  bool is_behind_end_ = false;
};

/// `wanted`: what the file should contain.
Result<Setting> read_json(const std::string& path, const std::string& text,
                          const WantedFile& wanted) {
  Setting root;
  size_t line = 1;
  JsonListener listener(root, line);
  bool sound = nlohmann::json::sax_parse(
      CountingReader(text.data(), &line), CountingReader(text.data() + text.size(), &line),
      &listener, nlohmann::json::input_format_t::json, true, /*ignore_comments=*/true);
  if (!sound && listener.is_behind_end() && root.kind == Kind::table)
    return wrong_setting(
        path, line,
        fmt::format("this looks like a log (one object per line); {}", expected_here(wanted)));
  if (!sound) return wrong_setting(path, line, listener.fault());
  return root;
}

Setting setting_of(const toml::node& node) {
  Setting one;
  one.line = std::max<size_t>(node.source().begin.line, 1);
  if (const toml::table* table = node.as_table()) {
    one.kind = Kind::table;
    for (const auto& [key, value] : *table)
      one.items.push_back({std::string(key.str()), setting_of(value)});
  } else if (const toml::array* list = node.as_array()) {
    one.kind = Kind::list;
    for (const toml::node& value : *list) one.items.push_back({{}, setting_of(value)});
  } else if (const toml::value<std::string>* text = node.as_string()) {
    one.kind = Kind::text;
    one.text = text->get();
  } else if (const toml::value<bool>* truth = node.as_boolean()) {
    one.kind = Kind::boolean;
    one.truth = truth->get();
  } else if (const toml::value<int64_t>* count = node.as_integer()) {
    const size_t line = one.line;
    one = number_setting(static_cast<double>(count->get()), fmt::format("{}", count->get()));
    one.line = line;
  } else if (std::optional<double> number = node.value<double>()) {
    one.kind = Kind::number;
    one.number = *number;
  }
  return one;
}

Result<Setting> read_toml(const std::string& path, const std::string& text,
                          const WantedFile& wanted) {
  try {
    return setting_of(toml::parse(text));
  } catch (const toml::parse_error& error) {
    const bool is_named_so = path.ends_with(".toml");
    return wrong_setting(path, error.source().begin.line,
                         is_named_so ? fmt::format("not valid TOML: {}", error.description())
                                     : fmt::format("neither JSON nor valid TOML ({}); {}",
                                                   error.description(), expected_here(wanted)));
  }
}

/// Lines mean nothing for a text that is in no file.
void forget_lines(Setting& setting) {
  setting.line = 0;
  for (SettingItem& item : setting.items) forget_lines(item.value);
}

bool is_toml(const std::string& path, const std::string& text) {
  if (path.ends_with(".toml")) return true;
  size_t first = text.find_first_not_of(" \t\r\n");
  return !path.ends_with(".json") && first != std::string::npos && text[first] != '{' &&
         text[first] != '/';
}

}  // namespace

std::string expected_here(const WantedFile& wanted) {
  return fmt::format("expected {}{}{}", wanted.what, wanted.hint.empty() ? "" : "; ", wanted.hint);
}

tl::unexpected<Error> cannot_read(const WantedFile& wanted, const std::string& path,
                                  std::string_view why) {
  const std::string_view what = wanted.what;
  const size_t article = what.starts_with("a ") ? 2 : what.starts_with("an ") ? 3 : 0;
  return fail(Exit::usage, fmt::format("cannot read the {} '{}': {}", what.substr(article),
                                       printable(path), why));
}

Result<std::string> read_text_file(const std::string& path, const WantedFile& wanted) {
  std::error_code none;
  if (std::filesystem::is_directory(path, none))
    return cannot_read(wanted, path, fmt::format("it is a folder; {}", expected_here(wanted)));
  std::ifstream file(path, std::ios::binary);
  std::ostringstream content;
  if (file) content << file.rdbuf();
  const int error = file ? 0 : errno;
  if (error == ENOENT && path.find("://") != std::string::npos)
    return cannot_read(wanted, path,
                       "xtrace works offline; download it first, for example with curl -O, and "
                       "pass the file");
  if (!file || content.str().empty())
    return cannot_read(wanted, path, !file ? std::strerror(error) : "file is empty");
  std::string text = content.str();
  if (text.starts_with("\xEF\xBB\xBF")) text.erase(0, 3);
  return text;
}

Result<Setting> read_settings(const std::string& path, const WantedFile& wanted) {
  const Result<std::string> text = read_text_file(path, wanted);
  if (!text) return tl::unexpected(text.error());
  if (path.ends_with(".yaml") || path.ends_with(".yml")) return read_yaml(path, *text);
  return is_toml(path, *text) ? read_toml(path, *text, wanted) : read_json(path, *text, wanted);
}

std::optional<Setting> setting_of_json(const std::string& text) {
  Result<Setting> read = read_json({}, text, {});
  if (!read) return std::nullopt;
  forget_lines(*read);
  return *std::move(read);
}

}  // namespace xtrace
