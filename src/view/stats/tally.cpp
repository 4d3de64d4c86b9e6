#include "view/stats/tally.h"

#include <utility>

#include "prices/model_maker.h"

namespace xtrace {

Distribution distribution_of(std::vector<Duration> lengths) {
  if (lengths.empty()) return {};
  std::sort(lengths.begin(), lengths.end());
  Distribution distribution{nearest_rank(lengths, 0.5, kNoDuration),
                            nearest_rank(lengths, 0.95, kNoDuration),
                            nearest_rank(lengths, 0.99, kNoDuration), lengths.back(), Duration{0}};
  for (Duration length : lengths) distribution.total = plus(distribution.total, length);
  return distribution;
}

Parallel parallel_of(std::span<const Work* const> works) {
  std::vector<std::pair<Time, int>> turns;  // an end sorts before a start at the same moment
  for (const Work* work : works) {
    const Activity& done = *work->done;
    if (done.start == kNoTime || done.duration == kNoDuration) continue;
    if (done.duration <= Duration{0}) continue;
    turns.emplace_back(done.start, 1);
    turns.emplace_back(done.end(), -1);
  }
  std::sort(turns.begin(), turns.end());
  Parallel parallel;
  int64_t open = 0;
  double busy = 0, sum = 0;
  for (size_t i = 0; i < turns.size(); ++i) {
    open += turns[i].second;
    parallel.most = std::max(parallel.most, open);
    if (open == 0 || i + 1 == turns.size()) continue;
    double length = static_cast<double>(elapsed(turns[i].first, turns[i + 1].first).count());
    busy += length;
    sum += length * static_cast<double>(open);
  }
  if (busy > 0) parallel.mean = sum / busy;
  return parallel;
}

void Tally::add(const Work& work) {
  if (!std::exchange(has_any, true))
    provider = work.done->provider;
  else if (provider != work.done->provider)
    provider = {};
  sum.add(work.sum);
  if (work.is_unplaced) {
    if (work.sum.calls == 0) unplaced.add(work.sum.usage);
    return;
  }
  works.push_back(&work);
  if (work.is_critical) {
    ++critical;
    critical_time = plus(critical_time, work.on_path);
  }
  if (work.done->duration != kNoDuration) durations.push_back(work.done->duration);
  if (work.slack != kNoDuration) slacks.push_back(work.slack);
}

WindowUse window_use(std::span<const Work* const> works) {
  WindowUse use;
  std::vector<double> shares;
  for (const Work* work : works) {
    const int64_t sent = most_sent(work->sum.usage.tokens);
    if (sent < 0 || work->failed() || work->done->model.empty()) continue;
    const int64_t limit = window_of_call(work->done->model, work->context_limit, sent);
    if (limit <= 0) continue;
    double share = static_cast<double>(sent) / static_cast<double>(limit);
    if (share > use.most) {
      use.most = share;
      use.limit = limit;
      use.most_sent = sent;
    }
    shares.push_back(share);
  }
  std::sort(shares.begin(), shares.end());
  use.median = nearest_rank(shares, 0.5, -1.0);
  return use;
}

}  // namespace xtrace
