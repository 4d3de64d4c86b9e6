#include "input/window.h"

#include <simdjson.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace xtrace {

namespace {
constexpr size_t kBlock = 256 << 10;  // half of a small second-level cache
}

Window::Window(int fd, uint64_t offset, bool seekable)
    : fd_(fd), seekable_(seekable), read_(offset) {}

bool Window::grow() {
  make_room();
  for (;;) {
    ssize_t count = seekable_ ? pread(fd_, buffer_.get() + end_, kBlock, static_cast<off_t>(read_))
                              : read(fd_, buffer_.get() + end_, kBlock);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) failed_ = errno;
    if (count <= 0) return false;
    end_ += static_cast<size_t>(count);
    read_ += static_cast<uint64_t>(count);
    return true;
  }
}

void Window::make_room() {
  if (begin_ == end_) begin_ = end_ = 0;
  if (end_ + kBlock <= capacity_) return;
  size_t held = end_ - begin_;
  if (held + kBlock > capacity_) {
    capacity_ = std::max(2 * kBlock, (held + kBlock) * 2);
    std::unique_ptr<char[]> larger =
        std::make_unique_for_overwrite<char[]>(capacity_ + simdjson::SIMDJSON_PADDING);
    if (held > 0) std::memcpy(larger.get(), buffer_.get() + begin_, held);
    buffer_ = std::move(larger);
  } else {
    std::memmove(buffer_.get(), buffer_.get() + begin_, held);
  }
  begin_ = 0;
  end_ = held;
}

}  // namespace xtrace
