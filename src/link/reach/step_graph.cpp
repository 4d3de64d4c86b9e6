#include "link/reach/step_graph.h"

#include <cmath>
#include <unordered_map>
#include <utility>

namespace xtrace {

namespace {

constexpr uint32_t kNone = CauseGraph::kNone;

StepEvidence evidence_of(LinkKind kind) {
  switch (kind) {
    case LinkKind::tool_result:
    case LinkKind::subagent_report: return StepEvidence::read;
    case LinkKind::subagent_spawn: return StepEvidence::spawned;
    case LinkKind::content_reuse: return StepEvidence::reused;
    case LinkKind::file_handoff: return StepEvidence::written;
    case LinkKind::sequential: return StepEvidence::inferred;
    default: return StepEvidence::seen;
  }
}

/// Does a tool use lead to the target? A report comes from the subagent itself.
bool goes_through_use(const Link& link) {
  return link.key && row_of(link.kind).through_use;
}

class CallSteps {
 public:
  CallSteps(const Graph& graph, const std::vector<bool>& shown, std::span<const uint32_t> links,
            std::span<const Link> adjusted)
      : graph_(graph), of_call_(shown.size(), kNone) {
    std::vector<const Link*> all;
    all.reserve(links.size() + adjusted.size());
    for (uint32_t i : links) all.push_back(&graph.links()[i]);
    for (const Link& link : adjusted) all.push_back(&link);
    // A link may name a tool use that its call is not known to have asked for.
    std::unordered_map<uint32_t, std::vector<StringId>> named;
    for (const Link* link : all)
      if (goes_through_use(*link)) named[link->from.index].push_back(link->key);
    steps_.links.emplace_back();
    for (CallId call : graph.timeline().in_order()) {
      if (!shown[call.index]) continue;
      of_call_[call.index] = add({.call = call});
      nth_ = 0;
      for (const Activity& tool : graph.activities().tools_of(call))
        add_use(call, tool.use->id, &tool);
      if (const auto more = named.find(call.index); more != named.end())
        for (StringId use : more->second) add_use(call, use, nullptr);
    }
    for (const Link* link : all) add_link(*link);
    const size_t count = steps_.steps.size();
    steps_.causes = CauseGraph(count, std::move(links_));
  }

  StepGraph taken() { return std::move(steps_); }

 private:
  uint32_t add(const GraphStep& step) {
    steps_.steps.push_back(step);
    return static_cast<uint32_t>(steps_.steps.size() - 1);
  }

  static uint64_t key_of(CallId call, StringId use) {
    return uint64_t{call.index} << 32U | use.index;
  }

  void add_use(CallId call, StringId use, const Activity* tool) {
    auto [at, is_new] = of_use_.try_emplace(key_of(call, use), 0);
    if (!is_new && use) return;  // without an id, each is one of its own
    at->second = add(
        {.kind = GraphStep::Kind::tool_use, .call = call, .use = use, .tool = tool, .nth = ++nth_});
    lead(of_call_[call.index], at->second, 1, 0);
  }

  void lead(uint32_t from, uint32_t to, double confidence, uint32_t row) {
    links_.push_back(
        {from, to, confidence, row, static_cast<uint8_t>(steps_.links[row].evidence())});
  }

  void add_link(const Link& link) {
    const uint32_t from = of_call_[link.from.index], to = of_call_[link.to.index];
    const auto row = static_cast<uint32_t>(steps_.links.size());
    steps_.links.push_back({.link = &link});
    const bool through = goes_through_use(link);
    lead(through ? step_of(link.from, link.key) : from, to, confidence(link), row);
    for (const Alternative& other : graph_.alternatives(link)) {
      uint32_t rival = of_call_[other.from.index];
      if (rival == kNone) continue;
      if (through && other.tool_use)
        rival = step_of(other.from, graph_.trace().tool_uses[other.tool_use.index].id);
      if (rival != kNone) steps_.rivals.push_back({rival, to, other.confidence, row});
    }
  }

  uint32_t step_of(CallId call, StringId use) {
    const auto at = of_use_.find(key_of(call, use));
    return at == of_use_.end() ? of_call_[call.index] : at->second;
  }

  const Graph& graph_;
  std::vector<uint32_t> of_call_;                  ///< by call
  std::unordered_map<uint64_t, uint32_t> of_use_;  ///< by call and id
  std::vector<CauseLink> links_;
  StepGraph steps_;
  uint32_t nth_ = 0;
};

}  // namespace

std::string_view StepLink::type() const {
  if (link != nullptr) return word(link->kind);
  return edge != nullptr ? cause_word(*edge) : kAskedWord;
}

std::string_view StepLink::method() const {
  if (link != nullptr) return word(link->rule);
  return edge != nullptr ? word(edge->rule) : std::string_view();
}

StepEvidence StepLink::evidence() const {
  if (link != nullptr) return evidence_of(link->kind);
  if (edge == nullptr) return StepEvidence::asked;
  return edge->is_recorded() ? StepEvidence::recorded : StepEvidence::inferred;
}

StepGraph steps_of_calls(const Graph& graph, const std::vector<bool>& shown,
                         std::span<const uint32_t> links, std::span<const Link> adjusted) {
  return CallSteps(graph, shown, links, adjusted).taken();
}

StepGraph steps_of_hops(const Hops& hops, const std::vector<bool>& shown,
                        const std::vector<bool>& edges) {
  StepGraph graph;
  std::vector<uint32_t> of_hop(hops.all.size(), kNone);
  for (size_t i = 0; i < hops.all.size(); ++i) {
    if (!shown[i]) continue;
    of_hop[i] = static_cast<uint32_t>(graph.steps.size());
    graph.steps.push_back({.kind = GraphStep::Kind::hop, .hop = HopId(i)});
  }
  graph.links.emplace_back();
  std::vector<CauseLink> links;
  for (size_t i = 0; i < hops.edges.size(); ++i) {
    if (!edges[i]) continue;
    const HopEdge& edge = hops.edges[i];
    const auto row = static_cast<uint32_t>(graph.links.size());
    graph.links.push_back({.edge = &edge});
    // As the graph prints it, so that each figure can be computed again from that.
    const double confidence = std::round(edge.confidence * 1000) / 1000;
    links.push_back({of_hop[edge.from.index], of_hop[edge.to.index], confidence, row,
                     static_cast<uint8_t>(graph.links.back().evidence())});
    const Hop& hop = hops[edge.to];
    if (edge.from != hop.cause) continue;
    for (const Rival<HopId>& other : hops.alternatives_of(hop))
      if (const uint32_t rival = of_hop[other.from.index]; rival != kNone)
        graph.rivals.push_back({rival, of_hop[edge.to.index], other.confidence, row});
  }
  graph.causes = CauseGraph(graph.steps.size(), std::move(links));
  return graph;
}

}  // namespace xtrace
