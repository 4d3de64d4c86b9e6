#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <unordered_map>

#include "base/union_find.h"
#include "base/user_id.h"
#include "link/graph/graph.h"
#include "link/graph/queries.h"
#include "link/graph/resource.h"
#include "link/hops/hops.h"

namespace xtrace {

namespace {

class CallHopBuilder {
 public:
  explicit CallHopBuilder(const Graph& graph)
      : graph_(graph),
        entry_of_(graph.agents().size()),
        begun_by_(graph.agents().size()),
        caused_(graph.agents().size()) {}

  Hops collect() {
    for (const Session& session : graph_.sessions()) {
      std::string_view id =
          session.id ? graph_.trace()[session.id] : word(fmt::format("s{}", session.number));
      ActorId principal;
      if (session.user)
        principal = hops_.actor(fmt::format("user:{}", user_name_in(graph_.trace()[session.user])));
      hops_.runs.push_back({id, principal, {}});
    }
    // Who was spawned is known before what they did: the causes of hops are found in this order.
    for (size_t i = 0; i < entry_of_.size(); ++i) add_entry(i);
    for (size_t i = 0; i < entry_of_.size(); ++i) cause_entry(i);
    for (const Conversation& conversation : graph_.conversations())
      for (CallId id : conversation.calls) add_uses(id);
    sort();
    return std::move(hops_);
  }

 private:
  std::string_view word(const std::string& text) { return hops_.words[hops_.words.intern(text)]; }

  ActorId agent_of(CallId id) { return hops_.actor("agent:" + graph_.agent_of(id).type); }
  uint32_t run_of(CallId id) const { return graph_.session_of(id).number - 1; }

  StringId kind_of(const Hop& hop) {
    // Who begins a conversation is a principal, on record or not.
    Actor::Type caller = hop.from ? hops_[hop.from].type : Actor::Type::principal;
    return hops_.words.intern(kind_between(caller, hops_[hop.to].type));
  }

  /// The hop by which an agent began: a user's, or that of the call that started it.
  void add_entry(size_t i) {
    const Agent& agent = graph_.agents()[i];
    CallId first = agent.calls.front();
    const Call& call = graph_.timeline()[first];
    const Link* spawn = begun_by_[i] = beginning_of(graph_, agent);
    Hop hop;
    hop.run = run_of(first);
    hop.from = spawn != nullptr ? agent_of(spawn->from) : hops_.runs[hop.run].principal;
    hop.to = agent_of(first);
    hop.kind = kind_of(hop);
    if (spawn != nullptr && spawn->tool_use)
      hop.tool = graph_.trace().tool_uses[spawn->tool_use.index].name;
    hop.start = call.start;
    Time end = call.end();
    for (CallId id : agent.calls) {
      end = std::max(end, graph_.timeline()[id].end());
      hop.outcome = graph_.timeline()[id].outcome;  // a failure that was tried again is none
    }
    hop.duration = elapsed(hop.start, end);
    hop.id = call.id;
    hop.at = call.source;
    hop.rule = Rule::linked;
    entry_of_[i] = HopId(hops_.all.size());
    hops_.all.push_back(hop);
  }

  void cause_entry(size_t i) {
    const Link* spawn = begun_by_[i];
    if (spawn == nullptr) return;
    Hop& hop = hops_.all[entry_of_[i].index];
    HopId cause = entry_of_[graph_.agent_index_of(spawn->from)];
    const uint32_t own = entry_of_[i].index;
    // A resumed agent spawned by what it spawned itself: a hop without a cause is the first of all
    // that are joined with it.
    if (caused_.find(own) == caused_.find(cause.index)) return;
    caused_.join(cause.index, own);
    hop.cause = cause;
    hop.confidence = confidence_in_calls(*spawn);
  }

  void add_uses(CallId id) {
    const Call& call = graph_.timeline()[id];
    // An answer may have thousands of tool uses.
    std::unordered_map<uint32_t, std::vector<const Link*>> links;
    for (uint32_t i : graph_.effects_of(id))
      if (const Link& link = graph_.links()[i]; link.tool_use)
        links[link.tool_use.index].push_back(&link);
    for (const Activity& done : graph_.activities().tools_of(id)) {
      const ToolUse* use = done.use;
      Hop hop;
      hop.run = run_of(id);
      hop.from = agent_of(id);
      hop.tool = use->name;
      hop.start = done.start;
      hop.id = use->id ? use->id : call.id;
      hop.at = call.source;
      hop.cause = entry_of_[graph_.agent_index_of(id)];
      hop.rule = Rule::linked;
      hop.outcome = done.outcome;
      hop.duration = done.duration;
      bool spawned = false;
      for (const Link* link : links[graph_.timeline().id_of(*use).index])
        spawned |= link->kind == LinkKind::subagent_spawn && link->rule != Rule::tool_argument;
      for (const std::string& resource : resources_of(graph_.trace(), *use)) {
        hop.to = hops_.actor(resource);
        hop.kind = kind_of(hop);
        if (!spawned) hops_.all.push_back(hop);  // what it reached is an agent
      }
    }
  }

  /// By run and time, causes before effects of the same moment.
  void sort() {
    std::vector<uint32_t> order(hops_.all.size()), place(order.size());
    std::iota(order.begin(), order.end(), 0u);
    std::stable_sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) {
      const Hop &x = hops_.all[a], &y = hops_.all[b];
      return std::tuple(x.run, x.start) < std::tuple(y.run, y.start);
    });
    for (uint32_t i = 0; i < order.size(); ++i) place[order[i]] = i;
    std::vector<Hop> sorted;
    sorted.reserve(order.size());
    std::vector<uint32_t> taken(graph_.trace().strings.size());
    for (uint32_t at : order) {
      Hop hop = hops_.all[at];
      if (hop.cause) hop.cause = HopId(place[hop.cause.index]);
      hop.sent = hop.start;
      hop.waited = hop.duration;
      if (hop.id) hop.nth = ++taken[hop.id.index];
      hops_.runs[hop.run].hops.emplace_back(sorted.size());
      sorted.push_back(hop);
    }
    hops_.all = std::move(sorted);
  }

  const Graph& graph_;
  Hops hops_;
  std::vector<HopId> entry_of_;        ///< by agent
  std::vector<const Link*> begun_by_;  ///< by agent; null: a user began it
  UnionFind caused_;                   ///< entries, by their causes
};

}  // namespace

Hops hops_of_calls(const Graph& graph) {
  Hops hops = CallHopBuilder(graph).collect();
  hops.list_edges();
  return hops;
}

}  // namespace xtrace
