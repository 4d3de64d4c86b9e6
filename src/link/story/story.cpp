#include "link/story/story.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <unordered_map>

#include "facts/row_or_empty.h"
#include "facts/trace.h"
#include "link/activities/component_agent.h"
#include "link/graph/graph.h"
#include "link/graph/queries.h"
#include "link/graph/subject.h"
#include "link/story/story_edges.h"
#include "link/story/task_costs.h"

namespace xtrace {

namespace {

bool is_of(const Measurement& told, const StoryNode& node, const Graph& graph) {
  if (told.component) return task_step_of(graph, node).component == told.component;
  return !told.service || span_of(graph, node).service == told.service;
}

/// What measurements say of the steps of a story: a measurement is of the steps that ran at its
/// time and are its component's, or its service's where it names no component, or anybody's where
/// it names neither. Of several of one kind the highest counts. Fills Story::measured.
void add_measured(const Graph& graph, Story& story) {
  std::vector<const Measurement*> told;
  for (const Measurement& one : graph.trace().measurements) told.push_back(&one);
  if (told.empty()) return;
  std::stable_sort(told.begin(), told.end(),
                   [](const auto* a, const auto* b) { return a->time < b->time; });
  for (uint32_t at = 0; at < story.nodes.size(); ++at) {
    StoryNode& node = story.nodes[at];
    node.first_measured = static_cast<uint32_t>(story.measured.size());
    if (node.start == kNoTime || node.is_query()) continue;
    std::map<std::string_view, double> highest;
    auto from = std::lower_bound(told.begin(), told.end(), node.start,
                                 [](const auto* one, Time time) { return one->time < time; });
    for (; from != told.end() && (*from)->time <= node.end(); ++from) {
      if (!is_of(**from, node, graph)) continue;
      auto [known, is_new] = highest.try_emplace((*from)->key, (*from)->number);
      if (!is_new) known->second = std::max(known->second, (*from)->number);
    }
    for (const auto& [key, number] : highest)
      story.measured.push_back({key, {}, number, Remark::Kind::number});
    node.measured = static_cast<uint32_t>(highest.size());
  }
}

/// Fills StoryNode::cost_spike.
void find_cost_spikes(Story& story) {
  std::unordered_map<uint32_t, std::vector<int64_t>> of_task;
  for (const StoryNode& node : story.nodes)
    if (node.cost >= 0) of_task[node.task.index].push_back(node.cost);
  std::unordered_map<uint32_t, TaskCosts> costs;
  for (auto& [task, all] : of_task) costs[task].add(std::move(all));
  for (StoryNode& node : story.nodes)
    if (node.cost > 0) node.cost_spike = costs[node.task.index].spike_of(node.cost);
}

using Type = TaskStep::Type;
constexpr uint32_t kNone = StoryNode::kNone;

bool holds(std::string_view word, std::initializer_list<std::string_view> parts) {
  return std::any_of(parts.begin(), parts.end(), [&](std::string_view part) {
    return word.find(part) != std::string_view::npos;
  });
}

/// What a log's own word for a status comes to.
StepStatus read_status(std::string_view word, StepStatus otherwise) {
  std::string upper(word);
  for (char& c : upper)
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c & ~0x20);
  if (holds(upper, {"SKIP", "IGNORED"})) return StepStatus::skipped;
  if (holds(upper, {"FAIL", "ERROR", "REJECT", "TIMEOUT", "ABORT"})) return StepStatus::error;
  if (holds(upper, {"FOUND", "WARN", "FLAKY", "VULNERAB"}) && !holds(upper, {"NOT_FOUND", "NONE"}))
    return StepStatus::warning;
  return otherwise;
}

StepStatus status_of(Outcome outcome) {
  switch (outcome) {
    case Outcome::ok: return StepStatus::ok;
    case Outcome::error: return StepStatus::error;
    case Outcome::unrecorded: return StepStatus::skipped;
    case Outcome::unknown:
    case Outcome::unfinished:
    case Outcome::unanswered: break;
  }
  return StepStatus::warning;
}

class StoryBuilder {
 public:
  explicit StoryBuilder(const Graph& graph)
      : graph_(graph),
        trace_(graph.trace()),
        has_thoughts_(graph.elsewhere().thoughts || graph.partners().has_thoughts),
        has_call_spans_(graph.elsewhere().call_spans || graph.partners().has_call_spans) {}

  Story build() {
    for (CallId call : graph_.timeline().in_order()) add_call(call);
    for (size_t i = 0; i < graph_.hops().all.size(); ++i)
      if (!graph_.partners().of_hop[i]) add_hop(HopId(i));
    for (const Query& turn : find_turns(graph_)) add_query(turn);
    sort();
    connect(graph_, index_, story_);
    if (!graph_.elsewhere().tasks) find_cost_spikes(story_);
    add_measured(graph_, story_);
    return std::move(story_);
  }

 private:
  const TaskStep& task_step(TaskStepId id) const { return row_or_empty(trace_, id); }
  StringId word(std::string_view text) {
    return text.empty() ? StringId{} : story_.words->intern(text);
  }
  StringId agent(std::string_view name) { return word(agent_name_of(name)); }

  void add_call(CallId id) {
    const Call& call = trace_[id];
    const Activity& done = graph_.activities().of(id);
    StoryNode node{done, &done, id};
    node.type = Type::llm_call;
    node.status = status_of(call.outcome);
    if (!is_known(call.outcome)) node.own_status = xtrace::word(call.outcome);
    node.start = call.start;
    node.latency = call.duration;
    const TaskStep& told = task_step(call.task_step);
    const bool names_nobody = call.is_thought && !call.agent_type;  // then the adapter that logs it
    const std::string_view adapter = told.component ? trace_[told.component] : "ModelAdapter";
    node.agent = agent(names_nobody ? adapter : done.agent.name);
    node.task = word(trace_[told.task]);
    read_own_status(told, node);
    const Partners::Partner& partner = graph_.partners().of_call[id.index];
    if (partner.hop) add_span(partner.hop, node);
    node.lacks_partner = call.is_thought && has_call_spans_ && !partner.hop;
    if (node.lacks_partner) node.type = Type::other;
    // What went wrong with a tool went wrong with the call that asked for it.
    if (node.status == StepStatus::ok && graph_.activities().failed_tools_of(id) > 0) {
      node.status = StepStatus::warning;
      node.own_status = "tool_error";
    }
    story_.nodes.push_back(node);
  }

  /// What the span of a call knows better than its log: it measures the call, so its latency
  /// counts.
  void add_span(HopId id, StoryNode& node) {
    StoryNode seen = node_of(id);
    node.hop = id;
    if (seen.latency != kNoDuration) node.latency = seen.latency;
    if (node.start == kNoTime) node.start = seen.start;
    if (seen.status == StepStatus::error) node.status = StepStatus::error;
    if (!node.task) node.task = seen.task;
  }

  void read_own_status(const TaskStep& told, StoryNode& node) {
    if (!told.status) return;
    std::string_view own = trace_[told.status];
    node.status = node.status == StepStatus::error ? node.status : read_status(own, node.status);
    if (own != xtrace::word(node.status)) node.own_status = own;
  }

  StoryNode node_of(HopId id) {
    const Hop& hop = graph_.hops()[id];
    StoryNode node{graph_.activities().counted_at(id), &graph_.activities().of(id), {}, id};
    node.start = hop.start;
    node.latency = hop.duration;
    node.status = status_of(hop.outcome);
    if (!is_known(hop.outcome)) node.own_status = xtrace::word(hop.outcome);
    if (!hop.span) return node;
    const Span& span = trace_[hop.span];
    const TaskStep& told = task_step(span.task_step);
    node.type = told.type;
    const GenAi& model = row_or_empty(trace_, span.gen_ai);
    bool asks_model = model.role == GenAi::Role::model || told.is_adapter;
    if (node.type == Type::other && asks_model && !told.is_graph_node) node.type = Type::llm_call;
    node.agent = agent_of(node.done->agent, told);
    node.task = word(trace_[told.task]);
    read_own_status(told, node);
    return node;
  }

  StringId agent_of(const ActingAgent& acting, const TaskStep& told) {
    if (acting.rule == AgentRule::recorded) return agent(acting.name);
    if (told.is_event)  // of a stream that names nobody it is known whose it is
      return word(told.component ? trace_[told.component] : "ReflexionAdapter");
    if (acting.rule == AgentRule::caller) return word(acting.name);
    return agent(acting.name.empty() ? trace_[told.component] : acting.name);
  }

  void add_hop(HopId id) {
    StoryNode node = node_of(id);
    const Hop& hop = graph_.hops()[id];
    node.lacks_partner = has_thoughts_ && Partners::promises_call(trace_, hop);
    if (node.lacks_partner) node.type = Type::other;
    story_.nodes.push_back(node);
  }

  /// What a user said to the main agent; a subagent is told by its spawner, and nobody says
  /// anything where there are no messages.
  void add_query(const Query& turn) {
    CallId first = turn.calls.front();
    const Agent& asked = graph_.agent_of(first);
    bool is_asked = !asked.spawned && (asked.type_from == TypeFrom::main || asked.type == "main");
    if (!is_asked || !graph_.timeline()[first].request) return;
    StoryNode node;
    node.call = first;
    node.type = Type::user_query;
    node.start = trace_[first].start;
    node.agent = word("user");
    story_.nodes.push_back(node);
  }

  void sort() {
    std::vector<StoryNode>& nodes = story_.nodes;
    auto key = [](const StoryNode& node) {
      return std::tuple(node.start, !node.is_query(), !node.call, node.call, node.hop);
    };
    std::sort(nodes.begin(), nodes.end(),
              [&](const StoryNode& a, const StoryNode& b) { return key(a) < key(b); });
    index_.of_event.assign(trace_.calls.size(), kNone);
    index_.query_of_event.assign(trace_.calls.size(), kNone);
    index_.of_hop.assign(graph_.hops().all.size(), kNone);
    for (uint32_t i = 0; i < nodes.size(); ++i) {
      if (nodes[i].is_query())
        index_.query_of_event[nodes[i].call.index] = i;
      else if (nodes[i].call)
        index_.of_event[nodes[i].call.index] = i;
      if (nodes[i].hop) index_.of_hop[nodes[i].hop.index] = i;
    }
  }

  const Graph& graph_;
  const Trace& trace_;
  bool has_thoughts_, has_call_spans_;
  Story story_;
  StoryIndex index_;
};

}  // namespace

Story tell_story(const Graph& graph) {
  return StoryBuilder(graph).build();
}

bool reads_as_story(const Trace& trace) {
  const auto is_stored = [](const TaskStep& step) { return step.is_graph_node; };
  if (std::ranges::any_of(trace.task_steps, is_stored)) return true;
  const auto is_event = [&](const Span& span) {
    return row_or_empty(trace, span.task_step).is_event;
  };
  const bool has_events = std::ranges::any_of(trace.spans, is_event);
  const bool has_spans = !std::ranges::all_of(trace.spans, is_event);
  return subject_of(trace) == Subject::both || (has_events && has_spans);
}

const Extent& place_of(const Graph& graph, const StoryNode& node) {
  return node.call ? graph.trace()[node.call].source : graph.hops()[node.hop].at;
}

Moment start_of(const Graph& graph, const StoryNode& node) {
  constexpr uint8_t kOfSpans = 6;
  return {node.start, node.call ? graph.trace()[node.call].decimals : kOfSpans};
}

const Span& span_of(const Graph& graph, const StoryNode& node) {
  return row_or_empty(graph.trace(), node.hop ? graph.hops()[node.hop].span : SpanId());
}

const TaskStep& task_step_of(const Graph& graph, const StoryNode& node) {
  const TaskStepId of_span = span_of(graph, node).task_step;
  if (of_span || !node.call || node.is_query()) return row_or_empty(graph.trace(), of_span);
  return row_or_empty(graph.trace(), graph.trace()[node.call].task_step);
}

std::string name_of(const Graph& graph, const StoryNode& node) {
  if (!node.call) return graph.hops().name_of(graph.trace(), node.hop);
  std::string id(graph.trace()[graph.trace()[node.call].id]);
  return node.is_query() ? "query-" + id : id;
}

}  // namespace xtrace
