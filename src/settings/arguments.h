#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace xtrace {

/// Is it nested deeper than any arguments are? To read it could take more stack than there is.
bool is_too_deep(std::string_view json);

/// The values of a JSON text, each by the path that leads to it: `findings.0`. A list or object is
/// there as a whole too, its texts and numbers a line each. What is no JSON, or too deep, has one
/// value, by an empty path.
class Arguments {
 public:
  explicit Arguments(const std::string& json);
  /// Nothing: there is none of that name. An empty name: all of it.
  std::optional<std::string> find(std::string_view path) const;
  bool is_json() const { return is_json_; }

 private:
  std::vector<std::pair<std::string, std::string>> values_;
  bool is_json_ = false;
};

/// A JSON object, written on one line in ASCII; nothing: it is none, or too deep.
std::optional<std::string> json_object(const std::string& text);

/// What stands at the top of a JSON object, each by its name, in its order; texts as they are, all
/// else as JSON. Empty: it is no object.
std::vector<std::pair<std::string, std::string>> members_of(const std::string& json);

}  // namespace xtrace
