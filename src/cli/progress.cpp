#include "cli/progress.h"

#include <fmt/format.h>

#include <chrono>
#include <cstdio>

#include "base/time.h"

namespace xtrace {

ShownProgress::ShownProgress(const Progress& progress, bool show) {
  if (show) thread_ = std::thread([this, &progress] { watch(progress); });
}

ShownProgress::~ShownProgress() {
  if (!thread_.joinable()) return;
  {
    std::lock_guard lock(mutex_);
    done_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

void ShownProgress::watch(const Progress& progress) {
  using Clock = std::chrono::steady_clock;
  Clock::time_point start = Clock::now();
  std::unique_lock lock(mutex_);
  if (changed_.wait_for(lock, std::chrono::milliseconds(500), [&] { return done_; })) return;
  do {
    double seconds = std::chrono::duration<double>(Clock::now() - start).count();
    double bytes = static_cast<double>(progress.bytes), total = static_cast<double>(progress.total);
    std::string left;
    if (total > 0 && bytes > 0)
      left = fmt::format(
          " of {:.0f} MB, {} left", total / 1e6,
          format_span(Duration(static_cast<int64_t>((total - bytes) / bytes * seconds * 1e9))));
    fmt::print(stderr, "\r\x1b[Kreading: {:.0f} MB{} ({:.0f} MB/s)", bytes / 1e6, left,
               bytes / 1e6 / seconds);
    std::fflush(stderr);
  } while (!changed_.wait_for(lock, std::chrono::milliseconds(100), [&] { return done_; }));
  fmt::print(stderr, "\r\x1b[K");
}

}  // namespace xtrace
