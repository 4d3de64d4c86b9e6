#include "link/activities/activities.h"

#include <algorithm>
#include <map>
#include <unordered_map>
#include <utility>
#include <vector>

#include "facts/error_class.h"
#include "facts/row_or_empty.h"
#include "facts/rows.h"
#include "facts/trace.h"
#include "link/activities/component_agent.h"
#include "link/activities/duplicate_tools.h"
#include "link/activities/span_retries.h"
#include "link/graph/graph.h"
#include "prices/call_costs.h"
#include "prices/model_maker.h"

namespace xtrace {

namespace {

class FailureFinder {
 public:
  FailureFinder(const Graph& graph, Activities& activities)
      : hops_(graph.hops()), activities_(activities), failed_last_(hops_.all.size()) {}

  void find() {
    for (size_t i = 0; i < hops_.all.size(); ++i) note_in_cause(HopId(i));
    for (size_t i = 0; i < hops_.all.size(); ++i)
      if (has_failed(HopId(i)) && has_role(HopId(i))) tell_around(HopId(i));
    for (size_t i = 0; i < hops_.all.size(); ++i) {
      if (!has_failed(HopId(i))) continue;
      if (!has_role(HopId(i))) tell_below(HopId(i));
      pass_error_up(HopId(i));
    }
  }

 private:
  Activity& of(HopId id) { return activities_.all[activities_.of_hop[id.index].index]; }
  bool has_failed(HopId id) { return of(id).outcome == Outcome::error; }
  bool has_role(HopId id) { return of(id).kind != Activity::Kind::other; }

  /// What failed last in a span that failed too is why it did.
  void note_in_cause(HopId id) {
    const HopId cause = hops_[id].cause;
    if (!cause || !has_failed(id) || !has_failed(cause)) return;
    HopId& last = failed_last_[cause.index];
    if (!last || of(last).end() <= of(id).end()) last = id;
  }

  bool is_why_cause_failed(HopId id) const {
    const HopId cause = hops_[id].cause;
    return cause && failed_last_[cause.index] == id;
  }

  /// Spans without a role around one that has one.
  void tell_around(HopId told) {
    for (HopId at = told; is_why_cause_failed(at); at = hops_[at].cause) {
      const HopId around = hops_[at].cause;
      if (has_role(around) || of(around).same_failure) return;
      of(around).same_failure = activities_.of_hop[told.index];
    }
  }

  /// One without a role is the failure of what is around it.
  void tell_below(HopId id) {
    if (is_why_cause_failed(id) && !of(id).same_failure)
      of(id).same_failure = activities_.of_hop[hops_[id].cause.index];
  }

  void pass_error_up(HopId id) {
    if (of(id).error.empty()) return;
    for (HopId at = id; is_why_cause_failed(at); at = hops_[at].cause) {
      Activity& around = of(hops_[at].cause);
      std::string_view telling = telling_error({around.error, of(id).error});
      if (telling == around.error) return;
      around.error = telling;
    }
  }

  const Hops& hops_;
  Activities& activities_;
  std::vector<HopId> failed_last_;  ///< by hop
};

/// One failure passes through many spans: an HTTP request is answered with 429, the attempt that
/// made it fails, and so may the call of the model around it. Marks spans of no role of their own
/// (no agent, tool or model) whose failure another span tells: of what failed in it last, what has
/// a role goes before the outermost of what has none. The error that tells most of it, the status
/// of the request say, becomes the word for all of them that have none that tells a class.
void find_same_failures(const Graph& graph, Activities& activities) {
  FailureFinder(graph, activities).find();
}

/// Results of tools in transcripts that no later call is recorded: some clients write down a turn
/// as one answer that holds what its tools gave back, and others end behind a result.
class UnreadResults {
 public:
  explicit UnreadResults(const Trace& trace);

  /// nullptr: none is on record.
  const ToolResult* of(const Call& call, const ToolUse& use) const;

 private:
  const ToolResult* find(MessageId message, StringId tool_use) const;

  const Trace& trace_;
  std::vector<MessageId> behind_;  ///< by message: the first one behind it that brings results
  /// By message and tool use, of messages that bring many: a look at each would be a square.
  std::map<std::pair<MessageId, StringId>, const ToolResult*> among_many_;
};

constexpr size_t kFew = 16;  // results of a message

UnreadResults::UnreadResults(const Trace& trace) : trace_(trace), behind_(trace.messages.size()) {
  for (const ToolResult& result : trace.tool_results)
    if (const MessageId before = trace[result.message].before; before && !behind_[before.index])
      behind_[before.index] = result.message;
  const std::vector<ToolResult>& all = trace.tool_results;  // in the order of their messages
  for (size_t i = 0, end = 0; i < all.size(); i = end) {
    while (end < all.size() && all[end].message == all[i].message) ++end;
    for (size_t at = i; end - i > kFew && at < end; ++at)
      among_many_.try_emplace({all[at].message, all[at].tool_use}, &all[at]);
  }
}

const ToolResult* UnreadResults::of(const Call& call, const ToolUse& use) const {
  if (!call.answer || !use.id) return nullptr;
  // Of a tool that the vendor ran by itself.
  if (const ToolResult* inside = find(call.answer, use.id)) return inside;
  if (!(call.in_transcript || call.is_converted)) return nullptr;
  const MessageId behind = behind_[call.answer.index];
  return behind ? find(behind, use.id) : nullptr;
}

const ToolResult* UnreadResults::find(MessageId message, StringId tool_use) const {
  const std::span<const ToolResult> rows = rows_of(trace_.tool_results, message);
  if (rows.size() > kFew) {
    const auto found = among_many_.find({message, tool_use});
    return found == among_many_.end() ? nullptr : found->second;
  }
  for (const ToolResult& result : rows)
    if (result.tool_use == tool_use) return &result;
  return nullptr;
}

const Span& span_of(const Trace& trace, const Hop& hop) {
  return row_or_empty(trace, hop.span);
}

const GenAi& gen_ai_of(const Trace& trace, const Hop& hop) {
  return row_or_empty(trace, span_of(trace, hop).gen_ai);
}

struct RoleWords {
  Activity::Kind kind;
  std::string_view operation;
};
RoleWords words_of(GenAi::Role role) {
  switch (role) {
    case GenAi::Role::agent: return {Activity::Kind::agent_run, "invoke_agent"};
    case GenAi::Role::tool: return {Activity::Kind::tool_run, "execute_tool"};
    case GenAi::Role::model: return {Activity::Kind::model_call, "chat"};
    case GenAi::Role::retrieval: return {Activity::Kind::retrieval, "retrieval"};
    case GenAi::Role::other: break;
  }
  return {Activity::Kind::other, {}};
}

/// What is left of the time of a tool; kNoDuration where a person's took all of it.
Duration without(Duration permission, const ToolTime& ran) {
  const bool is_without = ran.is_measured && !ran.is_timed;
  if (is_without || ran.length == kNoDuration || permission == Duration{0}) return ran.length;
  return ran.length > permission ? ran.length - permission : kNoDuration;
}

class ActivityBuilder {
 public:
  explicit ActivityBuilder(const Graph& graph)
      : graph_(graph),
        trace_(graph.trace()),
        costs_(trace_, graph.prices()),
        subagents_(subagents_named(trace_)),
        unread_(trace_) {}

  Activities build() && {
    found_.of_call.resize(trace_.calls.size());
    found_.of_tool_use.resize(trace_.tool_uses.size());
    found_.of_span.resize(trace_.spans.size());
    found_.all.reserve(trace_.calls.size() + trace_.tool_uses.size() + graph_.hops().all.size());
    for (CallId call : graph_.timeline().in_order()) {
      add_call(call);
      add_tools(call);
    }
    for (size_t i = 0; i < graph_.hops().all.size(); ++i) add_span(HopId(i));
    mark_same();
    settle_spans(graph_, found_);
    settle_statements(graph_, found_);
    mark_retries();
    find_span_retries(graph_, found_);
    find_same_failures(graph_, found_);
    take_off_permissions();
    return std::move(found_);
  }

 private:
  void add_call(CallId id) {
    const Call& call = trace_[id];
    Activity one;
    if (!call.is_dispatch) one.kind = Activity::Kind::model_call;
    one.call = id;
    one.operation = call.is_dispatch ? "dispatch" : "chat";
    one.model = trace_[call.model];
    one.provider = provider_of(call.provider, one.model);
    one.agent = {graph_.agent_of(id).type, AgentRule::conversation};
    one.start = call.start;
    one.duration = call.duration;
    one.outcome = call.outcome;
    one.error = trace_[call.error];
    one.tokens = call.tokens;
    take_cost(costs_.of(call), call.cost >= 0, one);
    one.is_unpriced = is_unpriced(one);
    one.output_is_low = call.output_is_low;
    found_.of_call[id.index] = ActivityId(found_.all.size());
    found_.all.push_back(one);
  }

  void add_tools(CallId id) {
    const std::vector<const ToolUse*> uses = graph_.tool_uses_of(id);
    if (uses.empty()) return;
    std::map<uint32_t, const Link*> results, spawns;  // by tool use
    for (uint32_t i : graph_.effects_of(id)) {
      const Link& link = graph_.links()[i];
      if (link.tool_use && link.kind == LinkKind::tool_result) {
        auto [known, is_first] = results.try_emplace(link.tool_use.index, &link);
        // Of two results of one use a failure is the one to know of.
        if (!is_first && !link.is_again && link.is_error) known->second = &link;
      }
      if (link.tool_use && link.kind == LinkKind::subagent_spawn)
        spawns.try_emplace(link.tool_use.index, &link);
    }
    for (const ToolUse* use : uses) {
      Activity one;
      one.kind = Activity::Kind::tool_run;
      one.call = id;
      one.use = use;
      one.operation = "execute_tool";
      one.outcome = Outcome::unanswered;  // until a result is found
      one.tool = trace_[use->name];
      one.agent = {graph_.agent_of(id).type, AgentRule::conversation};
      one.start = trace_[id].end();
      const uint32_t number = graph_.timeline().id_of(*use).index;
      one.has_spawned = spawns.contains(number);
      if (auto spawn = spawns.find(number); spawn != spawns.end())
        one.subagent = graph_.agent_of(spawn->second->to).id;
      else if (auto named = subagents_.find(use->id); use->id && named != subagents_.end())
        one.subagent = named->second;
      if (auto result = results.find(number); result != results.end()) {
        const Link& link = *result->second;
        one.reader = link.to;
        one.outcome = link.is_error  ? Outcome::error
                      : link.is_open ? Outcome::unfinished
                                     : Outcome::ok;
        one.tool_error = link.error;
        one.ran = link.ran;
      } else if (const ToolResult* unread = unread_.of(trace_[id], *use)) {
        one.outcome = outcome_of(*unread);
        one.tool_error = unread->error;
        one.ran = tool_time(trace_[id], *unread, nullptr);
      }
      one.duration = one.ran.length;
      if (one.ran.is_timed) one.start = after(after(one.start, one.ran.until), -one.ran.length);
      found_.of_tool_use[number] = ActivityId(found_.all.size());
      found_.all.push_back(one);
    }
  }

  /// A component that is an agent tells more than who called it and which service it is part of;
  /// stories call it by the same name.
  void name_component(const Span& span, ActingAgent& agent) {
    if (agent.rule == AgentRule::recorded || !span.task_step) return;
    StringId component = trace_[span.task_step].component;
    if (!component || !is_agent_component(trace_[component])) return;
    auto [known, is_new] = of_component_.try_emplace(component);
    if (is_new) known->second = found_.names.emplace_back(agent_name_of(trace_[component]));
    agent = {known->second, AgentRule::recorded};
  }

  void add_span(HopId id) {
    const Hop& hop = graph_.hops()[id];
    const GenAi& told = gen_ai_of(trace_, hop);
    Activity one;
    one.hop = id;
    one.kind = words_of(told.role).kind;
    one.operation = words_of(told.role).operation;
    if (one.operation.empty()) one.operation = trace_[span_of(trace_, hop).operation];
    one.model = trace_[told.model];
    one.provider = provider_of(told.provider, one.model);
    one.tool = trace_[told.tool];
    one.agent = agent_of(graph_, id);
    name_component(span_of(trace_, hop), one.agent);
    one.start = hop.start;
    one.duration = hop.duration;
    one.outcome = hop.outcome;
    one.error = trace_[told.error];
    one.tool_error = told.tool_error;
    one.tokens = told.tokens;
    one.context_limit = told.context_limit;
    one.retries_inside = told.retries;
    one.output_is_low = told.output_is_low;
    take_cost(costs_.of(told, one.start), told.cost >= 0, one);
    one.is_unpriced = one.kind == Activity::Kind::model_call && is_unpriced(one);
    ActivityId at(found_.all.size());
    found_.of_hop.push_back(at);
    for (SpanId span : graph_.hops().observations_of(hop)) found_.of_span[span.index] = at;
    found_.all.push_back(one);
  }

  static void take_cost(const ComputedCost& computed, bool is_recorded, Activity& one) {
    one.cost = computed.cost;
    one.cost_is_recorded = is_recorded;
    one.cost_is_partial = computed.is_partial && computed.cost >= 0;
  }

  static bool is_unpriced(const Activity& one) {
    return one.cost < 0 && !(one.outcome == Outcome::error && one.tokens == Tokens());
  }

  /// A record goes before what a model's name suggests: others than its maker sell it too.
  std::string_view provider_of(StringId recorded, std::string_view model) {
    if (recorded) return trace_[recorded];
    auto [maker, is_new] = makers_.try_emplace(model);
    if (is_new) maker->second = maker_of(model);
    return maker->second;
  }

  void mark_same() {
    const Partners& partners = graph_.partners();
    for (size_t i = 0; i < partners.of_call.size(); ++i)
      if (HopId hop = partners.of_call[i].hop) {
        Activity& seen = found_.all[found_.of_hop[hop.index].index];
        seen.same_as = found_.of_call[i];
        take_measured(seen, found_.all[found_.of_call[i].index]);
      }
    const std::vector<HopId> stands_for = duplicate_tools(trace_, graph_.hops());
    for (size_t i = 0; i < stands_for.size(); ++i) {
      Activity& seen = found_.all[found_.of_hop[i].index];
      if (stands_for[i] && !seen.same_as) seen.same_as = found_.of_hop[stands_for[i].index];
    }
  }

  /// A span knows of a call what its log does not say. It measures what an adapter only logs the
  /// thoughts of, and goes before it.
  void take_measured(const Activity& seen, Activity& call) const {
    const bool measures = trace_[call.call].is_thought;
    const Tokens before = call.tokens;
    if (measures && seen.tokens.output >= 0) call.output_is_low = false;
    for (int64_t Tokens::*count :
         {&Tokens::input, &Tokens::output, &Tokens::cache_read, &Tokens::cache_creation})
      if (seen.tokens.*count >= 0 && (measures || call.tokens.*count < 0))
        call.tokens.*count = seen.tokens.*count;
    if (call.model.empty()) call.model = seen.model, call.provider = seen.provider;
    if (!call.cost_is_recorded && call.tokens != before)
      take_cost(compute_cost(graph_.prices(), call.model, call.tokens, call.start), false, call);
    const bool is_better = seen.cost_is_recorded && (measures || call.cost_is_partial);
    if (seen.cost >= 0 && (is_better || call.cost < 0)) {
      call.cost = seen.cost;
      call.cost_is_recorded = seen.cost_is_recorded;
      call.cost_is_partial = seen.cost_is_partial;
    }
    call.is_unpriced = is_unpriced(call);
  }

  /// Of calls, links say what was tried again.
  void mark_retries() {
    for (const Link& link : graph_.links()) {
      if (link.kind != LinkKind::retry) continue;
      Activity& again = found_.all[found_.of_call[link.to.index].index];
      again.retry_of = found_.of_call[link.from.index];
      again.attempt = link.attempt;
      // A transcript shows no start: without a wait on record it is where the attempt before ended.
      const bool is_told = link.gap > Duration{0} || !trace_[link.to].in_transcript;
      if (is_told) again.waited = link.gap;
    }
  }

  /// What a person took to let a tool run is no time of the tool's. Where nothing is left, it is
  /// not known how long that ran.
  void take_off_permissions() {
    Permissions found = find_permission_waits(graph_, found_);
    for (ActivityId stopped : found.stopped)
      found_.all[stopped.index].tool_error = ToolError::cancelled;
    found_.permissions = std::move(found.waits);
    found_.undecided = std::move(found.undecided);
    for (const PermissionWait& wait : found_.permissions) {
      Activity& tool = found_.all[wait.tool.index];
      tool.start = wait.end();
      tool.waited_for_leave = wait.took;
      tool.duration = without(wait.took, tool.ran);
    }
  }

  const Graph& graph_;
  const Trace& trace_;
  CallCosts costs_;
  std::map<StringId, std::string_view> of_component_;  // their names
  std::map<StringId, StringId> subagents_;             // that results name, by tool use
  UnreadResults unread_;
  std::unordered_map<std::string_view, std::string_view> makers_;  // by model
  Activities found_;
};

}  // namespace

std::span<const Activity> Activities::tools_of(CallId call) const {
  const size_t first = of_call[call.index].index + 1;
  const size_t end = gallop(first, all.size(), [&](size_t tool) { return all[tool].call == call; });
  return std::span(all).subspan(first, end - first);
}

int64_t Activities::failed_tools_of(CallId call) const {
  const std::span<const Activity> tools = tools_of(call);
  return std::count_if(tools.begin(), tools.end(),
                       [](const Activity& tool) { return tool.outcome == Outcome::error; });
}

TokensAndCost Activities::counted_at(HopId hop) const {
  if (of(hop).counts_usage()) return of(hop);
  if (const UnplacedUsage* row = ledger.of(hop)) return *row;
  return {};
}

Duration Activities::tool_duration(const Link& result) const {
  const ActivityId tool = result.tool_use ? of_tool_use[result.tool_use.index] : ActivityId();
  return tool ? without(all[tool.index].waited_for_leave, result.ran) : result.ran.length;
}

ActingAgent agent_of(const Graph& graph, HopId hop) {
  const Trace& trace = graph.trace();
  const Hop& told = graph.hops()[hop];
  const GenAi& tags = gen_ai_of(trace, told);
  // Who hands a conversation over does that, and not the agent to which it goes.
  const bool hands_over = tags.role == GenAi::Role::other && tags.caller;
  if (StringId recorded = hands_over ? tags.caller : tags.agent)
    return {trace[recorded], AgentRule::recorded};
  if (told.from && graph.hops()[told.from].type == Actor::Type::agent)
    return {graph.hops()[told.from].label(), AgentRule::caller};
  if (StringId service = span_of(trace, told).service) return {trace[service], AgentRule::service};
  return {};
}

Activities find_activities(const Graph& graph) {
  return ActivityBuilder(graph).build();
}

}  // namespace xtrace
