#include "view/query/query_steps.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "base/address.h"
#include "link/calls/agents.h"

namespace xtrace {

namespace {

/// Collects the steps of a query that spans tell of.
class SpanSteps {
 public:
  SpanSteps(const Question& question, const Query& query)
      : question_(question), trace_(question.graph.trace()), query_(query) {}

  std::vector<Step> collect(std::vector<Step>& others) {
    for (SpanId id : query_.spans) add(id);
    sort();
    for (size_t i = 0; i < steps_.size(); ++i)
      by_name_.emplace(std::pair(trace_of(steps_[i]), name_of(steps_[i])), i);
    for (size_t i = 0; i < steps_.size(); ++i) steps_[i].parent = find_parent(i);
    break_circles();
    others = std::move(others_);
    return std::move(steps_);
  }

 private:
  const Span& span_of(const Step& step) const { return trace_[step.span]; }
  std::string_view name_of(const Step& step) const { return trace_[span_of(step).shown_id()]; }
  std::string_view trace_of(const Step& step) const { return trace_[span_of(step).trace]; }

  void add(SpanId id) {
    const Span& span = trace_[id];
    Step step;
    step.span = id;
    if (question_.payloads != nullptr) step.record = question_.payloads->step(span);
    if (step.record.node.empty()) step.record.node = trace_[span.operation];
    bool is_step = !step.record.node.empty() || span.kind != SpanKind::internal;
    if (is_step && is_known(span, step.record)) return;
    step.at = span.source;
    if (trace_[span.service] != query_.project) step.service = trace_[span.service];
    step.from = trace_[span.from];
    step.to = trace_[span.to];
    step.start = step.record.start;
    if (step.start.time == kNoTime) step.start = {span.start, 6};
    step.took = span.duration;
    step.outcome = span.outcome;
    (is_step ? steps_ : others_).push_back(std::move(step));
  }

  /// At-least-once delivery brings the same record again. One that only bears the same id is
  /// another step.
  bool is_known(const Span& span, const StepRecord& record) {
    std::vector<size_t>& alike =
        seen_[{trace_[span.trace], trace_[span.id], span.start, span.duration, span.outcome}];
    for (size_t i : alike)
      if (steps_[i].record == record) return ++steps_[i].records, true;
    alike.push_back(steps_.size());
    return false;
  }

  /// By the log's own numbers if every step has one; else by start, those without one last.
  void sort() {
    bool numbered = std::all_of(steps_.begin(), steps_.end(),
                                [](const Step& step) { return step.record.order >= 0; });
    std::stable_sort(steps_.begin(), steps_.end(), [&](const Step& a, const Step& b) {
      if (numbered && a.record.order != b.record.order) return a.record.order < b.record.order;
      // Of those that start at once, the one that holds the others comes first.
      return std::tuple(a.start.time == kNoTime, a.start.time, -known_or_zero(a.took)) <
             std::tuple(b.start.time == kNoTime, b.start.time, -known_or_zero(b.took));
    });
  }
  static Duration known_or_zero(Duration length) {
    return length == kNoDuration ? Duration{0} : length;
  }

  size_t find_parent(size_t i) const {
    const Span& span = span_of(steps_[i]);
    for (uint32_t p = span.first_parent; p < span.first_parent + span.parents; ++p) {
      const SpanParent& parent = trace_.span_parents[p];
      auto found = by_name_.find(
          std::pair(trace_[parent.trace ? parent.trace : span.trace], trace_[parent.span]));
      if (found != by_name_.end() && found->second != i) return found->second;
    }
    return Step::kNone;
  }

  /// Of the steps of a circle, the one that was met first loses its parent.
  void break_circles() {
    enum : uint8_t { unseen, walking, done };
    std::vector<uint8_t> state(steps_.size(), unseen);
    for (size_t i = 0; i < steps_.size(); ++i) {
      std::vector<size_t> way;
      size_t at = i;
      for (; at != Step::kNone && state[at] == unseen; at = steps_[at].parent) {
        state[at] = walking;
        way.push_back(at);
      }
      if (at != Step::kNone && state[at] == walking) steps_[at].parent = Step::kNone;
      for (size_t walked : way) state[walked] = done;
    }
  }

  const Question& question_;
  const Trace& trace_;
  const Query& query_;
  std::vector<Step> steps_, others_;
  /// By what two records of one step have in common beside what they say.
  std::map<std::tuple<std::string_view, std::string_view, Time, Duration, Outcome>,
           std::vector<size_t>>
      seen_;
  std::map<std::pair<std::string_view, std::string_view>, size_t> by_name_;
};

/// The steps of a turn: its model calls, and what their tools brought as evidence.
std::vector<Step> steps_of_calls(const Question& question, const Query& query) {
  const Graph& graph = question.graph;
  const Trace& trace = graph.trace();
  std::vector<Step> steps;
  std::map<CallId, size_t> places;
  for (CallId id : query.calls) places.emplace(id, places.size());
  for (CallId id : query.calls) {
    const Call& call = trace[id];
    Step step;
    step.call = id;
    step.at = call.source;
    step.start = {call.start, call.decimals};
    step.took = call.duration;
    step.outcome = call.outcome;
    step.cause = cause_in_turn(graph, id);
    if (step.cause != nullptr)
      if (auto from = places.find(step.cause->from); from != places.end())
        step.parent = from->second;
    step.record.node = agent_name(graph.agent_of(id));
    step.record.kind = "inference";
    step.record.model = trace[call.model];
    if (call.asked_model != call.model) step.record.asked_model = trace[call.asked_model];
    step.record.error = trace[call.error];
    step.record.tokens = call.tokens;
    step.record.cost = call.cost;
    if (call.temperature >= 0) step.record.params.push_back({"temperature", call.temperature});
    if (call.max_tokens >= 0) step.record.params.push_back({"max_tokens", call.max_tokens});
    step.record.params.push_back({"messages", static_cast<int64_t>(call.message_count)});
    for (uint32_t i : graph.causes_of(id)) {
      const Link& link = graph.links()[i];
      if (link.kind != LinkKind::tool_result || !link.tool_use) continue;
      const ToolUse& use = trace.tool_uses[link.tool_use.index];
      EvidenceRef evidence;
      evidence.type = "tool_result";
      evidence.id = trace[link.key];
      evidence.is_error = link.is_error;
      evidence.tool = trace[use.name];
      std::string_view target = trace[use.target];
      (host_of(target).empty() ? evidence.doc_id : evidence.url) = target;
      step.record.evidence.push_back(std::move(evidence));
    }
    if (question.shows_payload()) {
      Excerpt said = question.payloads->read(call);
      step.record.inputs = std::move(said.prompt);
      step.record.outputs = said.answer.empty() ? std::move(said.error) : std::move(said.answer);
    }
    steps.push_back(std::move(step));
  }
  return steps;
}

}  // namespace

bool Step::counts(Metric metric) const {
  return std::none_of(not_counted.begin(), not_counted.end(),
                      [&](const NotCounted& one) { return one.metric == metric; });
}

std::vector<Step> steps_of(const Question& question, const Query& query,
                           std::vector<Step>& others) {
  std::vector<Step> steps = SpanSteps(question, query).collect(others);
  size_t before = steps.size();
  for (Step& step : steps_of_calls(question, query)) {
    if (step.parent != Step::kNone) step.parent += before;
    steps.push_back(std::move(step));
  }
  return steps;
}

}  // namespace xtrace
