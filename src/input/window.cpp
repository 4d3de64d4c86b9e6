#include "input/window.h"

#include <simdjson.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

namespace xtrace {

namespace {

constexpr size_t kBlock = 256 << 10;  // half of a small second-level cache
constexpr size_t kWorthMapping = 4 << 20;
constexpr size_t kKept =
    4 << 20;  // mapped pages behind the view; giving them back one by one costs
constexpr size_t kPage = 4096;
constexpr size_t kNeighbours = 2 << 20;  // as far as the largest pages reach

}  // namespace

Window::Window(int fd, uint64_t begin, uint64_t end)
    : fd_(fd), seekable_(true), read_(begin), end_of_view_(end) {
  if (map()) {
    begin_ = end_ = std::min<size_t>(begin, mapped_);
    released_ = begin_ / kPage * kPage;
  }
}

Window::Window(int fd, bool digests)
    : fd_(fd), seekable_(false), read_(0), end_of_view_(UINT64_MAX) {
  if (digests) digest_.emplace();
}

Window::Window(Window&& other) noexcept
    : fd_(other.fd_),
      seekable_(other.seekable_),
      ended_(other.ended_),
      failed_(other.failed_),
      digest_(std::move(other.digest_)),
      read_(other.read_),
      end_of_view_(other.end_of_view_),
      start_(std::exchange(other.start_, nullptr)),
      begin_(other.begin_),
      end_(other.end_),
      buffer_(std::move(other.buffer_)),
      capacity_(other.capacity_),
      mapped_(std::exchange(other.mapped_, 0)),
      released_(other.released_) {}

Window::~Window() {
  if (mapped_ > 0) munmap(start_, mapped_ + kPage);
}

/// Maps the file as large as it was when it was found: what is appended belongs to the next run.
bool Window::map() {
  struct stat status {};
  if (fstat(fd_, &status) != 0) return false;
  size_t size = std::min(static_cast<size_t>(status.st_size), static_cast<size_t>(end_of_view_));
  if (size < kWorthMapping) return false;
  // Memory for the file and a page more is reserved first and the file put over it, so that there
  // is something to read behind a file that ends with its last page.
  void* room = mmap(nullptr, size + kPage, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (room == MAP_FAILED) return false;
  if (mmap(room, size, PROT_READ, MAP_SHARED | MAP_FIXED, fd_, 0) == MAP_FAILED) {
    munmap(room, size + kPage);
    return false;
  }
  madvise(room, size, MADV_SEQUENTIAL);
  start_ = static_cast<char*>(room);
  mapped_ = size;
  return true;
}

bool Window::grow_mapped() {
  size_t behind = begin_ / kPage * kPage;
  if (behind > released_ + kKept) {
    // The kernel maps the neighbours of a page that is looked at, also those just given back.
    size_t from = released_ - std::min(released_, kNeighbours);
    madvise(start_ + from, behind - from, MADV_DONTNEED);
    released_ = behind;
  }
  constexpr size_t kStep = 1 << 20;  // costs nothing until it is looked at
  size_t more = std::min(kStep, mapped_ - end_);
  end_ += more;
  read_ += more;
  return more > 0;
}

void Window::look_ahead() {
  constexpr size_t kAhead = 4 << 20;
  while (mapped_ > 0 && end_ - begin_ < kAhead && grow_mapped()) {
  }
}

ssize_t Window::read_some() {
  char* to = start_ + end_;
  if (!seekable_) return read(fd_, to, kBlock);
  size_t most = static_cast<size_t>(std::min<uint64_t>(kBlock, end_of_view_ - read_));
  return most == 0 ? 0 : pread(fd_, to, most, static_cast<off_t>(read_));
}

bool Window::grow() {
  if (mapped_ > 0) return grow_mapped();
  if (ended_) return false;
  make_room();
  ssize_t count = read_some();
  while (count < 0 && errno == EINTR) count = read_some();
  if (count < 0) failed_ = errno;
  ended_ = count <= 0;
  if (ended_) return false;
  if (digest_) digest_->add({start_ + end_, static_cast<size_t>(count)});
  end_ += static_cast<size_t>(count);
  read_ += static_cast<uint64_t>(count);
  return true;
}

void Window::make_room() {
  if (begin_ == end_) begin_ = end_ = 0;
  if (end_ + kBlock <= capacity_) return;
  size_t held = end_ - begin_;
  if (held + kBlock > capacity_) {
    capacity_ = std::max(2 * kBlock, (held + kBlock) * 2);
    std::unique_ptr<char[]> larger =
        std::make_unique_for_overwrite<char[]>(capacity_ + simdjson::SIMDJSON_PADDING);
    if (held > 0) std::memcpy(larger.get(), start_ + begin_, held);
    buffer_ = std::move(larger);
    start_ = buffer_.get();
  } else {
    std::memmove(start_, start_ + begin_, held);
  }
  begin_ = 0;
  end_ = held;
}

}  // namespace xtrace
