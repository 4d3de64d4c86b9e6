#pragma once

#include <array>
#include <condition_variable>
#include <exception>
#include <memory>
#include <mutex>
#include <thread>

#include "input/bytes/flow.h"

namespace xtrace {

/// Unpacks on a thread of its own, a few blocks ahead of whoever reads. The flow belongs to that
/// thread until read() has come to its end.
class ReadAhead {
 public:
  explicit ReadAhead(Flow& flow);
  ~ReadAhead();
  ReadAhead(const ReadAhead&) = delete;
  ReadAhead& operator=(const ReadAhead&) = delete;

  /// As Flow::read().
  std::ptrdiff_t read(char* to, size_t room);

 private:
  static constexpr size_t kBlock = 256 << 10;
  struct Block {
    std::unique_ptr<char[]> bytes = std::make_unique_for_overwrite<char[]>(kBlock);
    size_t size = 0, taken = 0;
  };
  void fill();
  void fill_blocks();

  Flow& flow_;
  std::array<Block, 4> blocks_;
  std::mutex mutex_;
  std::condition_variable changed_;
  size_t filled_ = 0, emptied_ = 0;  ///< blocks ever
  bool ended_ = false, stopped_ = false;
  std::exception_ptr thrown_;  ///< why nothing more comes, if it is no end
  std::thread thread_;
};

}  // namespace xtrace
