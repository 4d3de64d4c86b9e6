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
    for (CallId id : conversation.calls) {
      for (const Activity& tool : search_.graph.activities().tools_of(id)) used_.insert(tool.tool);
      const Call& call = search_.graph.trace()[id];
      if (call.offers_tools && !call.in_transcript && search_.from.shown.shows(id))
        offering.push_back(id);
    }
    if (used_.empty() || offering.size() < kFewestCalls) return;
    Waste waste;
    waste.kind = WasteKind::unused_tools;
    waste.confidence = 0.8;
    waste.is_estimated = true;
    // To read all requests again takes long, so only where the first or the last one tells.
    const std::vector<DeclaredTool> first = tools_of(offering.front());
    if (std::max(tokens_of(unused_of(first)), tokens_of(unused_of(tools_of(offering.back())))) <
        kFewestTokens)
      return;
    std::set<std::string> noted;
    CallId last;
    for (CallId id : offering) {
      const std::vector<DeclaredTool> tools = tools_of(id);
      // With another prompt and other tools, the client does something for itself: it sums up.
      if (prompt_of(id) != prompt_of(offering.front()) && names(tools) != names(first)) continue;
      const std::vector<DeclaredTool> unused = unused_of(tools);
      const int64_t tokens = tokens_of(unused);
      if (tokens < kFewestTokens) continue;
      for (const DeclaredTool& tool : unused)
        if (noted.insert(tool.name).second) waste.tools.push_back(tool.name);
      ++waste.times;
      add_costs(id, tokens, waste);
      if (!last) waste.evidence.push_back({id, {}, "offered"});
      last = id;
    }
    if (!last) return;
    if (waste.times > 1) waste.evidence.push_back({last, {}, "still offered"});
    search_.found.push_back(std::move(waste));
  }

 private:
  StringId prompt_of(CallId id) const { return search_.graph.trace()[id].system_prompt; }

  std::vector<DeclaredTool> tools_of(CallId id) const {
    return search_.from.payloads->instructions(search_.graph.trace()[id]).tools;
  }
  static std::vector<std::string> names(const std::vector<DeclaredTool>& tools) {
    std::vector<std::string> names;
    names.reserve(tools.size());
    for (const DeclaredTool& tool : tools) names.push_back(tool.name);
    return names;
  }

  std::vector<DeclaredTool> unused_of(std::vector<DeclaredTool> tools) const {
    std::erase_if(tools, [&](const DeclaredTool& tool) { return used_.contains(tool.name); });
    return tools;
  }
  static int64_t tokens_of(const std::vector<DeclaredTool>& tools) {
    int64_t tokens = 0;
    for (const DeclaredTool& tool : tools)
      tokens += estimated_tokens(tool.name.size() + tool.description.size() + tool.schema.size());
    return tokens;
  }

  /// Tools are at the beginning of a prompt.
  void add_costs(CallId id, int64_t tokens, Waste& waste) const {
    const Claims::Left left = search_.claims.left_of({0, tokens}, id);
    waste.tokens = sum_of_known({waste.tokens, left.tokens});
    if (tokens_sent(search_.graph.activities().of(id).tokens) >= tokens)
      waste.cost = sum_of_known({waste.cost, left.cost});
  }

  WasteSearch& search_;
  std::set<std::string_view> used_;  ///< in the conversation at hand
};

}  // namespace

void find_unused_tools(WasteSearch& search) {
  if (search.from.payloads == nullptr) return;
  OfferFinder finder(search);
  for (const Conversation& conversation : search.graph.conversations())
    finder.look_at(conversation);
}

}  // namespace xtrace
