#include "link/ledger/ledger.h"

#include <algorithm>

namespace xtrace {

const UnplacedUsage* Ledger::of(HopId hop) const {
  const auto found = by_hop_.find(hop.index);
  return found == by_hop_.end() ? nullptr : &unplaced[found->second];
}

void Ledger::order_by_hop() {
  std::sort(unplaced.begin(), unplaced.end(),
            [](const UnplacedUsage& a, const UnplacedUsage& b) { return a.hop < b.hop; });
  for (size_t i = 0; i < unplaced.size(); ++i) by_hop_.emplace(unplaced[i].hop.index, i);
}

}  // namespace xtrace
