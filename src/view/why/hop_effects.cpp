#include "view/why/hop_effects.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <tuple>
#include <unordered_map>

#include "view/hops/paths.h"

namespace xtrace {

namespace {

/// A hop that the target led to: through whom, and how sure that is.
struct Reached {
  PathId chain;  ///< the actors behind the target; nowhere: work inside the target itself
  double confidence = 1;
};

class EffectFinder {
 public:
  EffectFinder(const Hops& hops, const Meant& target) : hops_(hops), target_(target) {}

  EffectGroups find(const Run& run, const std::vector<bool>& shown, size_t most) && {
    std::vector<HopEffect> found;
    std::vector<PathId> chains;                   // of those found
    std::unordered_map<uint32_t, size_t> places;  // by chain
    for (HopId id : run.hops) {
      const Hop& hop = hops_[id];
      if (!hop.is_call() || !shown[id.index]) continue;
      const Reached* reached = reach(id);
      if (reached == nullptr) continue;
      const auto [place, is_new] = places.try_emplace(reached->chain.index, found.size());
      if (is_new) {
        found.emplace_back();
        chains.push_back(reached->chain);
      }
      HopEffect& effect = found[place->second];
      effect.add(hops_, id);
      effect.certainty.confidence = std::min(effect.certainty.confidence, reached->confidence);
    }
    std::vector<size_t> order(found.size());
    std::iota(order.begin(), order.end(), size_t{0});
    std::ranges::sort(order, {},
                      [&](size_t i) { return std::tuple(found[i].first, found[i].hops.front()); });
    EffectGroups effects;
    effects.omitted = order.size() - std::min(order.size(), most);
    order.resize(order.size() - effects.omitted);
    for (size_t i : order) {
      found[i].chain = table_.actors(chains[i]);
      effects.all.push_back(std::move(found[i]));
    }
    return effects;
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
        break;
      }
      HopId cause = hops_[at].cause;
      way.push_back(at);
      if (!cause) break;
      if (target_.is(hops_, cause)) {
        known = Reached{};
        break;
      }
    }
    for (auto at = way.rbegin(); at != way.rend(); ++at) {
      const Hop& hop = hops_[*at];
      if (known) known->confidence *= hop.confidence;
      if (known && hop.is_call()) known->chain = table_.join(known->chain, hop.to);
      reached_[at->index] = known;
    }
    const std::optional<Reached>& own = reached_[id.index];
    return own ? &*own : nullptr;
  }

  const Hops& hops_;
  const Meant& target_;
  PathTable table_;
  std::unordered_map<uint32_t, std::optional<Reached>> reached_;  ///< nothing: by another way
};

}  // namespace

EffectGroups effects_of(const Hops& hops, const std::vector<bool>& shown, const Meant& target,
                        const Run& run, size_t most) {
  return EffectFinder(hops, target).find(run, shown, most);
}

}  // namespace xtrace
