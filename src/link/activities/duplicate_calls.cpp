#include "link/activities/duplicate_calls.h"

namespace xtrace {

std::vector<HopId> duplicate_calls(const Trace& trace, const Hops& hops) {
  std::vector<HopId> stands_for(hops.all.size());
  auto told_by = [&](HopId id) -> const GenAi* {
    const SpanId span = hops[id].span;
    return span && trace[span].gen_ai ? &trace[trace[span].gen_ai] : nullptr;
  };
  for (size_t i = 0; i < stands_for.size(); ++i) {
    const GenAi* inner = told_by(HopId(i));
    if (inner == nullptr || inner->role != GenAi::Role::model) continue;
    constexpr int kFurthest = 8;  // a request over HTTP and the like may stand between
    HopId at(i);
    for (int step = 0; step < kFurthest && hops[at].cause; ++step) {
      at = hops[at].cause;
      const GenAi* outer = told_by(at);
      if (outer == nullptr || outer->role == GenAi::Role::other) continue;
      if (outer->role != GenAi::Role::model) break;  // a tool or an agent asks for itself
      bool inner_counts = inner->tokens != Tokens() || outer->tokens == Tokens();
      if (inner_counts)
        stands_for[at.index] = HopId(i);
      else
        stands_for[i] = at;
      break;
    }
  }
  return stands_for;
}

}  // namespace xtrace
