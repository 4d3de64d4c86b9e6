#include "link/hops/callbacks.h"

#include <algorithm>
#include <chrono>
#include <set>
#include <tuple>

namespace xtrace {

namespace {

/// Who calls somebody and is called in turn by somebody of whom the same holds. Without circles of
/// calls there are none.
std::vector<bool> in_circles(const Hops& hops) {
  std::set<std::pair<ActorId, ActorId>> calls;
  std::vector<ActorId> last_called(hops.actors.size());  // spares most of the look-ups
  for (const Hop& hop : hops.all) {
    if (!hop.from || !hop.to || hop.cause || last_called[hop.from.index] == hop.to) continue;
    calls.emplace(hop.from, hop.to);
    last_called[hop.from.index] = hop.to;
  }
  for (bool shrinks = true; shrinks;) {
    std::vector<bool> calls_out(hops.actors.size()), is_called(hops.actors.size());
    for (auto [from, to] : calls) calls_out[from.index] = is_called[to.index] = true;
    shrinks = std::erase_if(calls, [&](const auto& one) {
                return !is_called[one.first.index] || !calls_out[one.second.index];
              }) > 0;
  }
  std::vector<bool> found(hops.actors.size());
  for (auto [from, to] : calls) found[from.index] = found[to.index] = true;
  return found;
}

class CallbackSearch {
 public:
  CallbackSearch(const Hops& hops, const std::vector<bool>& in_circle)
      : hops_(hops), into_(hops.actors.size()) {
    for (size_t i = 0; i < hops.all.size(); ++i) {
      const Hop& hop = hops.all[i];
      bool is_timed = hop.start != kNoTime && hop.duration != kNoDuration;
      if (is_timed && hop.to && in_circle[hop.to.index]) into_[hop.to.index].emplace_back(i);
    }
  }

  HopId waiting_for(HopId callback) const {
    constexpr int kDeepest = 64;  // agents between a call and the one back
    HopId at = callback;
    for (int depth = 0; depth < kDeepest; ++depth) {
      at = innermost_around(at);
      if (!at || !hops_[at].from) return {};
      if (hops_[at].from == hops_[callback].to) return innermost_around(at);
    }
    return {};
  }

 private:
  /// The call into the actor that made a hop which lies around it, of several the last one; nowhere
  /// too where two of them overlap, as then either may have made it.
  HopId innermost_around(HopId id) const {
    constexpr Duration kSlack = std::chrono::microseconds(200);
    constexpr size_t kLooked = 64;
    const Hop& inner = hops_[id];
    if (!inner.from || inner.sent == kNoTime || inner.waited == kNoDuration) return {};
    const std::vector<HopId>& all = into_[inner.from.index];
    auto behind = std::partition_point(all.begin(), all.end(), [&](HopId one) {
      return std::tuple(hops_[one].run, hops_[one].start) <=
             std::tuple(inner.run, inner.sent + kSlack);
    });
    HopId found;
    for (size_t looked = 0; looked < kLooked && behind != all.begin(); ++looked) {
      const HopId one = *--behind;
      if (hops_[one].run != inner.run) break;
      bool differ =
          hops_[one].principal && inner.principal && hops_[one].principal != inner.principal;
      bool is_around = hops_[one].end() + kSlack >= after(inner.sent, inner.waited);
      if (one == id || differ || !is_around) continue;
      if (found && hops_[one].end() < hops_[found].end()) return {};
      if (!found) found = one;
    }
    return found;
  }

  const Hops& hops_;
  std::vector<std::vector<HopId>> into_;  ///< by actor, in the order of the hops
};

}  // namespace

std::vector<HopId> find_callbacks(const Hops& hops) {
  std::vector<bool> in_circle = in_circles(hops);
  if (std::find(in_circle.begin(), in_circle.end(), true) == in_circle.end()) return {};
  CallbackSearch search(hops, in_circle);
  std::vector<HopId> found(hops.all.size());
  for (size_t i = 0; i < hops.all.size(); ++i) {
    const Hop& hop = hops.all[i];
    if (!hop.cause && hop.from && hop.to && in_circle[hop.from.index] && in_circle[hop.to.index])
      found[i] = search.waiting_for(HopId(i));
  }
  return found;
}

}  // namespace xtrace
