#include "view/query_trace.h"

#include <algorithm>
#include <map>

#include "view/field.h"

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

QueryTrace::QueryTrace(const Question& question, const Query& of) : query(of) {
  std::vector<Step> others;
  steps = steps_of(question, of, others);
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
