#include "link/activities/paid_again.h"

namespace xtrace {

PaidAgain find_paid_again(const Graph& graph, const Payloads* payloads, CallSizeMeter& said,
                          const ShownCalls& shown) {
  PaidAgain again{find_carried(graph, said, shown), find_cache_rebuilds(graph, payloads)};
  std::erase_if(again.carried, [&](const CarriedResult& one) { return !shown.shows(one.reader); });
  std::erase_if(again.rebuilds, [&](const CacheRebuild& one) { return !shown.shows(one.call); });
  return again;
}

}  // namespace xtrace
