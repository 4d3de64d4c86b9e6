#pragma once

#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "view/common/view.h"

namespace xtrace {

/// Options of this group are about how an answer looks and where it goes, not about what it holds.
inline constexpr std::string_view kOutputOptions = "Output";

/// One thing that can be set on the command line. Help, manual and completions are made from the
/// same list that the command line is read with, so they cannot disagree.
struct OptionSpec {
  std::string name;         ///< `--format`, or with its letter: `-f,--format`
  std::string placeholder;  ///< empty: a switch
  std::string help;
  std::vector<std::string_view> words;  ///< the values allowed; empty: any
  std::variant<bool*, std::string*, std::vector<std::string>*, double*> target;
  std::string_view group{};  ///< its title; empty: it is of the command itself

  std::string_view long_name() const { return std::string_view(name).substr(name.find("--")); }
  bool is_switch() const { return std::holds_alternative<bool*>(target); }
  /// Is its value written in a language of its own, in which commas part nothing?
  bool keeps_commas() const {
    return placeholder == "REGEX" || placeholder == "KEY=VALUE" || placeholder == "OLD=NEW" ||
           placeholder == "KIND|USD";
  }
  bool takes_many() const { return std::holds_alternative<std::vector<std::string>*>(target); }
};

/// The options of a command, as its parts declare them.
class OptionList final : public Options {
 public:
  using Options::add;
  void group(std::string_view title) override { group_ = title; }
  void add(std::string_view name, bool& value, std::string_view help) override {
    specs_.push_back({std::string(name), {}, std::string(help), {}, &value, group_});
  }
  void add(std::string_view name, std::string& value, std::string_view placeholder,
           std::string_view help, std::vector<std::string_view> words = {}) override {
    specs_.push_back({std::string(name), std::string(placeholder), std::string(help),
                      std::move(words), &value, group_});
  }
  void add(std::string_view name, std::vector<std::string>& values, std::string_view placeholder,
           std::string_view help, std::vector<std::string_view> words = {}) override {
    specs_.push_back({std::string(name), std::string(placeholder), std::string(help),
                      std::move(words), &values, group_});
  }
  void add(std::string_view name, double& value, std::string_view placeholder,
           std::string_view help) override {
    specs_.push_back(
        {std::string(name), std::string(placeholder), std::string(help), {}, &value, group_});
  }
  const std::vector<OptionSpec>& specs() const { return specs_; }

 private:
  std::string_view group_;
  std::vector<OptionSpec> specs_;
};

}  // namespace xtrace
