#pragma once

#include <string>
#include <vector>

namespace xtrace {

/// What came of a command.
struct Ran {
  std::string out, err;
  int exit = -1;         ///< -1: it did not end by itself
  int signal = 0;        ///< by which it ended, if by one
  bool is_late = false;  ///< it had to be stopped
};

/// Runs a program in an empty environment, with nothing on standard input.
Ran run_program(const std::string& path, const std::vector<std::string>& words);

}  // namespace xtrace
