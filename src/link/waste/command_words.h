#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "link/waste/command_acts.h"

namespace xtrace {

/// The command in arguments in JSON: a text, or the words of a list; of `bash -c`, the script.
/// Empty: none.
std::string command_in(std::string_view arguments);
/// The text that arguments in JSON have for a key. Empty: none.
std::string text_argument(std::string_view arguments, std::string_view key);

/// Consequences of a command, as far as its words show them.
struct CommandTraits {
  /// It may change files, or anything that another command reports. True unless all its programs
  /// are known only to look.
  bool changes = true;
  /// It may change files that it does not name: `git checkout main`, `make format`.
  bool rewrites = false;
  /// It only looks, tests or builds, and does the same each time: `make check 2>&1 | tail`.
  bool checks = false;
  /// It waits, or asks about something that takes time: `sleep 5`, `gh run view`.
  bool polls = false;
  bool waits = false;  ///< `sleep 5`
};
CommandTraits classify_command(std::string_view command);

/// One of the commands of a line.
struct CommandPart {
  CommandActs acts;
  bool only_looks = false;
  bool edits = false;   ///< it changes files of a project, documentation excepted
  bool proves = false;  ///< it runs something of a project, and does not only put it into place
  /// The line fails if it fails: neither a pipe nor a command behind it hides its exit code.
  bool decides_exit = false;
};
std::vector<CommandPart> parts_of_command(std::string_view command);

/// The first program of the command, other than `cd` and `echo`, in the words of a list of usual
/// programs, so that nothing is shown that only the log has. Empty: the list does not have it.
std::string_view find_known_program(std::string_view command);

}  // namespace xtrace
