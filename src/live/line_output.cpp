#include "live/line_output.h"

#include <fmt/format.h>
#include <limits.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace xtrace {

bool LineOutput::would_take(int milliseconds) const {
  pollfd out{fd_, POLLOUT, 0};
  return poll(&out, 1, milliseconds) > 0;
}

bool LineOutput::ready() const {
  return empty() && would_take(0);
}

Status LineOutput::push() {
  // What a pipe is ready for is PIPE_BUF bytes: more might wait. The descriptor itself is left as
  // it is, for it may be shared with other programs.
  while (!empty() && !closed_ && would_take(0)) {
    size_t count = std::min<size_t>(left_.size() - at_, PIPE_BUF);
    ssize_t written = write(fd_, left_.data() + at_, count);
    if (written < 0 && (errno == EINTR || errno == EAGAIN)) return {};
    if (written < 0 && errno == EPIPE) {
      closed_ = true;
      return {};
    }
    if (written < 0)
      return fail(Exit::output,
                  fmt::format("cannot write to standard output: {}", std::strerror(errno)));
    at_ += static_cast<size_t>(written);
  }
  if (!empty()) return {};
  left_.clear();
  at_ = 0;
  return {};
}

Status LineOutput::finish() {
  while (!empty() && !closed_) {
    if (!would_take(-1) && errno != EINTR) break;
    if (Status pushed = push(); !pushed) return pushed;
  }
  return {};
}

void LineOutput::look_for_reader() {
  pollfd out{fd_, 0, 0};
  if (poll(&out, 1, 0) > 0 && (out.revents & (POLLERR | POLLHUP | POLLNVAL)) != 0) closed_ = true;
}

}  // namespace xtrace
