#include "view/query_trace.h"

#include <algorithm>
#include <map>

#include "base/address.h"
#include "view/field.h"
#include "view/filter.h"

namespace xtrace {

namespace {

constexpr std::string_view kClearances[] = {"public", "internal", "confidential", "restricted",
                                            "secret"};

size_t rank_of(std::string_view label) {
  std::string lower(label);
  for (char& c : lower)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c | 0x20);
  return static_cast<size_t>(std::find(std::begin(kClearances), std::end(kClearances), lower) -
                             std::begin(kClearances));
}

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
  std::string_view name_of(const Step& step) const { return trace_[span_of(step).id]; }
  std::string_view trace_of(const Step& step) const { return trace_[span_of(step).trace]; }

  void add(SpanId id) {
    const Span& span = trace_[id];
    // At-least-once delivery brings the same record again.
    auto [known, is_new] =
        seen_.emplace(std::tuple(trace_[span.trace], trace_[span.id], trace_[span.operation],
                                 span.start, span.duration),
                      steps_.size());
    if (!is_new && known->second < steps_.size()) {
      ++steps_[known->second].records;
      return;
    }
    Step step;
    step.span = id;
    if (question_.payloads != nullptr) step.record = question_.payloads->step(span);
    step.at = span.source;
    step.service = span.service == span.project ? std::string_view() : trace_[span.service];
    step.from = trace_[span.from];
    step.to = trace_[span.to];
    step.start = step.record.start;
    if (step.start.time == kNoTime) step.start = {span.start, 6};
    step.took = span.duration;
    step.outcome = span.outcome;
    if (step.record.node.empty()) step.record.node = trace_[span.operation];
    bool is_step = !step.record.node.empty() || span.kind != SpanKind::internal;
    if (!is_step) seen_.erase(known);
    (is_step ? steps_ : others_).push_back(std::move(step));
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

  void break_circles() {
    for (size_t i = 0; i < steps_.size(); ++i) {
      size_t fast = i, depth = 0;
      while (fast != Step::kNone && depth++ <= steps_.size()) fast = steps_[fast].parent;
      if (fast != Step::kNone) steps_[i].parent = Step::kNone;
    }
  }

  const Question& question_;
  const Trace& trace_;
  const Query& query_;
  std::vector<Step> steps_, others_;
  std::map<std::tuple<std::string_view, std::string_view, std::string_view, Time, Duration>, size_t>
      seen_;
  std::map<std::pair<std::string_view, std::string_view>, size_t> by_name_;
};

/// The steps of a turn: its model calls, and what their tools brought as evidence.
std::vector<Step> steps_of_calls(const Question& question, const Query& query) {
  const Graph& graph = question.graph;
  const Trace& trace = graph.trace();
  std::vector<Step> steps;
  std::map<EventId, size_t> places;
  for (EventId id : query.calls) places.emplace(id, places.size());
  for (EventId id : query.calls) {
    const Event& event = trace[id];
    const Call& call = trace[event.call];
    Step step;
    step.call = id;
    step.at = event.source;
    step.start = {event.start, event.decimals};
    step.took = event.duration;
    step.outcome = event.outcome;
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
      evidence.tool = trace[use.name];
      std::string_view target = trace[use.target];
      (host_of(target).empty() ? evidence.doc_id : evidence.url) = target;
      step.record.evidence.push_back(std::move(evidence));
    }
    if (question.shows_payload()) {
      Payloads::Of said = question.payloads->read(event);
      step.record.inputs = std::move(said.prompt);
      step.record.outputs = said.answer.empty() ? std::move(said.error) : std::move(said.answer);
    }
    steps.push_back(std::move(step));
  }
  return steps;
}

/// Of a step that failed, the next attempt: the log numbers attempts, or the same was done again
/// right behind it.
void find_retries(std::vector<Step>& steps) {
  std::map<std::pair<size_t, std::string>, size_t> last;
  for (size_t i = 0; i < steps.size(); ++i) {
    if (steps[i].call) {
      if (steps[i].cause != nullptr && steps[i].cause->kind == LinkKind::retry &&
          steps[i].parent != Step::kNone)
        steps[steps[i].parent].retried_as = i;
      continue;
    }
    auto [known, is_new] = last.emplace(std::pair(steps[i].parent, steps[i].record.node), i);
    if (is_new) continue;
    Step& before = steps[known->second];
    bool numbered = steps[i].record.attempt > 1 && steps[i].record.attempt > before.record.attempt;
    bool neighbours = before.outcome == Outcome::error && known->second + 1 == i;
    if (numbered || neighbours) before.retried_as = i;
    known->second = i;
  }
}

constexpr std::string_view kMetrics[] = {"latency_ms", "tokens_in", "tokens_out", "cost_usd"};

bool has_metric(const Step& step, size_t metric) {
  switch (metric) {
    case 0: return step.took != kNoDuration;
    case 1: return step.record.tokens.input >= 0;
    case 2: return step.record.tokens.output >= 0;
    default: return step.record.cost >= 0;
  }
}

/// The nearest step around this one in whose time it began.
size_t holder_of(const std::vector<Step>& steps, size_t at) {
  if (steps[at].call) return Step::kNone;  // what led to a call does not hold it
  Time start = steps[at].start.time;
  size_t depth = 0;
  for (size_t above = steps[at].parent; above != Step::kNone && depth++ <= steps.size();
       above = steps[above].parent) {
    const Step& holder = steps[above];
    if (holder.took == kNoDuration) continue;
    if (start == kNoTime || holder.start.time == kNoTime) return above;
    if (start <= after(holder.start.time, holder.took)) return above;
  }
  return Step::kNone;
}

/// Decides for each figure whether it counts. What is a part of something is counted with it, what
/// was done again is counted as it went last.
void find_not_counted(std::vector<Step>& steps) {
  std::vector<size_t> attempt(steps.size(), Step::kNone);  // the attempt that failed around it
  std::vector<bool> told_within[4];
  for (std::vector<bool>& told : told_within) told.resize(steps.size());
  std::vector<size_t> teller(steps.size(), Step::kNone);
  for (size_t i = 0; i < steps.size(); ++i)
    for (size_t above = i, depth = 0; above != Step::kNone && depth <= steps.size(); ++depth) {
      if (steps[above].retried_as != Step::kNone && attempt[i] == Step::kNone) attempt[i] = above;
      if (steps[above].call) break;  // what led to a call does not hold it
      above = steps[above].parent;
      if (above == Step::kNone) break;
      for (size_t metric = 1; metric < 4; ++metric)
        if (has_metric(steps[i], metric)) {
          told_within[metric][above] = true;
          teller[above] = i;
        }
    }
  for (size_t i = 0; i < steps.size(); ++i) {
    Step& step = steps[i];
    size_t holder = holder_of(steps, i);
    for (size_t metric = 0; metric < 4; ++metric) {
      if (!has_metric(step, metric)) continue;
      if (attempt[i] != Step::kNone)
        step.not_counted.push_back(
            {kMetrics[metric], NotCounted::Why::retried, steps[attempt[i]].retried_as});
      else if (metric == 0 && holder != Step::kNone)
        step.not_counted.push_back({kMetrics[metric], NotCounted::Why::within, holder});
      else if (metric > 0 && told_within[metric][i])
        step.not_counted.push_back({kMetrics[metric], NotCounted::Why::told_within, teller[i]});
    }
  }
}

TraceTotals sum_of(const std::vector<Step>& steps) {
  TraceTotals totals;
  Time first = Time::max(), last = kNoTime;
  for (const Step& step : steps) {
    auto sum = [&](std::string_view metric, int64_t& total, int64_t count) {
      if (step.counts(metric)) total = sum_of_known({total, count});
    };
    if (step.counts(kMetrics[0])) totals.latency = sum_of_known(totals.latency, step.took);
    sum(kMetrics[1], totals.tokens.input, step.record.tokens.input);
    sum(kMetrics[1], totals.tokens.cache_read, step.record.tokens.cache_read);
    sum(kMetrics[1], totals.tokens.cache_creation, step.record.tokens.cache_creation);
    sum(kMetrics[2], totals.tokens.output, step.record.tokens.output);
    sum(kMetrics[3], totals.cost, step.record.cost);
    totals.failed += step.outcome == Outcome::error;
    totals.retried += step.retried_as != Step::kNone;
    totals.repeated += step.records - 1;
    if (step.start.time == kNoTime) continue;
    if (step.start.time < first) totals.started = step.start;
    first = std::min(first, step.start.time);
    last = std::max(last, after(step.start.time, step.took));
  }
  if (last != kNoTime) totals.wall = elapsed(first, last);
  return totals;
}

void visit(const Step& step, size_t at, Visited& visited) {
  for (const VisitedNode& node : step.record.nodes) visited.add(node, at);
  for (const VisitedEdge& edge : step.record.edges) visited.add(edge, at);
}

/// Where no step tells of a graph, the documents that were looked at are what was visited.
void visit_documents(const std::vector<Step>& steps, Visited& visited) {
  for (size_t i = 0; i < steps.size(); ++i)
    for (const EvidenceRef& evidence : steps[i].record.evidence) {
      VisitedNode node;
      node.id = evidence.doc_id.empty() ? evidence.url : evidence.doc_id;
      node.label = "Document";
      node.name = evidence.heading;
      node.sensitivity = evidence.sensitivity;
      for (const std::string& unit : {evidence.unit_id, evidence.id})
        if (!unit.empty()) node.evidence.push_back(unit);
      if (!node.id.empty()) visited.add(node, i);
    }
}

}  // namespace

bool is_beyond(std::string_view sensitivity, std::string_view clearance) {
  return !clearance.empty() && !sensitivity.empty() && rank_of(sensitivity) > rank_of(clearance);
}

std::span<const std::string_view> clearances() {
  return kClearances;
}

bool Step::counts(std::string_view metric) const {
  return std::none_of(not_counted.begin(), not_counted.end(),
                      [&](const NotCounted& one) { return one.metric == metric; });
}

QueryTrace::QueryTrace(const Question& question, const Query& of) : query(of) {
  std::vector<Step> others;
  steps = SpanSteps(question, of).collect(others);
  if (!of.calls.empty()) {
    size_t before = steps.size();
    for (Step& step : steps_of_calls(question, of)) {
      if (step.parent != Step::kNone) step.parent += before;
      steps.push_back(std::move(step));
    }
  }
  find_retries(steps);
  find_not_counted(steps);
  totals = sum_of(steps);
  for (size_t i = 0; i < steps.size(); ++i) visit(steps[i], i, visited);
  // What was told of the query as a whole stands with its last step.
  for (const Step& other : others) visit(other, steps.empty() ? 0 : steps.size() - 1, visited);
  if (visited.nodes().empty()) visit_documents(steps, visited);
  auto gather = [&](const std::vector<Step>& from) {
    for (const Step& step : from) {
      citations.insert(citations.end(), step.record.citations.begin(), step.record.citations.end());
      if (!step.record.mode.empty()) modes.insert(step.record.mode);
      if (!step.record.graph_version.empty()) graph_versions.insert(step.record.graph_version);
      if (!step.record.snapshot_ref.empty()) snapshots.insert(step.record.snapshot_ref);
    }
  };
  gather(steps);
  gather(others);
  // What the query as a whole rests on is what its answer cites.
  for (const Step& other : others)
    citations.insert(citations.end(), other.record.evidence.begin(), other.record.evidence.end());
}

std::set<std::string> QueryTrace::cited() const {
  std::set<std::string> ids;
  auto add = [&](const std::vector<EvidenceRef>& refs) {
    for (const EvidenceRef& ref : refs)
      for (const std::string& id : {ref.id, ref.unit_id, ref.doc_id, ref.community_id, ref.url})
        if (!id.empty()) ids.insert(id);
  };
  add(citations);
  for (size_t i = steps.size(); i-- > 0 && ids.empty();) add(steps[i].record.evidence);
  return ids;
}

}  // namespace xtrace
