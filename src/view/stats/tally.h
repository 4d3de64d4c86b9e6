#pragma once

#include <algorithm>
#include <array>
#include <span>
#include <vector>

#include "base/nearest_rank.h"
#include "view/stats/work.h"

namespace xtrace {

/// The middle and the ends of some lengths of time.
struct Distribution {
  Duration median = kNoDuration, p95 = kNoDuration, p99 = kNoDuration, most = kNoDuration;
  Duration total = kNoDuration;
};
Distribution distribution_of(std::vector<Duration> lengths);

/// How many of some pieces of work were under way at once.
struct Parallel {
  int64_t most = 0;
  double mean = 0;  ///< of the time in which any was
};
Parallel parallel_of(std::span<const Work* const> works);

/// What some pieces of work of one kind add up to.
struct Tally {
  std::vector<const Work*> works;
  CallSum sum;                  ///< with calls that no log has: they are no works
  Usage unplaced;               ///< of the usage, what no call accounts for
  std::string_view provider{};  ///< of all of it; empty: not known, or several
  int64_t critical = 0;
  Duration critical_time{0};
  std::vector<Duration> durations, slacks;
  bool has_any = false;

  void add(const Work& work);
  bool is_empty() const {
    return sum.calls == 0 && sum.usage.cost < 0 && total_of(sum.usage.tokens) < 0;
  }
};

/// How much of their models' windows some calls sent, of those of which both is known.
struct WindowUse {
  int64_t limit = kNoCount;  ///< of the fullest one
  int64_t most_sent = kNoCount;
  double most = -1, median = -1;  ///< shares; -1: not known
};
WindowUse window_use(std::span<const Work* const> works);

inline constexpr Field<Distribution> kMedian[] = {
    {{"duration.median_ms", "median of the known durations, nearest rank", CellKind::milliseconds},
     [](const Distribution& took) { return known(took.median); }},
};
inline constexpr Field<Distribution> kUpperDurations[] = {
    {{"duration.p95_ms", "95th percentile, nearest rank", CellKind::milliseconds},
     [](const Distribution& took) { return known(took.p95); }},
    {{"duration.p99_ms", "99th percentile, nearest rank", CellKind::milliseconds},
     [](const Distribution& took) { return known(took.p99); }},
    {{"duration.max_ms", "", CellKind::milliseconds},
     [](const Distribution& took) { return known(took.most); }},
    {{"duration.total_ms", "sum of all durations, including overlapping ones", Role::duration},
     [](const Distribution& took) { return known(took.total); }},
};

}  // namespace xtrace
