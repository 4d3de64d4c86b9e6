#include <fmt/format.h>

#include "link/hops/span_linkers.h"

namespace xtrace {

namespace {

using Role = GenAi::Role;

/// In whose hands a span is.
struct Hands {
  ActorId actor;  ///< that is at work; nowhere: not on record
  HopId agent;    ///< the run of that agent; nowhere: none is around
  HopId tool;     ///< the run of a tool of that agent around it
};

/// A span that is neither an agent's run nor a tool's is in the hands that its parent is in. The
/// spans of a service between its entry and the run of an agent are but the agent's house: who
/// called there, called the agent.
class Naming {
 public:
  Naming(const Trace& trace, Hops& hops, std::vector<bool>& named)
      : trace_(trace),
        hops_(hops),
        named_(named),
        hands_(hops.all.size()),
        is_house_(hops.all.size()),
        leads_on_(hops.all.size()) {}

  void name() {
    if (trace_.gen_ai.empty()) return;
    for (const Hop& hop : hops_.all)
      if (hop.cause) leads_on_[hop.cause.index] = true;
    users_.resize(hops_.runs.size());
    for (size_t i = 0; i < hops_.runs.size(); ++i)
      if (tells_of_agents(hops_.runs[i])) choose(i);
    for (size_t i = 0; i < hops_.all.size(); ++i)
      if (named_[i] && role_of(HopId(i)) == Role::agent) mark_house(hops_[HopId(i)]);
    std::vector<bool> done(hops_.all.size());
    std::vector<HopId> way;
    for (size_t i = 0; i < hops_.all.size(); ++i) {
      // Where clocks differ a cause may stand behind its effect; chains may be as long as the
      // input.
      for (HopId at(i); at && named_[at.index] && !done[at.index]; at = hops_[at].cause) {
        way.push_back(at);
        done[at.index] = true;
      }
      for (; !way.empty(); way.pop_back()) name_hop(way.back());
    }
  }

 private:
  const Span& span_of(const Hop& hop) const { return trace_[hop.span]; }
  const GenAi& told(HopId id) const {
    static const GenAi kNothing;
    GenAiId told = span_of(hops_[id]).gen_ai;
    return told ? trace_[told] : kNothing;
  }
  Role role_of(HopId id) const { return told(id).role; }

  bool tells_of_agents(const Run& run) const {
    bool any = false;
    for (HopId id : run.hops) {
      const Hop& hop = hops_[id];
      // Tags say who called whom.
      if (span_of(hop).run || hop.from || hop.to || span_of(hop).told) return false;
      any |= role_of(id) == Role::agent || role_of(id) == Role::tool;
    }
    return any;
  }

  void choose(size_t run) {
    StringId user;
    for (HopId id : hops_.runs[run].hops) {
      named_[id.index] = true;
      if (!user) user = span_of(hops_[id]).principal;
    }
    users_[run] = hops_.actor(fmt::format("user:{}", user ? trace_[user] : "unknown"));
  }

  bool is_of_one_service(const Hop& hop, const Hop& other) const {
    StringId a = span_of(hop).service, b = span_of(other).service;
    return !a || !b || a == b;
  }

  void mark_house(const Hop& agent) {
    const Hop* at = &agent;
    for (HopId id = at->cause; id && named_[id.index] && !is_house_[id.index];
         id = hops_[id].cause) {
      bool is_actor = role_of(id) == Role::agent || role_of(id) == Role::tool;
      if (is_actor || !is_of_one_service(*at, hops_[id])) return;
      is_house_[id.index] = true;
      at = &hops_[id];
    }
  }

  ActorId agent(StringId name) {
    return hops_.actor(fmt::format("agent:{}", name ? trace_[name] : "unknown"));
  }
  ActorId resource(std::string_view kind, StringId name) {
    return hops_.actor(fmt::format("resource:{}{}", kind, trace_[name]));
  }

  void call(Hop& hop, ActorId from, ActorId to) {
    hop.from = from;
    hop.to = to;
    // Whoever a span names as its parent is no user.
    Actor::Type unknown = span_of(hop).parents > 0 ? Actor::Type::agent : Actor::Type::principal;
    Actor::Type caller = from ? hops_[from].type : unknown;
    hop.kind = hops_.words.intern(kind_between(caller, hops_[to].type));
  }

  void name_hop(HopId id) {
    Hop& hop = hops_.all[id.index];
    bool is_root = !hop.cause || !named_[hop.cause.index];
    Hands hands = is_root ? Hands() : hands_[hop.cause.index];
    // Whoever names no parent at all was asked by the user.
    ActorId user = span_of(hop).parents == 0 ? users_[hop.run] : ActorId();
    switch (role_of(id)) {
      case Role::agent: enter_agent(id, is_root ? user : hands.actor, hands); break;
      case Role::tool: use_tool(id, hands); break;
      default:
        if (!is_house_[id.index]) {
          work(id, is_root, hands);
          break;
        }
        if (is_root) hands.actor = user;
        hop.from = hands.actor;
        break;
    }
    hands_[id.index] = hands;
  }

  void enter_agent(HopId id, ActorId from, Hands& hands) {
    Hop& hop = hops_.all[id.index];
    ActorId self = agent(told(id).agent);
    bool is_told_twice = hands.agent && !hands.tool && hands.actor == self;
    if (is_told_twice) {
      hop.from = self;
      return;
    }
    ActorId caller = told(id).caller ? agent(told(id).caller) : ActorId();
    call(hop, caller && caller != self ? caller : from, self);
    if (hands.tool) {  // what the tool reached is this agent
      Hop& tool = hops_.all[hands.tool.index];
      hop.tool = tool.tool;
      tool.to = {};
      tool.kind = {};
    }
    hands = {self, id, {}};
  }

  void use_tool(HopId id, Hands& hands) {
    Hop& hop = hops_.all[id.index];
    StringId name = told(id).tool;
    bool is_told_twice = hands.tool && told(hands.tool).tool == name;
    if (!hands.agent && told(id).agent) hands.actor = agent(told(id).agent);
    if (!hands.actor || hops_[hands.actor].type == Actor::Type::principal)
      hands.actor = agent(span_of(hop).service);
    hop.tool = name;
    if (is_told_twice) {
      hop.from = hands.actor;
      return;
    }
    call(hop, hands.actor, resource("tool:", name));
    hands.tool = id;
  }

  /// Who does what a span tells: the agent at work, else the service.
  ActorId worker(HopId id, const Hands& hands) {
    bool is_agent = hands.actor && hops_[hands.actor].type != Actor::Type::principal;
    return is_agent ? hands.actor : agent(span_of(hops_[id]).service);
  }

  /// As name_services() does it, but that agents may be at work.
  void work(HopId id, bool is_root, Hands& hands) {
    Hop& hop = hops_.all[id.index];
    const Span& span = span_of(hop);
    if (is_root || !is_of_one_service(hop, hops_[hop.cause])) {
      ActorId self = agent(span.service);
      if (hands.tool) hop.tool = told(hands.tool).tool;
      call(hop, is_root ? ActorId() : worker(hop.cause, hands), self);
      hands = {self, {}, {}};
      return;
    }
    hop.from = worker(id, hands);
    bool calls_out = span.kind == SpanKind::client || span.kind == SpanKind::producer;
    if (role_of(id) == Role::retrieval && told(id).searched)
      call(hop, hop.from, resource("", told(id).searched));
    else if (calls_out && !leads_on_[id.index] && (span.peer || role_of(id) != Role::model))
      call(hop, hop.from, resource("", span.peer ? span.peer : span.operation));
    if (hop.to && hands.tool) hop.tool = told(hands.tool).tool;
  }

  const Trace& trace_;
  Hops& hops_;
  std::vector<bool>& named_;
  std::vector<Hands> hands_;
  std::vector<bool> is_house_, leads_on_;
  std::vector<ActorId> users_;  ///< by run
};

}  // namespace

void name_agents(const Trace& trace, Hops& hops, std::vector<bool>& named) {
  Naming(trace, hops, named).name();
}

}  // namespace xtrace
