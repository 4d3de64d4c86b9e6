#include "view/query/query_trace.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "base/names_once.h"
#include "base/time_range.h"
#include "link/activities/activities.h"
#include "link/graph/graph.h"
#include "redact/clearance.h"
#include "view/calls/unplaced.h"
#include "view/common/field.h"
#include "view/query/count_once.h"

namespace xtrace {

namespace {

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
    auto [known, is_new] = last.emplace(std::pair(steps[i].parent, steps[i].node), i);
    if (is_new) continue;
    Step& before = steps[known->second];
    bool numbered = steps[i].record.attempt > 1 && steps[i].record.attempt > before.record.attempt;
    bool neighbours = before.outcome == Outcome::error && known->second + 1 == i &&
                      before.record.params == steps[i].record.params &&
                      before.record.inputs == steps[i].record.inputs;
    if (numbered || neighbours) before.retried_as = i;
    known->second = i;
  }
}

TraceTotals sum_of(const Graph& graph, const Query& query, const std::vector<Step>& steps) {
  TraceTotals totals;
  Usage& used = totals.sum.usage;
  TimeRange time;
  for (const Step& step : steps) {
    if (step.counts(Metric::latency)) totals.latency = sum_of_known(totals.latency, step.took);
    used.add(step.counted);
    totals.failed += step.outcome == Outcome::error;
    totals.retried += step.retried_as != Step::kNone;
    totals.sum.calls += step.is_call;
    totals.sum.errors += step.is_call && step.outcome == Outcome::error;
    totals.sum.retries += step.retries;
    totals.repeated += step.records - 1;
    if (step.start.time == kNoTime) continue;
    if (time.start == kNoTime || step.start.time < time.start) totals.started = step.start;
    time.include(step.start.time, step.took);
  }
  for (size_t row : query.unplaced) used.add(usage_of(graph.activities().ledger.unplaced[row]));
  // A record may state that less was paid than the prices of its session's calls come to.
  if (used.uncharged > 0) used.cost = at_least_none(used.cost) - used.uncharged;
  for (int64_t* count : {&used.unpriced, &used.low, &used.partly})
    *count = std::max<int64_t>(*count, 0);
  totals.wall = elapsed(time.start, time.end);
  return totals;
}

/// With a clearance, a record has the label by all that states one; a call that of its line.
void take_stated_labels(const Question& question, Step& step) {
  const ClearedTexts* cleared = question.door.cleared();
  if (cleared == nullptr) return;
  const LabelRanks& labels = cleared->clearance().labels;
  const auto take = [&](auto& part, const std::string& text) {
    part.sensitivity = labels.more_sensitive(labels.more_sensitive(part.sensitivity, part.stated),
                                             label_in(text, labels));
  };
  StepRecord& record = step.record;
  take(record, {});
  const std::string& path = question.graph.trace().sources[step.at.file].path;
  record.sensitivity =
      labels.more_sensitive(record.sensitivity, cleared->label_at({path, step.at.offset}));
  for (std::vector<EvidenceRef>* refs : {&record.evidence, &record.citations})
    for (EvidenceRef& ref : *refs) take(ref, ref.text);
  for (VisitedNode& node : record.nodes) take(node, node.text);
}

/// The contents of a record are at least as sensitive as the record.
void inherit_label(StepRecord& record, const LabelRanks& labels) {
  if (record.sensitivity.empty()) return;
  auto inherit = [&](auto& parts) {
    for (auto& part : parts)
      part.sensitivity = labels.more_sensitive(part.sensitivity, record.sensitivity);
  };
  inherit(record.evidence);
  inherit(record.citations);
  inherit(record.nodes);
}

/// A unit without a label has that which another reference to the same unit, of whatever record,
/// states.
void share_labels_of_units(const std::vector<std::vector<Step>*>& all, const LabelRanks& labels) {
  std::map<std::string, std::string> known;
  const auto each_part = [&](auto each) {
    for (std::vector<Step>* steps : all)
      for (Step& step : *steps) {
        for (std::vector<EvidenceRef>* refs : {&step.record.evidence, &step.record.citations})
          for (EvidenceRef& ref : *refs) each(ref.unit_id, ref.sensitivity);
        for (VisitedNode& node : step.record.nodes) each(node.id, node.sensitivity);
      }
  };
  each_part([&](const std::string& unit, const std::string& label) {
    if (unit.empty() || label.empty()) return;
    std::string& most = known[unit];
    most = labels.more_sensitive(most, label);
  });
  each_part([&](const std::string& unit, std::string& label) {
    if (!label.empty()) return;
    if (const auto found = known.find(unit); found != known.end()) label = found->second;
  });
}

void visit(const Step& step, size_t at, Visited& visited) {
  for (const VisitedNode& node : step.record.nodes) visited.add(node, at);
  for (const VisitedEdge& edge : step.record.edges) visited.add(edge, at);
}

/// A record of the query as a whole may name the steps that visited it.
void visit_whole(const StepRecord& record, const std::vector<Step>& steps, Visited& visited) {
  std::map<int64_t, size_t> by_order;
  for (size_t i = 0; i < steps.size(); ++i) by_order.emplace(steps[i].record.order, i);
  auto add = [&](const auto& part) {
    bool is_visited = false;
    for (int64_t order : part.steps)
      if (auto found = by_order.find(order); found != by_order.end())
        visited.add(part, found->second), is_visited = true;
    if (!is_visited) visited.add(part, Visited::kNoStep);
  };
  for (const VisitedNode& node : record.nodes) add(node);
  for (const VisitedEdge& edge : record.edges) add(edge);
}

/// If no step records a graph, the documents that were read count as visited.
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

/// What two citations of the same source have in common, regardless of other details.
auto cited_by(const EvidenceRef& ref) {
  return std::tuple(ref.id, ref.doc_id, ref.unit_id, ref.url, ref.page);
}

}  // namespace

QueryTrace::QueryTrace(const Question& question, const Query& of)
    : query(of), visited(question.door.clearance().labels) {
  QuerySteps found = steps_of(question, of);
  steps = std::move(found.steps);
  ordered_by = found.by;
  std::vector<Step> others = std::move(found.others);
  for (std::vector<Step>* some : {&steps, &others})
    for (Step& step : *some) {
      take_stated_labels(question, step);
      inherit_label(step.record, question.door.clearance().labels);
    }
  if (const ClearedTexts* cleared = question.door.cleared())
    share_labels_of_units({&steps, &others}, cleared->clearance().labels);
  find_retries(steps);
  count_time(steps);
  count_usage(question.graph, steps);
  totals = sum_of(question.graph, of, steps);
  parallel = parallel_steps(steps);
  for (size_t i = 0; i < steps.size(); ++i) visit(steps[i], i, visited);
  for (const Step& other : others) visit_whole(other.record, steps, visited);
  if (visited.nodes().empty()) visit_documents(steps, visited);
  // If the log itself is there as well, nothing is missing.
  const bool is_stored =
      std::ranges::all_of(steps, [](const Step& step) { return step.record.is_retold; });
  std::set<decltype(cited_by({}))> known;
  NamesOnce all_modes, all_versions, all_snapshots;
  auto gather = [&](const std::vector<Step>& from) {
    for (const Step& step : from) {
      for (const EvidenceRef& ref : step.record.citations)
        if (const bool is_new = known.insert(cited_by(ref)).second;
            is_new || !step.record.is_retold)
          citations.push_back(ref);
      all_modes.add(step.record.mode);
      all_versions.add(step.record.graph_version);
      all_snapshots.add(step.record.snapshot_ref);
      const Omitted left_out = is_stored ? step.record.omitted : Omitted();
      omitted.nodes += left_out.nodes;
      omitted.edges += left_out.edges;
      omitted.texts += left_out.texts;
      omitted.copies += left_out.copies;
      if (step.node.empty()) {
        texts_untold += !step.record.inputs.empty();
        texts_untold += !step.record.outputs.empty();
      }
    }
  };
  gather(steps);
  gather(others);
  modes = all_modes.take();
  graph_versions = all_versions.take();
  snapshots = all_snapshots.take();
  // What the query as a whole rests on is what its answer cites.
  for (const Step& other : others)
    citations.insert(citations.end(), other.record.evidence.begin(), other.record.evidence.end());
}

size_t QueryTrace::resting_step() const {
  auto names_any = [](const std::vector<EvidenceRef>& refs) {
    return std::any_of(refs.begin(), refs.end(), [](const EvidenceRef& ref) {
      return !ref.id.empty() || !ref.unit_id.empty() || !ref.doc_id.empty() ||
             !ref.community_id.empty() || !ref.url.empty();
    });
  };
  if (names_any(citations)) return Step::kNone;
  for (size_t i = steps.size(); i-- > 0;)
    if (names_any(steps[i].record.evidence)) return i;
  return Step::kNone;
}

std::set<std::string> QueryTrace::cited() const {
  size_t step = resting_step();
  std::set<std::string> ids;
  for (const EvidenceRef& ref : step == Step::kNone ? citations : steps[step].record.evidence)
    for (const std::string& id : {ref.id, ref.unit_id, ref.doc_id, ref.community_id, ref.url})
      if (!id.empty()) ids.insert(id);
  return ids;
}

}  // namespace xtrace
