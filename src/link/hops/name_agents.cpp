#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>

#include "base/lower.h"
#include "base/walk_up.h"
#include "facts/row_or_empty.h"
#include "link/hops/span_linkers.h"

namespace xtrace {

namespace {

using Role = GenAi::Role;

/// Who is at work where a span is.
struct AgentContext {
  ActorId actor;          ///< that is at work; nowhere: not on record
  HopId agent;            ///< the run of that agent; nowhere: none is around
  HopId tool;             ///< the run of a tool of that agent around it
  bool is_users = false;  ///< only the user is, who may not be on record
};

/// A span that is neither an agent's run nor a tool's has the context of its parent. The
/// spans of a service between its entry and the run of an agent only host the agent: who
/// called there, called the agent.
class SpanActorNamer {
 public:
  SpanActorNamer(const Trace& trace, Hops& hops, std::vector<bool>& named)
      : trace_(trace),
        hops_(hops),
        named_(named),
        contexts_(hops.all.size()),
        is_host_(hops.all.size()),
        leads_on_(hops.all.size()) {}

  void name() {
    if (trace_.gen_ai.empty()) return;
    users_.resize(hops_.runs.size());
    for (size_t i = 0; i < hops_.runs.size(); ++i)
      if (tells_of_agents(hops_.runs[i])) choose(i);
    for (auto [run, handover] : followed_) {
      Hop& hop = hops_.all[run.index];
      hop.cause = handover;
      hop.rule = Rule::follows_from;
      hop.missing_parent = {};
    }
    for (const Hop& hop : hops_.all)
      if (hop.cause) leads_on_[hop.cause.index] = true;
    for (size_t i = 0; i < hops_.all.size(); ++i)
      if (named_[i] && role_of(HopId(i)) == Role::agent) mark_hosts(hops_[HopId(i)]);
    // Where clocks differ, a cause may follow its effect.
    visit_top_down(
        hops_.all.size(),
        [this](size_t i) { return named_[i] ? hops_.all[i].cause.index : HopId::kNowhere; },
        [this](size_t i) {
          if (named_[i]) name_hop(HopId(i));
        });
  }

 private:
  const Span& span_of(const Hop& hop) const { return trace_[hop.span]; }
  const GenAi& gen_ai_of(HopId id) const { return row_or_empty(trace_, span_of(hops_[id]).gen_ai); }
  Role role_of(HopId id) const { return gen_ai_of(id).role; }

  bool tells_of_agents(const Run& run) const {
    bool any = false;
    for (HopId id : run.hops) {
      const Hop& hop = hops_[id];
      // Tags say who called whom.
      if (span_of(hop).run || hop.from || hop.to || span_of(hop).converted) return false;
      any |= role_of(id) == Role::agent || role_of(id) == Role::tool;
    }
    return any;
  }

  void choose(size_t run) {
    StringId user;
    std::map<std::string, HopId> handed;  // by agent that has not run since: what handed over to it
    for (HopId id : hops_.runs[run].hops) {
      named_[id.index] = true;
      if (!user) user = span_of(hops_[id]).principal;
      const GenAi& told = gen_ai_of(id);
      if (told.role == Role::other && told.agent && told.caller)
        handed[name_in_tool(told.agent)] = id;
      if (told.hands_to) handed[name_in_tool(told.hands_to)] = id;
      if (told.role != Role::agent) continue;
      if (const auto by = handed.extract(name_in_tool(told.agent))) follow(id, by.mapped());
    }
    if (user) users_[run] = hops_.principal(trace_[user]);
  }

  /// An agent's name as the name of a tool has it: `Billing Agent` is handed over to by
  /// `transfer_to_billing_agent`.
  std::string name_in_tool(StringId agent) const {
    std::string name = lower(trace_[agent]);
    std::ranges::replace_if(
        name, [](char c) { return c == ' ' || c == '-'; }, '_');
    return name;
  }

  /// Agents to which a conversation was handed run beside those that handed it over, not within:
  /// below the same span, which only wraps them and may still be open, or below none.
  void follow(HopId run, HopId handover) {
    const Hop& hop = hops_[run];
    // Runs may be nested without end, but what handed over is soon found.
    constexpr int kMostWrappers = 64;
    HopId at = handover;
    for (int i = 0; i < kMostWrappers && at != run; ++i) {
      if (hops_[at].cause == hop.cause && hops_[at].missing_parent == hop.missing_parent) {
        // No circles, whatever their clocks say.
        if (at < run) followed_.emplace_back(run, handover);
        return;
      }
      at = hops_[at].cause;
      if (!at) return;
    }
  }

  /// Who asked for a span that names no parent: whom it names, else the first user of the run;
  /// nowhere: nobody is on record.
  ActorId user_of(const Hop& hop) {
    if (span_of(hop).parents > 0) return {};
    StringId own = span_of(hop).principal;
    return own ? hops_.principal(trace_[own]) : users_[hop.run];
  }

  bool is_of_one_service(const Hop& hop, const Hop& other) const {
    StringId a = span_of(hop).service, b = span_of(other).service;
    return !a || !b || a == b;
  }

  void mark_hosts(const Hop& agent) {
    const Hop* at = &agent;
    for (HopId id = at->cause; id && named_[id.index] && !is_host_[id.index];
         id = hops_[id].cause) {
      bool is_actor = role_of(id) == Role::agent || role_of(id) == Role::tool;
      if (is_actor || !is_of_one_service(*at, hops_[id])) return;
      is_host_[id.index] = true;
      at = &hops_[id];
    }
  }

  ActorId agent(StringId name) {
    return hops_.actor(fmt::format("agent:{}", name ? trace_[name] : "unknown"));
  }
  ActorId resource(std::string_view kind, StringId name) {
    return hops_.actor(fmt::format("resource:{}{}", kind, trace_[name]));
  }

  void call(Hop& hop, ActorId from, ActorId to, bool is_users = false) {
    hop.from = from;
    hop.to = to;
    // Whoever a span names as its parent is no user.
    is_users |= span_of(hop).parents == 0;
    Actor::Type unknown = is_users ? Actor::Type::principal : Actor::Type::agent;
    Actor::Type caller = from ? hops_[from].type : unknown;
    hop.kind = hops_.words.intern(kind_between(caller, hops_[to].type));
  }

  void name_hop(HopId id) {
    Hop& hop = hops_.all[id.index];
    bool is_root = !hop.cause || !named_[hop.cause.index];
    AgentContext context = is_root ? AgentContext() : contexts_[hop.cause.index];
    ActorId user = user_of(hop);
    switch (role_of(id)) {
      case Role::agent: enter_agent(id, is_root ? user : context.actor, context); break;
      case Role::tool: use_tool(id, context); break;
      default:
        if (!is_host_[id.index]) {
          work(id, is_root, context);
          break;
        }
        if (is_root) context.actor = user, context.is_users = span_of(hop).parents == 0;
        hop.from = context.actor;
        break;
    }
    contexts_[id.index] = context;
  }

  void enter_agent(HopId id, ActorId from, AgentContext& context) {
    Hop& hop = hops_.all[id.index];
    ActorId self = agent(gen_ai_of(id).agent);
    bool is_told_twice = context.agent && !context.tool && context.actor == self;
    if (is_told_twice) {
      hop.from = self;
      return;
    }
    ActorId caller = gen_ai_of(id).caller ? agent(gen_ai_of(id).caller) : ActorId();
    call(hop, caller && caller != self ? caller : from, self, context.is_users);
    if (context.tool) {  // what the tool reached is this agent
      Hop& tool = hops_.all[context.tool.index];
      hop.tool = tool.tool;
      tool.to = {};
      tool.kind = {};
    }
    context = {self, id, {}};
  }

  void use_tool(HopId id, AgentContext& context) {
    Hop& hop = hops_.all[id.index];
    StringId name = gen_ai_of(id).tool;
    bool is_told_twice = context.tool && gen_ai_of(context.tool).tool == name;
    if (!context.agent && gen_ai_of(id).agent) context.actor = agent(gen_ai_of(id).agent);
    if (!context.actor || hops_[context.actor].type == Actor::Type::principal)
      context.actor = agent(span_of(hop).service);
    context.is_users = false;
    hop.tool = name;
    if (is_told_twice) {
      hop.from = context.actor;
      return;
    }
    call(hop, context.actor, resource("tool:", name));
    context.tool = id;
  }

  /// Who does what a span records: the agent at work, else the service.
  ActorId worker(HopId id, const AgentContext& context) {
    bool is_agent = context.actor && hops_[context.actor].type != Actor::Type::principal;
    return is_agent ? context.actor : agent(span_of(hops_[id]).service);
  }

  /// As name_services() does it, but that agents may be at work.
  void work(HopId id, bool is_root, AgentContext& context) {
    Hop& hop = hops_.all[id.index];
    const Span& span = span_of(hop);
    if (is_root || !is_of_one_service(hop, hops_[hop.cause])) {
      ActorId self = agent(span.service);
      if (context.tool) hop.tool = gen_ai_of(context.tool).tool;
      call(hop, is_root ? ActorId() : worker(hop.cause, context), self);
      context = {self, {}, {}};
      return;
    }
    hop.from = worker(id, context);
    bool calls_out = span.kind == SpanKind::client || span.kind == SpanKind::producer;
    if (role_of(id) == Role::retrieval && gen_ai_of(id).searched)
      call(hop, hop.from, resource("", gen_ai_of(id).searched));
    else if (calls_out && !leads_on_[id.index] && (span.peer || role_of(id) != Role::model))
      call(hop, hop.from, resource("", span.peer ? span.peer : span.operation));
    if (hop.to && context.tool) hop.tool = gen_ai_of(context.tool).tool;
  }

  const Trace& trace_;
  Hops& hops_;
  std::vector<bool>& named_;
  std::vector<AgentContext> contexts_;
  std::vector<bool> is_host_, leads_on_;
  std::vector<std::pair<HopId, HopId>> followed_;  ///< a run, and what handed over to it
  std::vector<ActorId> users_;                     ///< by run; nowhere: not on record
};

}  // namespace

void name_agents(const Trace& trace, Hops& hops, std::vector<bool>& named) {
  SpanActorNamer(trace, hops, named).name();
}

}  // namespace xtrace
