#pragma once

#include <string>
#include <vector>

#include "facts/payloads.h"
#include "view/common/names.h"

namespace xtrace {

/// Returns the arguments of a tool use from the record of the call that asks for it; empty: there
/// are none. Requires payloads. They are not redacted yet.
std::string read_arguments(const Question& question, CallId call, const ToolUse& use);

/// What a tool was given, for people: `$ go test ./…` for a command, else its arguments as
/// `pattern: TODO, path: src`. `given` is JSON; anything else is shown as it is. Where only first
/// words may be seen, commands alone, at most `most` bytes. Empty where nothing may be seen.
Text words_of_use(Door& door, const std::string& given, size_t most);

/// What tools reported that failed. Remembers the last request that it read: the results of many
/// uses come together.
class ErrorWords {
 public:
  ErrorWords(const Question& question, const Names& names) : question_(question), names_(names) {}

  /// The text at Door::Level::full, else its first words where these may be seen. Empty where
  /// nothing may be seen, or no later call reads the result.
  Text of(CallId call, const ToolUse& use, size_t most);

 private:
  const Question& question_;
  const Names& names_;
  CallId read_;
  std::vector<Quote> said_;
};

}  // namespace xtrace
