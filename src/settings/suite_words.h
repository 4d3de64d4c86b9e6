#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "settings/setting.h"
#include "settings/suite.h"

namespace xtrace {

/// Reads the values of which a suite is made. Each says what is wrong as `file:line: what`.
class SuiteWords {
 public:
  explicit SuiteWords(std::string path) : path_(std::move(path)) {}

  const std::string& path() const { return path_; }
  SuitePlace place(const Setting& at) const { return {path_, static_cast<uint32_t>(at.line)}; }
  tl::unexpected<Error> wrong(const Setting& at, const std::string& what) const {
    return wrong_setting(path_, at, what);
  }
  Status keys(const Setting& of, std::string_view what,
              const std::vector<std::string_view>& known) const {
    return check_keys(path_, of, what, known);
  }
  /// Likewise, and one of them at least: an empty object would ask for nothing.
  Status some_keys(const Setting& of, std::string_view what,
                   const std::vector<std::string_view>& known) const;
  static std::string joined(const std::vector<std::string_view>& words);

  Status read_text(const Setting& from, std::string_view what, std::string& into) const;
  /// One, or a list of them, one at least.
  Status read_texts(const Setting& from, std::string_view what,
                    std::vector<std::string>& into) const;
  Status read_truth(const Setting& from, std::string_view what, bool& into) const;
  /// From 0 to `most`.
  Status read_number(const Setting& from, std::string_view what, double most, double& into) const;
  /// A whole number from 0 on.
  Status read_count(const Setting& from, std::string_view what, double& into) const;
  /// `1500ms`, `30s`, or a number of seconds.
  Status read_length(const Setting& from, std::string_view what, Duration& into) const;
  Status read_pattern(const Setting& from, std::string_view what,
                      std::optional<Pattern>& into) const;
  Status read_patterns(const Setting& from, std::string_view what,
                       std::vector<Pattern>& into) const;
  /// One of `words`, by its number.
  Status read_word(const Setting& from, std::string_view what,
                   std::span<const std::string_view> words, size_t& into) const;
  Status read_weight(const Setting& from, Expectation& into) const;
  /// A value that has to be it, or an object that says how it has to be.
  Status read_requirement(const Setting& from, std::string_view what, Requirement& into) const;
  /// The keys of such an object, among others.
  Status read_demands(const Setting& from, Requirement& into) const;

 private:
  /// A text, a number or a truth as JSON has it.
  Status read_value(const Setting& from, std::string_view what, std::string& into) const;

  std::string path_;
};

/// The keys that say how a value has to be.
inline constexpr std::string_view kDemandWords[] = {"is", "one_of", "matches", "mentions",
                                                    "mentions_not"};

}  // namespace xtrace
