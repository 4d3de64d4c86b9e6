#pragma once

#include <algorithm>
#include <array>
#include <span>
#include <type_traits>
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
  int64_t errors = 0, retries = 0, compactions = 0, critical = 0;
  int64_t unknown = 0;          ///< of which no outcome is on record: they are in no rate
  int64_t calls_of_spans = 0;   ///< that no log has: they are no works
  Usage unplaced;               ///< of the usage, what no call accounts for
  std::string_view provider{};  ///< of all of it; empty: not known, or several
  Duration critical_time{0};
  Usage usage;
  Paid paid;
  int64_t missing_output = 0, missing_cost = 0;  ///< as of a CallSum
  std::vector<Duration> durations, slacks;
  bool has_any = false;

  void add(const Work& work);
  int64_t count() const { return static_cast<int64_t>(works.size()) + calls_of_spans; }
  bool is_empty() const { return count() == 0 && usage.cost < 0 && total_of(usage.tokens) < 0; }
  int64_t known() const { return count() - unknown; }
  CallSum sum() const { return {count(), usage, paid, missing_output, missing_cost}; }
};

/// How much of their models' windows some calls sent, of those of which both is known.
struct WindowUse {
  int64_t limit = kNoCount;  ///< of the fullest one
  int64_t most_sent = kNoCount;
  double most = -1, median = -1;  ///< shares; -1: not known
};
WindowUse window_use(std::span<const Work* const> works);

/// Four digits: more would be noise in a diff. Unknown of nothing.
Cell rate(int64_t part, int64_t whole);

/// How many columns there are, told by the type alone.
template <size_t kSize>
std::integral_constant<size_t, kSize> extent_of(const Column (&)[kSize]);
template <size_t kSize>
std::integral_constant<size_t, kSize> extent_of(const std::array<Column, kSize>&);

/// Columns of several arrays as one.
template <class... Parts>
constexpr auto joined_columns(const Parts&... parts) {
  std::array<Column, (decltype(extent_of(parts))::value + ...)> all;
  size_t at = 0;
  auto append = [&](const auto& part) {
    for (const Column& column : part) all[at++] = column;
  };
  (append(parts), ...);
  return all;
}

inline constexpr Column kDurationColumns[] = {
    {"duration.median_ms", "median of the known durations, nearest rank", CellKind::milliseconds},
    {"duration.p95_ms", "95th percentile, nearest rank", CellKind::milliseconds},
    {"duration.p99_ms", "99th percentile, nearest rank", CellKind::milliseconds},
    {"duration.max_ms", "", CellKind::milliseconds},
    {"duration.total_ms", "sum of all durations, including overlapping ones",
     CellKind::milliseconds},
};
void add_durations(std::vector<Duration> lengths, Table& table);

/// Of what some calls sent, put out and cost.
inline constexpr Column kSumColumns[] = {
    {"tokens.input", "uncached input tokens", CellKind::integer},
    {"tokens.output", "", CellKind::integer},
    {"tokens.total", "the sum of all four token counts", CellKind::integer},
    {"tokens.cache_read", "", CellKind::integer},
    {"tokens.cache_creation", "", CellKind::integer},
    {"cost_usd", "cost of the calls whose cost is known", CellKind::number},
    {"unpriced_calls", "calls without a known cost; not included in the sum", CellKind::integer},
    {"partly_priced_calls", "calls whose cost is only partly known; the known part is included",
     CellKind::integer},
    {"paid.input_usd", "part of the cost for uncached input tokens", CellKind::number},
    {"paid.cache_write_usd", "", CellKind::number},
    {"paid.cache_read_usd", "", CellKind::number},
    {"paid.output_usd", "part of the cost for output, including reasoning", CellKind::number},
    {"paid.fees_usd", "part of the cost for tools run by vendors, such as searches",
     CellKind::number},
    {"paid.unsplit_usd", "recorded costs that the price list cannot explain", CellKind::number},
    {"low_output_calls",
     "calls for which the log kept only the output count from the start of the reply; real output "
     "and cost are higher",
     CellKind::integer},
    {"missing.output_estimated",
     "further output tokens of these calls, estimated from the length of their replies; not "
     "included in any sum",
     CellKind::integer},
    {"missing.cost_usd_estimated", "estimated cost of these tokens; not included in any sum",
     CellKind::number},
};
void add_sum(const CallSum& sum, Table& table);

inline constexpr Column kCallCounts[] = {
    {"calls", "model calls", CellKind::integer, true},
    {"errors", "failed calls", CellKind::integer, true},
    {"error_rate", "share of failed calls among the calls with a recorded outcome",
     CellKind::number},
    {"unknown_calls", "calls without a recorded outcome; not included in any rate",
     CellKind::integer},
    {"retries", "calls that repeat a failed or unanswered request", CellKind::integer, true},
    {"retry_rate", "retries per call", CellKind::number},
};
/// Of model calls.
inline constexpr auto kCallColumns = joined_columns(kCallCounts, kSumColumns);
void add_calls(const Tally& tally, Table& table);

}  // namespace xtrace
