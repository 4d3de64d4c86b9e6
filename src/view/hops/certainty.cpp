#include "view/hops/certainty.h"

namespace xtrace {

void Certainty::add_link(const Hop& hop) {
  double sure = hop.confidence;
  // Of equals, that something was found says more than that something was recorded.
  if (!method || sure < least || (sure == least && !is_recorded(hop))) {
    method = hop.rule;
    least = sure;
  }
  confidence *= sure;
}

void Certainty::weaken(const Certainty& other) {
  bool incomplete = is_incomplete || other.is_incomplete, told = is_told || other.is_told;
  if (!method || other.confidence < confidence) *this = other;
  is_incomplete = incomplete;
  is_told = told;
}

void HopGroup::add(const Hops& all, HopId id) {
  const Hop& hop = all[id];
  hops.push_back(id);
  first = earliest_known(first, hop.start);
  last = std::max(last, hop.start);
  total = sum_of_known(total, hop.duration);
  errors += hop.outcome == Outcome::error;
}

Cell method(const Certainty& certainty) {
  return certainty.method ? Cell(Door::own(word(*certainty.method))) : Cell();
}

Cell other_causes(const HopScene& scene, std::span<const HopId> hops, CellArena& arena) {
  Table others = table_of<kOtherCauses>({});
  for (HopId id : hops)
    for (const Rival<HopId>& other : scene.hops.alternatives_of(scene.hops[id]))
      add_fields(kOtherCauses, {scene.name(id), scene.name(other.from), other.confidence}, others);
  return some(std::move(others), arena);
}

}  // namespace xtrace
