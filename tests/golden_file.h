#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace xtrace {

/// A command and what it must answer, as the files in tests/cli have it:
///
///     # Words about the command.
///     $ xtrace list fixtures/trip.jsonl -f text
///     ? 0
///     what goes to standard output, line by line
///     ! what goes to standard error
///
/// An output line that begins like one of these marks has a backslash before it. One empty line
/// before the next command belongs to the file, not to the output.
struct GoldenStep {
  std::string above;  ///< comments and empty lines
  std::string command;
  int exit = 0;
  std::string out, err;
};

/// Throws std::invalid_argument where the text is no such file.
std::vector<GoldenStep> parse_golden(std::string_view text);
std::string format_golden(const std::vector<GoldenStep>& steps);

/// The words of a command as a shell would split them: blanks part, quotes and backslashes keep
/// together. `<` is a word of its own.
std::vector<std::string> split_words(std::string_view command);

/// What changed, line by line, with a few lines around it.
std::string diff(std::string_view wanted, std::string_view got);

}  // namespace xtrace
