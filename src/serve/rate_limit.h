#pragma once

#include <algorithm>
#include <chrono>

namespace xtrace::serve {

/// Lets through so many a second on average, and so many at once after a pause.
class RateLimit {
 public:
  using Clock = std::chrono::steady_clock;
  RateLimit(double per_second, double at_once)
      : per_second_(per_second), at_once_(at_once), left_(at_once) {}

  /// Is there room for one more?
  bool take(Clock::time_point now) {
    const std::chrono::duration<double> passed = now - last_;
    last_ = now;
    left_ = std::min(at_once_, left_ + std::max(0.0, passed.count()) * per_second_);
    if (left_ < 1) return false;
    left_ -= 1;
    return true;
  }

 private:
  double per_second_, at_once_, left_;
  Clock::time_point last_{};
};

}  // namespace xtrace::serve
