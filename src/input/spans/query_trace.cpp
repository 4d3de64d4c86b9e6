#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "input/common/format.h"
#include "input/common/graph_parts.h"
#include "input/common/item_places.h"
#include "input/common/record_context.h"
#include "input/spans/step_events.h"

namespace xtrace {

// A query trace as one document, as pipelines publish it and as `xtrace trace` writes it:
//
//   {"queryId", "traceId", "projectId", "mode", "steps": [{"node", "params", "metrics", …}, …],
//    "subgraph": {"nodes", "edges"}, "citations": […]}
//
// or {"traces": [such, …]}. Each step is a span, as a step event is. What is around the steps is a
// record without a node: it tells of the query as a whole.

namespace {

constexpr std::string_view kOwn = "xtrace.trace/";

bool has_steps(json::element trace) {
  bool is_named = false, is_of_nodes = false;
  json::fields(trace, [&](std::string_view key, json::element value) {
    is_named |= (is_key(key, "queryid") || is_key(key, "traceid")) && !name_of(value).empty();
    if (key != "steps" || !json::is_array(value)) return;
    is_of_nodes = true;
    json::items(value,
                [&](json::element step) { is_of_nodes &= !json::text_at(step, "node").empty(); });
  });
  return is_named && is_of_nodes;
}

bool fits_query_trace(json::element record) {
  if (has_steps(record)) return true;
  json::element traces;
  bool all = json::find(record, "traces", traces) && json::is_array(traces);
  if (!all || !json::text_at(record, "schema").starts_with(kOwn)) return false;
  json::items(traces, [&](json::element trace) { all &= has_steps(trace); });
  return all;
}

bool is_traces(std::string_view key) {
  return key == "traces";
}
bool is_steps(std::string_view key) {
  return key == "steps";
}
bool is_nothing(std::string_view) {
  return false;
}

/// Answers name the steps that led to one by their numbers.
using StepIds = std::map<int64_t, std::string>;

StepIds ids_of(json::element steps) {
  StepIds ids;
  int64_t place = 0;
  json::items(steps, [&](json::element step) {
    ++place;
    int64_t order = place;
    std::string id;
    json::fields(step, [&](std::string_view key, json::element value) {
      if (key == "order") order = json::count(value, place);
      if (key == "id" || is_key(key, "stepid") || is_key(key, "spanid")) id = name_of(value);
    });
    ids[order] = id.empty() ? fmt::format("step-{}", place) : id;
  });
  return ids;
}

std::vector<std::string> parents_of(json::element step, const StepIds& ids) {
  std::vector<std::string> parents;
  auto add = [&](json::element number) {
    if (auto found = ids.find(json::count(number, kNoCount)); found != ids.end())
      parents.push_back(found->second);
  };
  json::element found;
  if (json::find(step, "parents", found))
    json::items(found, add);
  else if (json::find(step, "parent", found))
    add(found);
  return parents;
}

/// Is there more than steps, ids and sums?
bool tells_of_whole(json::element trace) {
  bool tells = false;
  json::fields(trace, [&](std::string_view key, json::element) {
    tells |= key == "mode" || key == "subgraph" || key == "citations" ||
             is_key(key, "graphversion") || is_key(key, "snapshotref");
  });
  return tells;
}

constexpr struct {
  const char* of_step;
  const char* of_all;
  const char* unit;
} kSums[] = {{"metrics/latency_ms", "metrics/total_latency_ms", "ms"},
             {"metrics/tokens_in", "metrics/total_tokens_in", "tokens in"},
             {"metrics/tokens_out", "metrics/total_tokens_out", "tokens out"}};

/// What a step adds to the total: its figure, or the part of it that one of ours counts.
int64_t counted_on(json::element step, const char* figure) {
  int64_t counted = json::count_on(step, figure, kNoCount);
  const std::string_view metric = std::string_view(figure).substr(sizeof "metrics");
  json::element others;
  if (json::find(step, "not_counted", others))
    json::items(others, [&](json::element one) {
      json::element counts;
      if (json::text_at(one, "metric") != metric) return;
      counted = json::find(one, "counts", counts) ? json::count(counts, 0) : 0;
    });
  return counted;
}

/// Usage that no step states is in the totals of one of ours.
bool has_unplaced(json::element trace) {
  json::element list;
  bool has = false;
  if (json::find(trace, "unplaced", list)) json::items(list, [&](json::element) { has = true; });
  return has;
}

/// Pipelines add up more than the steps that they publish.
void compare_totals(json::element trace, json::element steps, const Extent& whole, Shard& shard) {
  std::string stated, added;
  for (const auto& sum : kSums) {
    const int64_t total = json::count_on(trace, sum.of_all, kNoCount);
    int64_t of_steps = 0;
    json::items(steps, [&](json::element step) {
      of_steps = sum_of_known({of_steps, counted_on(step, sum.of_step)});
    });
    if (total < 0 || total == of_steps) continue;
    stated += fmt::format("{}{} {}", stated.empty() ? "" : ", ", total, sum.unit);
    added += fmt::format("{}{}", added.empty() ? "" : ", ", of_steps);
  }
  if (!stated.empty())
    shard.complain(Complaint::Kind::field, whole,
                   fmt::format("the totals of the trace ({}) differ from the sums of its steps "
                               "({}); the sums are used",
                               stated, added));
}

/// A trace that was written with limits, or for readers who may not see everything, is not whole.
void report_limits(json::element trace, const Extent& whole, Shard& shard) {
  const auto of = [&](const char* name) {
    return std::max<int64_t>(json::count_on(trace, name, 0), 0);
  };
  const std::pair<int64_t, const char*> counts[] = {
      {of("limits/evidence_omitted"), "reference"},
      {of("limits/nodes_total") - of("limits/nodes_shown"), "node"},
      {of("limits/edges_total") - of("limits/edges_shown"), "edge"},
      {of("limits/withheld") + of("limits/withheld_copies"), "withheld reference"}};
  std::string missing;
  for (const auto& [count, what] : counts)
    if (count > 0)
      missing +=
          fmt::format("{}{} {}{}", missing.empty() ? "" : ", ", count, what, count == 1 ? "" : "s");
  if (!missing.empty())
    shard.complain(Complaint::Kind::field, whole,
                   "the trace was stored incompletely; omitted: " + missing);
}

void read_trace(json::element trace, bool is_answer, const Extent& whole, ItemPlaces& steps,
                RecordContext& context) {
  Shard& shard = context.shard;
  TraceHead head;
  head.is_answer = is_answer;
  json::element list;
  bool has_list = false;
  json::fields(trace, [&](std::string_view key, json::element value) {
    if (is_key(key, "queryid")) head.query = name_of(value);
    if (is_key(key, "traceid")) head.trace = name_of(value);
    if (is_key(key, "projectid")) head.project = name_of(value);
    if (key == "steps") list = value, has_list = true;
  });
  if (!has_list) return;  // somebody said that it is of this format
  if (is_answer && head.project == "default") head.project.clear();  // it represents none
  if (!has_unplaced(trace)) compare_totals(trace, list, whole, shard);
  report_limits(trace, whole, shard);
  const StepIds ids = ids_of(list);
  size_t place = 0;
  json::items(list, [&](json::element step) {
    TraceHead own = head;
    own.step = fmt::format("step-{}", ++place);
    own.parents = parents_of(step, ids);
    // Of a turn, what `xtrace trace` calls parents are the calls that led to one.
    own.follows = is_answer && json::text_at(step, "kind") == "inference";
    read_step_of(step, steps.next(), std::move(own), context);
  });
  if (!tells_of_whole(trace)) return;
  Span span;
  span.source = whole;
  span.id = shard.intern(fmt::format("trace-{}", head.query));
  span.query = shard.intern(head.query);
  span.trace = shard.intern(head.trace.empty() ? head.query : head.trace);
  span.project = span.service = shard.intern(head.project);
  span.kind = SpanKind::internal;
  span.outcome = Outcome::ok;  // it is there, and nothing that ends
  span.is_of_query = true;
  shard.add(span, {});
}

void read_query_trace(json::element record, std::string_view text, const Extent& at,
                      RecordContext& context) {
  const bool is_answer = json::text_at(record, "schema").starts_with(kOwn);
  ItemPlaces steps(text, at, is_traces, is_steps);
  json::element traces;
  if (has_steps(record) || !json::find(record, "traces", traces))
    return read_trace(record, is_answer, at, steps, context);
  ItemPlaces wholes(text, at, is_nothing, is_traces);
  json::items(traces, [&](json::element trace) {
    read_trace(trace, is_answer, wholes.next(), steps, context);
  });
}

/// What one of ours left out of the query as a whole; each step states what of it was.
Omitted read_limits(json::element limits) {
  const auto of = [&](const char* name) {
    return std::max<int64_t>(json::count_on(limits, name, 0), 0);
  };
  Omitted omitted;
  omitted.nodes = std::max<int64_t>(of("nodes_total") - of("nodes_shown"), 0);
  omitted.edges = std::max<int64_t>(of("edges_total") - of("edges_shown"), 0);
  omitted.texts = of("texts_omitted");
  omitted.copies = of("withheld_copies");
  return omitted;
}

/// A step of it, or what is around the steps: of that, inputs are files.
void read_part(json::element part, StepRecord& step) {
  step.is_retold = true;
  json::element steps;
  if (!json::find(part, "steps", steps)) return read_step_record(part, step);
  json::fields(part, [&](std::string_view key, json::element value) {
    if (key == "mode") step.mode = name_of(value);
    if (is_key(key, "graphversion")) step.graph_version = name_of(value);
    if (is_key(key, "snapshotref")) step.snapshot_ref = name_of(value);
    if (key == "limits") step.omitted = read_limits(value);
    if (key == "subgraph") read_subgraph(value, step);
    if (key == "citations") read_evidence(value, step.citations);
  });
}

}  // namespace

extern constinit const Format kQueryTrace = {
    .name = "query-trace",
    .summary = "a query trace in one document: queryId, steps, subgraph; output of `xtrace trace`",
    .fits = fits_query_trace,
    .needs = "steps|traces queryId|traceId|schema",
    .read = read_query_trace,
    .step = read_part,
};

}  // namespace xtrace
