#pragma once

#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

#include "input/load.h"

namespace xtrace {

/// `reading: 42 %, 57 of 136 MB, 410 MB/s, 190ms left, 3 of 12 files`
std::string words_of(const Progress& progress, double seconds);

/// While it lives, shows on standard error how far reading has come: after half a second, and only
/// if asked to. Leaves a clean line.
class ShownProgress {
 public:
  ShownProgress(const Progress& progress, bool show);
  ~ShownProgress();

 private:
  void watch(const Progress& progress);

  std::mutex mutex_;
  std::condition_variable changed_;
  bool done_ = false;
  std::thread thread_;
};

}  // namespace xtrace
