#include "input/bytes/read_ahead.h"

#include <algorithm>
#include <cstring>

namespace xtrace {

ReadAhead::ReadAhead(Flow& flow) : flow_(flow), thread_([this] { fill(); }) {}

ReadAhead::~ReadAhead() {
  {
    std::lock_guard lock(mutex_);
    stopped_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

void ReadAhead::fill() {
  try {
    fill_blocks();
  } catch (...) {  // no more memory
    std::lock_guard lock(mutex_);
    thrown_ = std::current_exception();
    ended_ = true;
  }
  changed_.notify_all();
}

void ReadAhead::fill_blocks() {
  for (bool more = true; more;) {
    {
      std::unique_lock lock(mutex_);
      changed_.wait(lock, [&] { return stopped_ || filled_ - emptied_ < blocks_.size(); });
      if (stopped_) return;
    }
    Block& block = blocks_[filled_ % blocks_.size()];  // the reader has done with it
    block.size = block.taken = 0;
    while (more && block.size < kBlock) {
      std::ptrdiff_t count = flow_.read(block.bytes.get() + block.size, kBlock - block.size);
      more = count > 0;
      if (more) block.size += static_cast<size_t>(count);
    }
    {
      std::lock_guard lock(mutex_);
      if (block.size > 0) ++filled_;
      ended_ = !more;
    }
    changed_.notify_all();
  }
}

std::ptrdiff_t ReadAhead::read(char* to, size_t room) {
  {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return ended_ || emptied_ < filled_; });
    if (emptied_ == filled_ && thrown_ != nullptr) std::rethrow_exception(thrown_);
    if (emptied_ == filled_) return flow_.error() ? -1 : 0;
  }
  Block& block = blocks_[emptied_ % blocks_.size()];
  size_t count = std::min(room, block.size - block.taken);
  std::memcpy(to, block.bytes.get() + block.taken, count);
  block.taken += count;
  if (block.taken == block.size) {
    {
      std::lock_guard lock(mutex_);
      ++emptied_;
    }
    changed_.notify_all();
  }
  return static_cast<std::ptrdiff_t>(count);
}

}  // namespace xtrace
