#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace xtrace {

/// Writes lines to whoever reads at their own pace, without ever waiting for them. A line that was
/// begun is finished before the next one.
class LineOutput {
 public:
  explicit LineOutput(int fd) : fd_(fd) {}

  /// Is all written, and would more be taken?
  bool ready() const;
  void send(std::string_view lines) { left_ += lines; }
  /// Writes as much as is taken now. Exit::output: it cannot be written.
  Status push();
  /// Waits until all is written, or nobody reads it any more.
  Status finish();
  bool empty() const { return at_ == left_.size(); }
  /// Nobody will ever read more.
  bool closed() const { return closed_; }
  /// Looks whether the reader has gone, which is told of pipes and sockets.
  void look_for_reader();
  int fd() const { return fd_; }

 private:
  int fd_;
  bool closed_ = false;
  std::string left_;
  size_t at_ = 0;  ///< so much of it is written
};

}  // namespace xtrace
