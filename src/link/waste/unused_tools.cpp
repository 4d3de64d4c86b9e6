#include <algorithm>
#include <set>

#include "link/activities/output_estimate.h"
#include "link/waste/waste_search.h"

namespace xtrace {

namespace {

constexpr size_t kFewestCalls = 5;      // fewer show nothing of what is needed
constexpr int64_t kFewestTokens = 300;  // that each request carries for nothing

class OfferFinder {
 public:
  explicit OfferFinder(WasteSearch& search) : search_(search) {}

  void look_at(const Conversation& conversation) {
    std::vector<CallId> offering;
    used_.clear();
    offered_ = 0;
    for (CallId id : conversation.calls) {
      for (const Activity& tool : search_.graph.activities().tools_of(id)) used_.insert(tool.tool);
      const Call& call = search_.graph.trace()[id];
      if (call.tools != 0 && !call.in_transcript && search_.from.shown.shows(id))
        offering.push_back(id);
    }
    if (used_.empty() || offering.size() < kFewestCalls) return;
    Waste waste;
    waste.kind = WasteKind::unused_tools;
    waste.confidence = 0.8;
    waste.is_estimated = true;
    // To read all requests again takes long, so only where the first or the last one tells.
    const Offer first = offer_of(offering.front());
    if (std::max(first.tokens, offer_of(offering.back()).tokens) < kFewestTokens) return;
    std::set<std::string> noted;
    CallId last;
    for (CallId id : offering) {
      const Offer& offer = offer_of(id);
      // With another prompt and other tools, the client does something for itself: it sums up.
      if (prompt_of(id) != prompt_of(offering.front()) && offer.names != first.names) continue;
      if (offer.tokens < kFewestTokens) continue;
      for (const std::string& tool : offer.unused)
        if (noted.insert(tool).second) waste.tools.push_back(tool);
      ++waste.times;
      add_costs(id, offer.tokens, waste);
      if (!last) waste.evidence.push_back({id, {}, "offered"});
      last = id;
    }
    if (!last) return;
    if (waste.times > 1) waste.evidence.push_back({last, {}, "still offered"});
    search_.found.push_back(std::move(waste));
  }

 private:
  struct Offer {
    std::vector<std::string> names, unused;  ///< of tools; those that the conversation does not use
    int64_t tokens = 0;                      ///< of the unused ones
  };

  StringId prompt_of(CallId id) const { return search_.graph.trace()[id].system_prompt; }

  /// Most requests of a conversation offer the same tools, which are read again once.
  const Offer& offer_of(CallId id) {
    const Call& call = search_.graph.trace()[id];
    if (call.tools == offered_) return offer_;
    offered_ = call.tools;
    offer_ = {};
    Instructions instructions = search_.from.payloads->instructions(call);
    for (DeclaredTool& tool : instructions.tools) {
      if (!used_.contains(tool.name)) {
        offer_.unused.push_back(tool.name);
        offer_.tokens +=
            estimated_tokens(tool.name.size() + tool.description.size() + tool.schema.size());
      }
      offer_.names.push_back(std::move(tool.name));
    }
    return offer_;
  }

  /// Tools are at the beginning of a prompt.
  void add_costs(CallId id, int64_t tokens, Waste& waste) const {
    const Claims::Left left = search_.claims.left_of({0, tokens}, id);
    waste.tokens = sum_of_known({waste.tokens, left.tokens});
    if (tokens_sent(search_.graph.activities().of(id).tokens) >= tokens)
      waste.cost = sum_of_known({waste.cost, left.cost});
  }

  WasteSearch& search_;
  // Of the conversation at hand:
  std::set<std::string_view> used_;
  uint64_t offered_ = 0;  ///< whose offer is known, as Call::tools
  Offer offer_;
};

}  // namespace

void find_unused_tools(WasteSearch& search) {
  if (search.from.payloads == nullptr) return;
  OfferFinder finder(search);
  for (const Conversation& conversation : search.graph.conversations())
    finder.look_at(conversation);
}

}  // namespace xtrace
