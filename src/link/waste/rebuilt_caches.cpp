#include <map>
#include <optional>
#include <tuple>

#include "link/waste/pauses.h"
#include "link/waste/waste_search.h"

namespace xtrace {

namespace {

constexpr Duration kLongestKept = std::chrono::hours(1);

/// What was paid for a reason, and what nobody but the provider could have helped. A summary makes
/// all calls behind it cheaper, and a cache that no request asked for is dropped at any time.
bool is_in_vain(const CacheRebuild& one) {
  if (one.cause == RebuildCause::compaction) return false;
  return one.cause != RebuildCause::unknown || !one.is_of_provider;
}

/// One for each conversation, cause and what helps against it.
class RebuiltFinder {
 public:
  explicit RebuiltFinder(WasteSearch& search) : search_(search) {}

  void find() {
    for (const CacheRebuild& one : search_.from.rebuilds)
      if (is_in_vain(one)) search_.claims.claim(one), add(one);
    for (auto& [key, waste] : by_cause_) search_.found.push_back(std::move(waste));
  }

 private:
  void add(const CacheRebuild& one) {
    const bool paused = one.cause == RebuildCause::pause;
    if (paused && !pauses_) pauses_.emplace(search_.graph, search_.from.shown);
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
