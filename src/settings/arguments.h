#pragma once

#include <functional>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace xtrace {

/// Is it nested deeper than any arguments are? To read it could take more stack than there is.
bool is_too_deep(std::string_view json);

/// The value at a place of a JSON text.
struct JsonValue {
  std::string text;
  bool is_number = false;  ///< and not a text of digits
};

/// The values of a JSON text, each by the path that leads to it: `findings.0`. A list or object is
/// there as a whole too, its texts and numbers a line each. What is no JSON, or too deep, has one
/// value, by an empty path.
class Arguments {
 public:
  explicit Arguments(const std::string& json);
  /// Nothing: there is none of that name. An empty name: all of it.
  std::optional<std::string> find(std::string_view path) const;
  std::optional<JsonValue> value_at(std::string_view path) const;
  bool is_json() const { return is_json_; }
  /// All of them, lists and objects behind what is in them.
  const std::vector<std::pair<std::string, std::string>>& values() const { return values_; }
  /// Is the value a list or an object?
  bool holds(std::string_view path) const;

 private:
  std::vector<std::pair<std::string, std::string>> values_;
  std::set<std::string, std::less<>> structured_;
  std::vector<bool> is_number_;  ///< by value; none where there is no JSON
  bool is_json_ = false;
};

/// How the values of a JSON text are shown.
struct JsonRewriting {
  /// Of a text, number or truth, by the name of the member that contains it.
  std::function<std::string(std::string_view name, const std::string& value)> value;
  std::function<std::string(const std::string& name)> name;  ///< of a member
};
/// The same JSON, on one line and safe for terminals, with what the rewriting makes of each part; a
/// number of which it makes something else becomes a text. Nothing: it is not a list or object, or
/// too deep.
std::optional<std::string> rewritten_json(const std::string& json, const JsonRewriting& by);
/// Is it a JSON object?
bool is_json_object(std::string_view text);

/// The members at the top of a JSON object, each by its name, in its order; texts as they are, all
/// else as JSON. Empty: it is not an object.
std::vector<std::pair<std::string, std::string>> members_of(const std::string& json);

}  // namespace xtrace
