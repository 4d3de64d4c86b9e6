#include "link/calls/lineage.h"

namespace xtrace {

Lineage::Lineage(const Timeline& timeline, const Findings& findings)
    : at_(timeline.trace().calls.size()) {
  for (const Link& link : findings.links)
    if ((link.kind == LinkKind::continuation || link.kind == LinkKind::retry) &&
        timeline.before(link.from, link.to))
      at_[link.to.index].previous = link.from;
  std::vector<bool> continued(at_.size());
  for (CallId id : timeline.in_order()) {
    Place& place = at_[id.index];
    const Place* before = place.previous ? &at_[place.previous.index] : nullptr;
    place.depth = before != nullptr ? before->depth + 1 : 0;
    if (before != nullptr && !continued[place.previous.index]) {
      continued[place.previous.index] = true;
      place.branch = before->branch;
      continue;
    }
    place.branch = static_cast<uint32_t>(branches_.size());
    branches_.push_back(before != nullptr ? Branch{before->branch, before->depth} : Branch{});
  }
}

bool Lineage::leads_to(CallId earlier, CallId call) const {
  bool leads = false;
  bool is_open = go_back(call, [&](uint32_t branch, uint32_t depth) {
    if (branch != branch_of(earlier)) return true;
    leads = depth_of(earlier) <= depth;
    return false;
  });
  return leads || is_open;
}

}  // namespace xtrace
