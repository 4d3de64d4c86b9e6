#include "input/bytes/window.h"

#include <simdjson.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <system_error>
#include <utility>

#include "base/system_mapping.h"

namespace xtrace {

namespace {

constexpr size_t kWorthMapping = 4 << 20;
constexpr size_t kKept =
    4 << 20;  // mapped pages behind the view; giving them back one by one costs
constexpr size_t kNeighbours = 2 << 20;  // as far as the largest pages reach
constexpr size_t kRoom = 2 * kBlock;     // of a buffer at first

/// The buffer of the last window on this thread, for the next one: with thousands of small files
/// new pages for each cost more than reading them.
thread_local std::unique_ptr<char[]> spare_buffer;

std::unique_ptr<char[]> new_buffer(size_t capacity) {
  return std::make_unique_for_overwrite<char[]>(capacity + simdjson::SIMDJSON_PADDING);
}

}  // namespace

Window::Window(int fd, uint64_t begin, uint64_t end) : fd_(fd), read_(begin), end_of_view_(end) {
  const std::optional<FileStatus> status = file_status(fd_);
  if (!status) return;
  // As large as it was when it was found: what is appended belongs to the next run.
  const uint64_t size = std::min(status->bytes, end_of_view_);
  if (!kMapsFiles || size < kWorthMapping) return;
  mapping_ = Mapping(fd_, size);
  if (mapping_.size() == 0) return;
  shorter_ = size < end_of_view_;
  start_ = mapping_.start();
  begin_ = end_ = static_cast<size_t>(std::min(begin, size));
  released_ = begin_ / kPageBytes * kPageBytes;
}

Window::Window(std::unique_ptr<Flow> flow) : flow_(std::move(flow)) {}

Window::~Window() {
  if (buffer_ != nullptr && capacity_ == kRoom) spare_buffer = std::move(buffer_);
}

void Window::read_ahead() {
  if (flow_ == nullptr || flow_->compression() == Compression::none) return;
  try {
    ahead_ = std::make_unique<ReadAhead>(*flow_);
  } catch (const std::system_error&) {
    // No thread is to be had: the reader unpacks by itself.
  }
}

std::string_view Window::damage() const {
  return ended_ && flow_ != nullptr ? std::string_view(flow_->damage()) : std::string_view();
}

bool Window::became_shorter() const {
  if (shorter_ || mapping_.became_shorter()) return true;
  // Within its last page a mapping that became shorter shows zeros, and nobody is told.
  if (mapping_.size() == 0) return false;
  const std::optional<FileStatus> status = file_status(fd_);
  return status && status->bytes < end_of_view_;
}

bool Window::grow_mapped() {
  size_t behind = begin_ / kPageBytes * kPageBytes;
  if (behind > released_ + kKept) {
    // The kernel maps the neighbours of a page that is looked at, also those just given back.
    size_t from = released_ - std::min(released_, kNeighbours);
    mapping_.release(from, behind);
    released_ = behind;
  }
  constexpr size_t kStep = 1 << 20;  // costs nothing until it is looked at
  size_t more = mapping_.became_shorter() ? 0 : std::min(kStep, mapping_.size() - end_);
  end_ += more;
  read_ += more;
  return more > 0;
}

void Window::drop_to(uint64_t offset) {
  while (this->offset() + bytes().size() < offset) {
    drop(bytes().size());
    if (!grow()) return;
  }
  if (this->offset() < offset) drop(static_cast<size_t>(offset - this->offset()));
}

void Window::look_ahead() {
  constexpr size_t kAhead = 4 << 20;
  while (mapping_.size() > 0 && end_ - begin_ < kAhead && grow_mapped()) {
  }
}

std::ptrdiff_t Window::read_some() {
  char* to = start_ + end_;
  if (flow_ != nullptr)
    return ahead_ != nullptr ? ahead_->read(to, kBlock) : flow_->read(to, kBlock);
  size_t most = static_cast<size_t>(std::min<uint64_t>(kBlock, end_of_view_ - read_));
  const std::optional<size_t> count = read_at(fd_, to, most, read_);
  return count ? static_cast<std::ptrdiff_t>(*count) : -1;
}

bool Window::grow() {
  if (mapping_.size() > 0) return grow_mapped();
  if (ended_) return false;
  make_room();
  const std::ptrdiff_t count = read_some();
  if (count < 0 && flow_ == nullptr) failed_ = errno;
  ended_ = count <= 0;
  if (ended_) {
    shorter_ = count == 0 && flow_ == nullptr && read_ < end_of_view_;
    return false;
  }
  end_ += static_cast<size_t>(count);
  read_ += static_cast<uint64_t>(count);
  return true;
}

void Window::make_room() {
  if (begin_ == end_) begin_ = end_ = 0;
  if (end_ + kBlock <= capacity_) return;
  size_t held = end_ - begin_;
  if (held + kBlock > capacity_) {
    capacity_ = std::max(kRoom, (held + kBlock) * 2);
    std::unique_ptr<char[]> larger = capacity_ == kRoom && spare_buffer != nullptr
                                         ? std::move(spare_buffer)
                                         : new_buffer(capacity_);
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
