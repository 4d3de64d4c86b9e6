#include "link/hops/callbacks.h"

#include <algorithm>
#include <chrono>
#include <set>
#include <tuple>

namespace xtrace {

namespace {

using CallPair = std::pair<ActorId, ActorId>;

/// Those who are at the `end` of no call of those who stay, one after the other.
void leave_out_ends(const std::set<CallPair>& calls, ActorId CallPair::*end,
                    ActorId CallPair::*other, std::vector<bool>& stays) {
  std::vector<uint32_t> left(stays.size());  // calls at whose end one is
  std::vector<std::vector<ActorId>> beyond(stays.size());
  for (const CallPair& call : calls) {
    if (!stays[call.first.index] || !stays[call.second.index]) continue;
    ++left[(call.*end).index];
    beyond[(call.*other).index].push_back(call.*end);
  }
  std::vector<uint32_t> out;
  for (uint32_t i = 0; i < stays.size(); ++i)
    if (stays[i] && left[i] == 0) out.push_back(i);
  while (!out.empty()) {
    const uint32_t at = out.back();
    out.pop_back();
    stays[at] = false;
    for (ActorId next : beyond[at])
      if (--left[next.index] == 0) out.push_back(next.index);
  }
}

/// Who calls somebody and is called in turn by somebody of whom the same holds. Without circles of
/// calls there are none.
std::vector<bool> in_circles(const Hops& hops) {
  std::set<CallPair> calls;
  std::vector<ActorId> last_called(hops.actors.size());  // spares most of the look-ups
  for (const Hop& hop : hops.all) {
    if (!hop.from || !hop.to || hop.cause || last_called[hop.from.index] == hop.to) continue;
    calls.emplace(hop.from, hop.to);
    last_called[hop.from.index] = hop.to;
  }
  std::vector<bool> found(hops.actors.size());
  for (auto [from, to] : calls) found[from.index] = found[to.index] = true;
  leave_out_ends(calls, &CallPair::first, &CallPair::second, found);
  leave_out_ends(calls, &CallPair::second, &CallPair::first, found);
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
    if (hops_[callback].from == hops_[callback].to) return innermost_around(callback);
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
