#include "live/line_output.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>

#include "base/system.h"

namespace xtrace {

bool LineOutput::ready() const {
  return empty() && can_write(fd_);
}

Status LineOutput::push() {
  // The descriptor itself keeps its mode, because other programs may share it.
  while (!empty() && !closed_ && can_write(fd_)) {
    const std::optional<size_t> written = write_now(fd_, std::string_view(left_).substr(at_));
    if (!written && (errno == EINTR || errno == EAGAIN)) return {};
    if (!written && errno == EPIPE) {
      closed_ = true;
      return {};
    }
    if (!written)
      return fail(Exit::output,
                  fmt::format("cannot write to standard output: {}", std::strerror(errno)));
    at_ += *written;
  }
  if (!empty()) return {};
  left_.clear();
  at_ = 0;
  return {};
}

Status LineOutput::finish() {
  while (!empty() && !closed_) {
    if (!can_write(fd_, kForever) && errno != EINTR) break;
    if (Status pushed = push(); !pushed) return pushed;
  }
  return {};
}

void LineOutput::look_for_reader() {
  closed_ |= has_lost_reader(fd_);
}

}  // namespace xtrace
