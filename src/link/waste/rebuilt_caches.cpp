#include <map>

#include "link/waste/waste_search.h"

namespace xtrace {

void find_rebuilt_caches(WasteSearch& search) {
  std::map<std::pair<uint32_t, RebuildCause>, Waste> by_cause;  // of a conversation
  for (const CacheRebuild& one : search.from.rebuilds) {
    Waste& waste = by_cause[{search.graph.conversation_of(one.call).number, one.cause}];
    waste.kind = WasteKind::cache_rebuild;
    waste.cause = one.cause;
    waste.confidence = one.cause == RebuildCause::unknown ? 0.7 : 0.95;
    ++waste.times;
    waste.tokens = sum_of_known({waste.tokens, one.tokens()});
    waste.cost = sum_of_known({waste.cost, one.cost});
    waste.evidence.push_back({one.call, {}, "rebuilt"});
  }
  for (auto& [key, waste] : by_cause) search.found.push_back(std::move(waste));
}

}  // namespace xtrace
