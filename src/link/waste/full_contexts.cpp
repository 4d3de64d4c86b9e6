#include <algorithm>

#include "link/waste/waste_search.h"
#include "prices/model_maker.h"

namespace xtrace {

namespace {

constexpr double kFull = 0.8;

/// How much of its window a call filled; 0: nobody knows.
double share_of(const Activity& call) {
  const int64_t sent = most_sent(call.tokens);
  if (sent <= 0 || call.outcome == Outcome::error || call.model.empty()) return 0;
  const int64_t limit = window_of_call(call.model, call.context_limit, sent);
  return limit > 0 ? static_cast<double>(sent) / static_cast<double>(limit) : 0;
}

}  // namespace

void find_full_contexts(WasteSearch& search) {
  for (const Conversation& conversation : search.graph.conversations()) {
    Waste waste;
    waste.kind = WasteKind::full_context;
    CallId fullest, first;
    bool is_beyond = false;  // so it has a longer one all the time
    for (CallId id : conversation.calls) {
      const Activity& call = search.graph.activities().of(id);
      is_beyond |=
          call.context_limit <= 0 && most_sent(call.tokens) > context_window(call.model).standard;
      const double share = share_of(call);
      if (share < kFull || !search.from.shown.shows(id)) continue;
      if (!first) first = id;
      ++waste.times;
      if (share > waste.share) waste.share = share, fullest = id;
    }
    if (!first || is_beyond) continue;
    waste.confidence = search.graph.activities().of(first).context_limit > 0 ? 0.95 : 0.8;
    waste.evidence.push_back({first, {}, "first above 80 %"});
    if (fullest != first) waste.evidence.push_back({fullest, {}, "fullest"});
    search.found.push_back(std::move(waste));
  }
}

}  // namespace xtrace
