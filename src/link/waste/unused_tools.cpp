#include <algorithm>
#include <set>

#include "link/activities/output_estimate.h"
#include "link/waste/waste_search.h"

namespace xtrace {

namespace {

constexpr size_t kFewestCalls = 5;      // fewer tell nothing of what is needed
constexpr int64_t kFewestTokens = 300;  // that each request carries in vain

class OfferFinder {
 public:
  explicit OfferFinder(WasteSearch& search) : search_(search) {}

  void look_at(const Conversation& conversation) {
    std::vector<CallId> offering;
    std::set<std::string_view> used;
    for (CallId id : conversation.calls) {
      for (const Activity& tool : search_.graph.activities().tools_of(id)) used.insert(tool.tool);
      const Call& call = search_.graph.trace()[id];
      if (call.offers_tools && !call.in_transcript && search_.from.shown.shows(id))
        offering.push_back(id);
    }
    if (used.empty() || offering.size() < kFewestCalls) return;
    // What all of them offer is told by the first one; clients do not change it in between, as that
    // would lose the cache, but where they change the prompt as well: to have it summed up.
    Waste waste;
    int64_t each = 0;
    const Call& first = search_.graph.trace()[offering.front()];
    const std::vector<DeclaredTool> offered = tools_of(first);
    std::erase_if(offering, [&](CallId id) {
      const Call& call = search_.graph.trace()[id];
      return call.system_prompt != first.system_prompt && names(tools_of(call)) != names(offered);
    });
    if (offering.size() < kFewestCalls) return;
    for (const DeclaredTool& tool : offered) {
      if (used.contains(tool.name)) continue;
      each += estimated_tokens(tool.name.size() + tool.description.size() + tool.schema.size());
      waste.tools.push_back(tool.name);
    }
    if (each < kFewestTokens) return;
    waste.kind = WasteKind::unused_tools;
    waste.confidence = 0.8;
    waste.times = static_cast<int64_t>(offering.size());
    waste.is_estimated = true;
    add_costs(offering, each, waste);
    waste.evidence.push_back({offering.front(), {}, "offered"});
    waste.evidence.push_back({offering.back(), {}, "still offered"});
    search_.found.push_back(std::move(waste));
  }

 private:
  std::vector<DeclaredTool> tools_of(const Call& call) const {
    return search_.from.payloads->instructions(call).tools;
  }
  static std::vector<std::string> names(const std::vector<DeclaredTool>& tools) {
    std::vector<std::string> names;
    names.reserve(tools.size());
    for (const DeclaredTool& tool : tools) names.push_back(tool.name);
    return names;
  }

  /// Tools stand at the beginning of a prompt.
  void add_costs(const std::vector<CallId>& calls, int64_t tokens, Waste& waste) const {
    for (CallId id : calls) {
      const Claims::Left left = search_.claims.left_of({0, tokens}, id);
      waste.tokens = sum_of_known({waste.tokens, left.tokens});
      if (tokens_sent(search_.graph.activities().of(id).tokens) >= tokens)
        waste.cost = sum_of_known({waste.cost, left.cost});
    }
  }

  WasteSearch& search_;
};

}  // namespace

void find_unused_tools(WasteSearch& search) {
  if (search.from.payloads == nullptr) return;
  OfferFinder finder(search);
  for (const Conversation& conversation : search.graph.conversations())
    finder.look_at(conversation);
}

}  // namespace xtrace
