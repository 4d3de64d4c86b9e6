#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/command.h"

namespace xtrace {

/// A command that answers no question about a log, with its documentation. To add one: a file that
/// defines it, and its name in commands.cpp.
struct OtherCommand {
  std::string_view name{};
  std::string_view summary{};  ///< one line
  std::string_view hint{};     ///< the same in fewer words, for completions; empty: none are needed
  std::string_view manual{};   ///< its paragraph in the manual, in roff
  Result<Command> (*run)(const std::vector<std::string>& words) = nullptr;
  std::string (*help)() = nullptr;  ///< nullptr: the summary says all
  /// What may follow it, for completions; nullptr: nothing.
  std::vector<std::string_view> (*words)() = nullptr;
  std::string_view placeholder{};  ///< of that in its help, in brackets where it is optional
};

/// What it does and takes.
std::string help_for(const OtherCommand& command);

/// Its options, as its help lists them: `--help` and one for each line.
std::vector<std::string> options_of(const OtherCommand& command);

/// The documented ones, in that order.
std::span<const OtherCommand> other_commands();
/// Also one that only whoever packages the program needs; nullptr: there is none of that name.
const OtherCommand* find_other_command(std::string_view name);

/// All documented commands, views first.
std::vector<std::string_view> command_names();
/// Exit::usage if more follows a command than the one word that it takes.
Status check_one_word(const OtherCommand& command, const std::vector<std::string>& words);
tl::unexpected<Error> unknown_command(const std::string& name);

}  // namespace xtrace
