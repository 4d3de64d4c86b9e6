#include <algorithm>
#include <map>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "link/activities/cache_rebuild.h"
#include "link/activities/time_account.h"
#include "link/graph/queries.h"
#include "link/waste/waste.h"
#include "link/waste/waste_search.h"

namespace xtrace {

namespace {

/// What pauses were made of, by the account of time that `stats` shows.
class Pauses {
 public:
  explicit Pauses(const WasteSources& from);
  /// Of the time from the start of the call before until the call that rebuilt the cache.
  PauseFor most_of(const CacheRebuild& rebuild) const;

 private:
  /// Of the session: until then, since its beginning.
  PartTimes spent_until(uint32_t session, Time until) const;

  const Graph& graph_;
  std::optional<TimeAccount> made_;
  const TimeAccount& account_;
  std::vector<PartTimes> before_;  ///< by stretch: of those before it in its session
};

Pauses::Pauses(const WasteSources& from)
    : graph_(from.graph),
      account_(from.time != nullptr ? *from.time
                                    : made_.emplace(account_for_time(from.graph, from.shown))) {
  PartTimes sum{};
  for (size_t i = 0; i < account_.stretches.size(); ++i) {
    const TimeAccount::Stretch& stretch = account_.stretches[i];
    if (i > 0 && account_.stretches[i - 1].session != stretch.session) sum = {};
    before_.push_back(sum);
    Duration& part = sum[static_cast<size_t>(stretch.part)];
    part = plus(part, stretch.took());
  }
}

PartTimes Pauses::spent_until(uint32_t session, Time until) const {
  const auto& all = account_.stretches;
  const auto behind = std::partition_point(all.begin(), all.end(), [&](const auto& stretch) {
    return std::tuple(stretch.session, stretch.from) < std::tuple(session, until);
  });
  if (behind == all.begin() || (behind - 1)->session != session) return {};
  const TimeAccount::Stretch& last = *(behind - 1);
  PartTimes spent = before_[static_cast<size_t>(behind - 1 - all.begin())];
  Duration& part = spent[static_cast<size_t>(last.part)];
  part = plus(part, elapsed(last.from, std::min(until, last.to)));
  return spent;
}

PauseFor Pauses::most_of(const CacheRebuild& rebuild) const {
  const Call &from = graph_.trace()[rebuild.before], &to = graph_.trace()[rebuild.call];
  const uint32_t session = graph_.session_of(rebuild.call).number - 1;
  const PartTimes begun = spent_until(session, from.start), ended = spent_until(session, to.start);
  const auto spent = [&](PathPart part) {
    return ended[static_cast<size_t>(part)] - begun[static_cast<size_t>(part)];
  };
  const Duration answer = std::clamp(from.duration, Duration{0}, spent(PathPart::model));
  const std::pair<Duration, PauseFor> parts[] = {
      {spent(PathPart::person) + spent(PathPart::permission), PauseFor::person},
      {spent(PathPart::tool) + spent(PathPart::background) + spent(PathPart::model) - answer,
       PauseFor::work},
      {answer, PauseFor::answer},
      {spent(PathPart::retry_wait) + spent(PathPart::unexplained), PauseFor::unknown}};
  const auto most =
      std::max_element(std::begin(parts), std::end(parts),
                       [](const auto& a, const auto& b) { return a.first < b.first; });
  if (most->first > Duration{0}) return most->second;
  return answers_a_user(graph_, rebuild.call) ? PauseFor::person : PauseFor::unknown;
}

constexpr Duration kLongestKept = std::chrono::hours(1);

/// A rebuild is not avoidable if it was paid for a reason or only the provider could prevent it: a
/// summary makes all later calls cheaper, and a cache that no request asked for is dropped at any
/// time.
bool is_avoidable(const CacheRebuild& one) {
  if (one.cause == RebuildCause::compaction) return false;
  return one.cause != RebuildCause::unknown || !one.is_of_provider;
}

/// One for each conversation, cause and what helps against it.
class RebuiltFinder {
 public:
  explicit RebuiltFinder(WasteSearch& search) : search_(search) {}

  void find() {
    for (const CacheRebuild& one : search_.from.rebuilds)
      if (is_avoidable(one)) search_.claims.claim(one), add(one);
    for (auto& [key, waste] : by_cause_) search_.found.push_back(std::move(waste));
  }

 private:
  void add(const CacheRebuild& one) {
    const bool paused = one.cause == RebuildCause::pause;
    if (paused && !pauses_) pauses_.emplace(search_.from);
    const PauseFor pause_for = paused ? pauses_->most_of(one) : PauseFor::unknown;
    const bool hour_would_do =
        paused && !one.is_of_provider && one.life < kLongestKept && one.pause <= kLongestKept;
    Waste& waste = by_cause_[{search_.graph.conversation_of(one.call).number, one.cause, pause_for,
                              hour_would_do}];
    waste.kind = WasteKind::cache_rebuild;
    waste.cause = one.cause;
    waste.pause_for = pause_for;
    waste.hour_would_do = hour_would_do;
    waste.confidence = one.cause == RebuildCause::unknown ? 0.7 : 0.95;
    ++waste.times;
    waste.tokens = sum_of_known({waste.tokens, one.tokens()});
    waste.cost = sum_of_known({waste.cost, one.cost});
    waste.evidence.push_back({one.call, {}, "rebuilt"});
  }

  WasteSearch& search_;
  std::map<std::tuple<uint32_t, RebuildCause, PauseFor, bool>, Waste> by_cause_;
  std::optional<Pauses> pauses_;
};

}  // namespace

void find_rebuilt_caches(WasteSearch& search) {
  RebuiltFinder(search).find();
}

}  // namespace xtrace
