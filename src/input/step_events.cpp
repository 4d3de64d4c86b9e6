#include <fmt/format.h>

#include "input/answer.h"
#include "input/exchange.h"
#include "input/format.h"
#include "input/graph_parts.h"
#include "input/reader.h"

namespace xtrace {

// What the nodes of a query pipeline report, one step a record (design 003):
//
//   {"queryId", "traceId", "projectId", "mode", "node", "timestamp": start, "status",
//    "metrics": {"latency_ms", "tokens_in", "tokens_out", "cost_usd", "provider", "model"},
//    "params": {…}, "inputs", "outputs", "evidenceRefs": […], "subgraph": {"nodes", "edges"},
//    "citations": […], "graphVersion", "snapshotRef", "stepId", "parentId", "attempt"}
//
// A record without `node` is no step: it tells of the query as a whole.

namespace {

bool names_query(std::string_view key) {
  return is_key(key, "queryid") || is_key(key, "traceid");
}

bool is_start(std::string_view key) {
  return key == "timestamp" || is_key(key, "starttime") || key == "start" || key == "at";
}

/// Is it told here what came of a query?
bool tells_of_query(std::string_view key, json::element value) {
  return (key == "node" && json::is_string(value)) || is_key(key, "evidencerefs") ||
         (key == "subgraph" && json::is_object(value)) ||
         (key == "citations" && json::is_array(value));
}

Outcome read_outcome(std::string_view status, bool has_error) {
  if (status == "ok" || status == "OK" || status == "success" || status == "completed")
    return Outcome::ok;
  if (status == "unknown" || status == "running") return Outcome::unknown;
  return has_error || !status.empty() ? Outcome::error : Outcome::ok;
}

/// Either under `metrics` or beside it; `cost` may hold a few of them.
void read_metric(std::string_view key, json::element value, StepRecord& step, Duration& took) {
  if (is_key(key, "latencyms") || is_key(key, "durationms"))
    took = read_milliseconds(value);
  else if (is_key(key, "tokensin") || is_key(key, "inputtokens"))
    step.tokens.input = json::count(value, kNoCount);
  else if (is_key(key, "tokensout") || is_key(key, "outputtokens"))
    step.tokens.output = json::count(value, kNoCount);
  else if (is_key(key, "tokenscached") || is_key(key, "cachereadtokens"))
    step.tokens.cache_read = json::count(value, kNoCount);
  else if (is_key(key, "costusd") || key == "usd")
    step.cost = read_dollars(value);
  else if (key == "provider")
    step.provider = name_of(value);
  else if (key == "model")
    step.model = name_of(value);
  else if (key == "cost" && !json::is_object(value))
    step.cost = read_dollars(value);
  else if (key == "cost")
    json::fields(value, [&](std::string_view part, json::element amount) {
      read_metric(part, amount, step, took);
    });
}

}  // namespace

bool fits_step_event(json::element record) {
  bool named = false, tells = false, is_call = false;
  json::fields(record, [&](std::string_view key, json::element value) {
    named |= names_query(key) && !name_of(value).empty();
    tells |= tells_of_query(key, value);
    is_call |= key == "request" || key == "body" || key == "operationName";
  });
  return named && tells && !is_call;
}

void read_step_event(json::element record, std::string_view text, const Extent& at,
                     Reader& reader) {
  Shard& shard = reader.shard();
  Span span;
  span.source = at;
  span.source.length = static_cast<uint32_t>(text.size());
  std::string status, id, parent, trace, query;
  std::optional<Moment> start, end;
  StepRecord step;
  bool has_error = false;
  json::fields(record, [&](std::string_view key, json::element value) {
    if (is_key(key, "queryid"))
      query = name_of(value);
    else if (is_key(key, "traceid"))
      trace = name_of(value);
    else if (is_key(key, "projectid"))
      span.project = shard.intern(name_of(value));
    else if (key == "node")
      span.operation = shard.intern(json::text(value));
    else if (is_key(key, "stepid") || is_key(key, "spanid") || is_key(key, "eventid") ||
             (key == "id" && id.empty()))
      id = name_of(value);
    else if (is_key(key, "parentid") || is_key(key, "parentspanid") || is_key(key, "parentstepid"))
      parent = name_of(value);
    else if (is_start(key))
      start = read_moment(value);
    else if (is_key(key, "endtime") || key == "end")
      end = read_moment(value);
    else if (key == "status")
      status = name_of(value);
    else if (key == "error")
      has_error = !value.is_null();
    else if (key == "metrics")
      json::fields(value, [&](std::string_view part, json::element amount) {
        read_metric(part, amount, step, span.duration);
      });
    else
      read_metric(key, value, step, span.duration);
  });
  if (start) span.start = start->time;
  if (span.duration == kNoDuration && start && end) span.duration = elapsed(start->time, end->time);
  if (id.empty()) id = fmt::format("step-{}", hex(reader.digest()).substr(0, 12));
  span.id = shard.intern(id);
  span.trace = shard.intern(trace.empty() ? query : trace);
  span.query = shard.intern(query);
  span.service = span.project;
  span.kind = SpanKind::internal;
  span.outcome = read_outcome(status, has_error);
  SpanParent above{shard.intern(parent), span.trace, false};
  shard.add(span, std::span(&above, parent.empty() ? 0 : 1));
}

void read_step_record(json::element record, StepRecord& step) {
  Duration ignored = kNoDuration;
  json::fields(record, [&](std::string_view key, json::element value) {
    if (key == "node")
      step.node = json::text(value);
    else if (is_start(key))
      step.start = read_moment(value).value_or(Moment());
    else if (key == "mode")
      step.mode = name_of(value);
    else if (is_key(key, "graphversion"))
      step.graph_version = name_of(value);
    else if (is_key(key, "snapshotref"))
      step.snapshot_ref = name_of(value);
    else if (key == "kind" || key == "type")
      step.kind = name_of(value);
    else if (key == "agent")
      step.agent = name_of(value);
    else if (key == "tool")
      step.tool = name_of(value);
    else if (key == "error")
      step.error = error_class(value);
    else if (key == "sensitivity")
      step.sensitivity = name_of(value);
    else if (key == "order" || key == "seq")
      step.order = json::count(value, kNoCount);
    else if (key == "attempt")
      step.attempt = json::count(value, kNoCount);
    else if (key == "params")
      read_params(value, step.params);
    else if (key == "inputs" || key == "input")
      step.inputs = written(value);
    else if (key == "outputs" || key == "output" || key == "answer")
      step.outputs = written(value);
    else if (is_key(key, "evidencerefs"))
      read_evidence(value, step.evidence);
    else if (key == "citations")
      read_evidence(value, step.citations);
    else if (key == "subgraph")
      read_subgraph(value, step);
    else if (key == "metrics")
      json::fields(value, [&](std::string_view part, json::element amount) {
        read_metric(part, amount, step, ignored);
      });
    else if (!read_graph_list(key, value, step))
      read_metric(key, value, step, ignored);
  });
}

}  // namespace xtrace
