#include "live/pace.h"

#include <algorithm>

namespace xtrace {

namespace {

/// The programs that are watched need the machine, and who watches needs little of it.
constexpr double kShare = 0.25;
/// Busy moments may borrow so much of the quiet ones before and behind them ...
constexpr Pace::Span kLent{2};
/// ... and pause no longer than this, which no reader notices.
constexpr Pace::Span kShort{0.015};
/// Nobody waits longer than this for what came already.
constexpr Pace::Span kLongest{0.75};

}  // namespace

Pace::Span Pace::pause_after(Span spent, Span since) {
  owed_ = std::max(owed_ + spent - kShare * since, Span(0));
  const Span fair = spent * (1 / kShare - 1);
  return std::min(fair, owed_ > kLent ? kLongest : kShort);
}

}  // namespace xtrace
