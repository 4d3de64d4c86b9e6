#pragma once

#include <string>
#include <vector>

namespace xtrace {

/// Lines that somebody writes to standard input while the program runs.
class RequestLines {
 public:
  /// `fd` -1: there are none.
  explicit RequestLines(int fd) : fd_(fd) {}

  /// The whole lines that came since the last time; never waits.
  std::vector<std::string> take();
  /// To wait on; -1 when no more can come.
  int fd() const { return fd_; }

 private:
  int fd_;
  std::string begun_;  ///< a line without its newline
};

}  // namespace xtrace
