#include "run/progress.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <system_error>

#include "base/time.h"

namespace xtrace {

std::string words_of(const Progress& progress, double seconds) {
  double bytes = static_cast<double>(progress.bytes), total = static_cast<double>(progress.total);
  double rate = seconds > 0 ? bytes / seconds : 0;
  std::string words = fmt::format("{}: ", progress.unpacks ? "unpacking" : "reading");
  if (total > 0) words += fmt::format("{:.0f} %, ", std::min(100.0, 100 * bytes / total));
  words += fmt::format("{:.0f}", bytes / 1e6);
  if (total > 0) words += fmt::format(" of {:.0f}", total / 1e6);
  words += fmt::format(" MB, {:.0f} MB/s", rate / 1e6);
  if (total > bytes && rate > 0)
    words += fmt::format(", {} left",
                         format_span(Duration(static_cast<int64_t>((total - bytes) / rate * 1e9))));
  if (progress.all_files > 1)
    words += fmt::format(", {} of {} files", progress.files.load(), progress.all_files.load());
  return words;
}

ShownProgress::ShownProgress(const Progress& progress, bool show) {
  if (!show) return;
  try {
    thread_ = std::thread([this, &progress] { watch(progress); });
  } catch (const std::system_error&) {
    // No thread is to be had: nobody watches.
  }
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
  uint64_t before = 0;
  do {
    if (progress.bytes < before) start = Clock::now();  // what was unpacked is now read
    before = progress.bytes;
    double seconds = std::chrono::duration<double>(Clock::now() - start).count();
    fmt::print(stderr, "\r\x1b[K{}", words_of(progress, seconds));
    std::fflush(stderr);
  } while (!changed_.wait_for(lock, std::chrono::milliseconds(100), [&] { return done_; }));
  fmt::print(stderr, "\r\x1b[K");
}

}  // namespace xtrace
