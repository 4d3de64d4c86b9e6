#include "view/query/query_steps.h"

#include <algorithm>
#include <functional>
#include <map>
#include <numeric>
#include <queue>
#include <tuple>

#include "base/address.h"
#include "base/walk_up.h"
#include "facts/row_or_empty.h"
#include "facts/tool_targets.h"
#include "link/calls/agents.h"
#include "link/story/story.h"

namespace xtrace {

namespace {

/// Collects the steps of a query that spans record.
class SpanSteps {
 public:
  SpanSteps(const Question& question, const Query& query)
      : question_(question), trace_(question.graph.trace()), query_(query) {}

  QuerySteps collect() {
    for (SpanId id : query_.spans) add(id);
    const bool is_numbered = sort();
    for (size_t i = 0; i < steps_.size(); ++i)
      by_name_.emplace(std::pair(trace_of(steps_[i]), name_of(steps_[i])), i);
    bool has_parents = false;
    for (size_t i = 0; i < steps_.size(); ++i) has_parents |= find_parents(i);
    // Of the steps of a circle, the one that was met first loses its parent.
    break_circles(
        steps_.size(), [this](size_t i) { return steps_[i].parent; },
        [this](size_t i) { steps_[i].parent = Step::kNone; });
    if (!is_numbered && has_parents) put_parents_first();
    bool is_timed = std::any_of(steps_.begin(), steps_.end(),
                                [](const Step& step) { return step.start.time != kNoTime; });
    OrderedBy by = is_numbered   ? OrderedBy::order
                   : is_timed    ? OrderedBy::time
                   : has_parents ? OrderedBy::parents
                                 : OrderedBy::input;
    return {std::move(steps_), std::move(others_), by};
  }

 private:
  const Span& span_of(const Step& step) const { return trace_[step.span]; }
  std::string_view name_of(const Step& step) const { return trace_[span_of(step).shown_id()]; }
  std::string_view trace_of(const Step& step) const { return trace_[span_of(step).trace]; }

  void add(SpanId id) {
    const Span& span = trace_[id];
    Step step;
    step.span = id;
    step.at = span.source;
    if (question_.payloads != nullptr) step.record = question_.payloads->step(span);
    const GenAi& used = row_or_empty(trace_, span.gen_ai);
    step.model = trace_[used.model];
    step.provider = trace_[used.provider];
    step.tokens = used.tokens;
    step.cost = used.cost;
    step.output_is_low = used.output_is_low;
    if (step.record.asked_model == step.model) step.record.asked_model.clear();
    take_known_elsewhere(step);
    step.node = trace_[span.operation];
    // A node of a graph has a type, and no name.
    if (step.node.empty() && span.task_step && trace_[span.task_step].is_graph_node)
      step.node = word(trace_[span.task_step].type);
    bool is_step = !step.node.empty() || span.kind != SpanKind::internal;
    if (trace_[span.service] != query_.project) step.service = trace_[span.service];
    step.from = trace_[span.from];
    step.to = trace_[span.to];
    step.start = step.record.start;
    if (step.start.time == kNoTime) step.start = {span.start, 6};
    step.took = span.duration;
    step.outcome = span.outcome;
    if (is_step && is_known(step)) return;
    (is_step ? steps_ : others_).push_back(std::move(step));
  }

  /// Tokens and cost that only other records of the same call state.
  void take_known_elsewhere(Step& step) const {
    const Activities& activities = question_.graph.activities();
    const ActivityId at = activities.of_span[step.span.index];
    if (!at) return;
    const Activity& done = activities[at];
    const bool is_same =
        total_of(step.tokens) == kNoCount || (step.tokens.output == done.tokens.output &&
                                              tokens_sent(step.tokens) == tokens_sent(done.tokens));
    if (is_same) step.tokens = done.tokens;
    if (step.cost < 0 && done.cost_is_recorded) step.cost = done.cost;
  }

  /// At-least-once delivery brings the same record again, and a document about a query repeats its
  /// log. A record that only has the same id is another step.
  bool is_known(Step& step) {
    const auto stated = [](const Step& of) {
      return std::tie(of.node, of.model, of.provider, of.tokens, of.cost, of.record);
    };
    const Span& span = span_of(step);
    std::vector<size_t>& alike =
        seen_[{trace_[span.trace], trace_[span.id], span.start, span.duration, span.outcome}];
    for (size_t i : alike) {
      Step& known = steps_[i];
      const bool is_retold =
          known.record.is_retold != step.record.is_retold && known.node == step.node;
      if (!is_retold && stated(known) != stated(step)) continue;
      ++known.records;
      if (known.record.is_retold && !step.record.is_retold) {  // the log records more
        step.records = known.records;
        known = std::move(step);
      }
      return true;
    }
    alike.push_back(steps_.size());
    return false;
  }

  /// By the log's own numbers if every step has one; else by start; a step without a time follows
  /// the one recorded before it. True: by the numbers.
  bool sort() {
    std::sort(steps_.begin(), steps_.end(), [](const Step& a, const Step& b) {
      return a.span.index < b.span.index;  // as in the input
    });
    bool is_numbered =
        !steps_.empty() && std::all_of(steps_.begin(), steps_.end(),
                                       [](const Step& step) { return step.record.order >= 0; });
    if (is_numbered) {
      std::stable_sort(steps_.begin(), steps_.end(), [](const Step& a, const Step& b) {
        return std::tuple(a.record.order, a.start.time) < std::tuple(b.record.order, b.start.time);
      });
      return true;
    }
    std::vector<Time> times;
    for (const Step& step : steps_)
      times.push_back(step.start.time != kNoTime ? step.start.time
                      : times.empty()            ? kNoTime
                                                 : times.back());
    std::vector<size_t> order(steps_.size());
    std::iota(order.begin(), order.end(), size_t{0});
    std::stable_sort(order.begin(), order.end(),
                     [&](size_t a, size_t b) { return times[a] < times[b]; });
    rearrange(order);
    return false;
  }

  /// `order`: the steps in their new order, by their current index.
  void rearrange(const std::vector<size_t>& order) {
    std::vector<size_t> place(steps_.size());
    for (size_t i = 0; i < order.size(); ++i) place[order[i]] = i;
    std::vector<Step> arranged;
    arranged.reserve(steps_.size());
    for (size_t at : order) {
      Step& step = arranged.emplace_back(std::move(steps_[at]));
      if (step.parent != Step::kNone) step.parent = place[step.parent];
      for (size_t& joined : step.joins) joined = place[joined];
    }
    steps_ = std::move(arranged);
  }

  /// Clocks differ, and some logs have none, but causes still precede their effects.
  void put_parents_first() {
    std::vector<std::vector<size_t>> children(steps_.size());
    std::vector<size_t> missing(steps_.size());
    auto lead = [&](size_t from, size_t to) {
      children[from].push_back(to);
      ++missing[to];
    };
    for (size_t i = 0; i < steps_.size(); ++i) {
      if (steps_[i].parent != Step::kNone) lead(steps_[i].parent, i);
      for (size_t joined : steps_[i].joins) lead(joined, i);
    }
    std::priority_queue<size_t, std::vector<size_t>, std::greater<>> ready;
    for (size_t i = 0; i < steps_.size(); ++i)
      if (missing[i] == 0) ready.push(i);
    std::vector<size_t> order;
    std::vector<bool> done(steps_.size());
    size_t first = 0;  // of those that may not be done yet
    while (order.size() < steps_.size()) {
      if (ready.empty()) {  // joins may lead in a circle
        while (done[first]) ++first;
        ready.push(first);
      }
      size_t at = ready.top();
      ready.pop();
      if (done[at]) continue;
      done[at] = true;
      order.push_back(at);
      for (size_t child : children[at])
        if (missing[child] > 0 && --missing[child] == 0) ready.push(child);
    }
    rearrange(order);
  }

  /// True: it has any.
  bool find_parents(size_t i) {
    const Span& span = span_of(steps_[i]);
    for (uint32_t p = span.first_parent; p < span.first_parent + span.parents; ++p) {
      const SpanParent& parent = trace_.span_parents[p];
      auto found = by_name_.find(
          std::pair(trace_[parent.trace ? parent.trace : span.trace], trace_[parent.span]));
      if (found == by_name_.end() || found->second == i) continue;
      std::vector<size_t>& joins = steps_[i].joins;
      if (steps_[i].parent == Step::kNone)
        steps_[i].parent = found->second;
      else if (found->second != steps_[i].parent && !parent.is_alternative &&
               std::find(joins.begin(), joins.end(), found->second) == joins.end())
        joins.push_back(found->second);
    }
    return steps_[i].parent != Step::kNone;
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
    step.node = agent_name(graph.agent_of(id));
    step.record.kind = "inference";
    step.model = trace[call.model];
    if (call.asked_model != call.model) step.record.asked_model = trace[call.asked_model];
    step.record.error = trace[call.error];
    const Activity& done = graph.activities().of(id);
    step.tokens = done.tokens;
    step.cost = done.cost_is_recorded ? done.cost : kNoCount;
    step.output_is_low = done.output_is_low;
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
      evidence.is_open = link.is_open;
      evidence.tool = trace[use.name];
      // Of a tool that worked on several files one for each.
      std::vector<StringId> targets = targets_of(trace, use);
      if (targets.empty()) targets.emplace_back();
      for (StringId each : targets) {
        const std::string_view target = trace[each];
        EvidenceRef& of_one = step.record.evidence.emplace_back(evidence);
        (host_of(target).empty() ? of_one.doc_id : of_one.url) = target;
      }
    }
    if (question.shows_payload()) {
      Excerpt said = question.payloads->read(call);
      step.record.inputs = std::move(said.prompt);
      step.record.tool_arguments = std::move(said.tool_arguments);
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

QuerySteps steps_of(const Question& question, const Query& query) {
  QuerySteps found = SpanSteps(question, query).collect();
  size_t before = found.steps.size();
  for (Step& step : steps_of_calls(question, query)) {
    if (step.parent != Step::kNone) step.parent += before;
    found.steps.push_back(std::move(step));
  }
  if (before == 0 && !found.steps.empty()) found.by = OrderedBy::time;
  return found;
}

}  // namespace xtrace
