#include "view/why/hop_effects.h"

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>
#include <unordered_map>

namespace xtrace {

namespace {

/// A hop that the target led to: through whom, and how sure that is.
struct Reached {
  HopId before;  ///< that led to it, as far as it was reached too; nowhere: the target itself did
  double confidence = 1;
};

class EffectFinder {
 public:
  EffectFinder(const Hops& hops, const HopTarget& target) : hops_(hops), target_(target) {}

  std::vector<HopEffect> find(const Run& run, const std::vector<bool>& shown) && {
    std::map<std::vector<ActorId>, HopEffect> by_chain;
    for (HopId id : run.hops) {
      const Hop& hop = hops_[id];
      if (!hop.is_call() || !shown[id.index]) continue;
      const Reached* reached = reach(id);
      if (reached == nullptr) continue;
      std::vector<ActorId> chain = chain_to(id);
      HopEffect& effect = by_chain[chain];
      effect.chain = std::move(chain);
      effect.hops.push_back(id);
      effect.confidence = std::min(effect.confidence, reached->confidence);
      if (effect.first == kNoTime) effect.first = hop.start;
      effect.last = std::max(effect.last, hop.start);
      effect.total = sum_of_known(effect.total, hop.duration);
      effect.errors += hop.outcome == Outcome::error;
    }
    std::vector<HopEffect> found;
    found.reserve(by_chain.size());
    for (auto& [chain, effect] : by_chain) found.push_back(std::move(effect));
    std::sort(found.begin(), found.end(), [](const HopEffect& a, const HopEffect& b) {
      return std::tuple(a.first, a.hops.front()) < std::tuple(b.first, b.hops.front());
    });
    return found;
  }

 private:
  /// nullptr: not through the target. An actor that calls itself is where the way begins anew, so
  /// that only the last access counts. Chains of causes have no circles.
  const Reached* reach(HopId id) {
    std::vector<HopId> way;
    std::optional<Reached> known;
    for (HopId at = id;; at = hops_[at].cause) {
      if (auto before = reached_.find(at.index); before != reached_.end()) {
        known = before->second;
        if (known && at == id) return &*before->second;
        if (known) known = Reached{at, known->confidence};
        break;
      }
      HopId cause = hops_[at].cause;
      way.push_back(at);
      if (!cause) break;
      if (target_.is(hops_, cause)) {
        known = Reached{HopId(), 1};
        break;
      }
    }
    for (auto at = way.rbegin(); at != way.rend(); ++at) {
      if (known) known->confidence *= hops_[*at].confidence;
      reached_[at->index] = known;
      if (known) known = Reached{*at, known->confidence};
    }
    const std::optional<Reached>& own = reached_[id.index];
    return own ? &*own : nullptr;
  }

  std::vector<ActorId> chain_to(HopId id) const {
    std::vector<ActorId> chain;
    for (HopId at = id; at; at = reached_.at(at.index)->before)
      if (hops_[at].is_call()) chain.push_back(hops_[at].to);
    std::reverse(chain.begin(), chain.end());
    return chain;
  }

  const Hops& hops_;
  const HopTarget& target_;
  std::unordered_map<uint32_t, std::optional<Reached>> reached_;  ///< nothing: by another way
};

}  // namespace

std::vector<HopEffect> effects_of(const Hops& hops, const std::vector<bool>& shown,
                                  const HopTarget& target, const Run& run) {
  return EffectFinder(hops, target).find(run, shown);
}

}  // namespace xtrace
