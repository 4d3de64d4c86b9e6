#include "link/hops/begun_early.h"

#include <algorithm>
#include <map>
#include <utility>

namespace xtrace {

std::vector<HopId> find_begun_early(const Hops& hops) {
  std::map<std::pair<uint32_t, ActorId>, Time> first_called;
  for (const Hop& hop : hops.all) {
    if (!hop.to || hop.start == kNoTime) continue;
    const auto [at, is_new] = first_called.try_emplace({hop.run, hop.to}, hop.start);
    if (!is_new) at->second = std::min(at->second, hop.start);
  }
  std::vector<HopId> found;
  for (size_t i = 0; i < hops.all.size(); ++i) {
    const Hop& hop = hops.all[i];
    if (!hops.lacks_cause(hop) || hop.missing_parent || hop.sent == kNoTime) continue;
    const auto first = first_called.find({hop.run, hop.from});
    if (first != first_called.end() && hop.sent < first->second) found.emplace_back(i);
  }
  return found;
}

}  // namespace xtrace
