#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace xtrace {

/// Appends `text` as a JSON string. Whatever could disturb a terminal or a log viewer is written as
/// an escape: control characters, DEL, C1, direction marks, line separators.
void append_json(std::string& out, std::string_view text);
/// A character as `\n` or by its number, in surrogates where it needs two.
void append_escaped(std::string& out, char32_t character);

/// How the items of an object or a list are laid out.
struct JsonLayout {
  bool is_spaced = true;  ///< a blank behind colons, and behind commas that end no line
  bool on_lines = false;  ///< each item begins a line, and so does the bracket at the end
  uint8_t indent = 0;     ///< blanks before an item that begins a line
  uint8_t end = 0;        ///< and before that bracket

  // Without more: `{"k": 8, "depth": 2}`.

  /// `{"k":8,"depth":2}`
  static constexpr JsonLayout tight() { return {.is_spaced = false}; }
  /// The bracket is indented two blanks less than the items.
  static constexpr JsonLayout lines(size_t indent) {
    return {.on_lines = true,
            .indent = static_cast<uint8_t>(indent),
            .end = static_cast<uint8_t>(indent < 2 ? 0 : indent - 2)};
  }
};

/// Writes JSON to the end of a text, value by value: commas, brackets and escapes are its affair.
/// The text may be sent off and cleared between any two calls, so that an answer of any length
/// needs little memory.
class JsonWriter {
 public:
  explicit JsonWriter(std::string& out) : out_(out) {}

  void open_object(JsonLayout layout = {}) { open('{', '}', layout); }
  void open_list(JsonLayout layout = {}) { open('[', ']', layout); }
  void close();  ///< what was opened last
  /// Before a value of an object.
  void key(std::string_view key);

  void value(std::string_view text) {
    separate();
    append_json(out_, text);
  }
  void value(const char* text) { value(std::string_view(text)); }
  void value(bool truth) { raw(truth ? "true" : "false"); }
  /// Beyond 2^53, where programs that hold numbers as doubles lose digits, as a string.
  template <std::integral Number>
  void value(Number number) {
    whole(static_cast<int64_t>(number));
  }
  /// With as many digits as it takes; 1 is `1`.
  void value(double number);
  void null() { raw("null"); }
  /// With a point or an exponent, so that it is not a whole number to anybody: 1 is `1.0`.
  void fraction(double number);
  /// A value that is JSON already.
  void raw(std::string_view json) {
    separate();
    out_ += json;
  }

  template <class Value>
  void field(std::string_view name, const Value& of) {
    key(name);
    value(of);
  }
  void open_object(std::string_view name, JsonLayout layout = {}) {
    key(name);
    open_object(layout);
  }
  void open_list(std::string_view name, JsonLayout layout = {}) {
    key(name);
    open_list(layout);
  }

 private:
  /// An object or a list that is not closed yet.
  struct Level {
    JsonLayout layout;
    char bracket;  ///< that ends it
    bool has_items = false;
    bool awaits_value = false;  ///< its last word was a key
  };
  void open(char bracket, char end, JsonLayout layout);
  void separate();
  void begin_line(size_t indent);
  void whole(int64_t number);

  std::string& out_;
  std::vector<Level> levels_;
};

}  // namespace xtrace
