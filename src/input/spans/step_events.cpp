#include "input/spans/step_events.h"

#include <fmt/format.h>

#include <cmath>

#include "base/hex.h"
#include "base/one_of.h"
#include "input/calls/error_word.h"
#include "input/common/ending.h"
#include "input/common/format.h"
#include "input/common/graph_parts.h"
#include "input/common/moments.h"
#include "input/common/record_context.h"
#include "input/spans/plain_value.h"

namespace xtrace {

// What the nodes of a query pipeline report, one step a record (facts/step.h):
//
//   {"queryId", "traceId", "projectId", "mode", "node", "timestamp": start, "status",
//    "metrics": {"latency_ms", "tokens_in", "tokens_out", "cost_usd", "provider", "model"},
//    "params": {…}, "inputs", "outputs", "evidenceRefs": […], "subgraph": {"nodes", "edges"},
//    "citations": […], "graphVersion", "snapshotRef", "stepId", "parentId", "attempt", "order"}
//
// Some of it may be told elsewhere: `context: {"queryId", "traceId"}`, `"cost.tokens_in"`,
// `parentStepIds` where several steps led to one.
// A record without `node` is no step: it tells of the query as a whole.

namespace {

bool names_query(std::string_view key) {
  return is_key(key, "queryid") || is_key(key, "traceid");
}

bool is_start(std::string_view key) {
  return key == "timestamp" || is_key(key, "starttime") || is_key(key, "startedat") ||
         key == "start" || key == "at";
}

bool is_end(std::string_view key) {
  return is_key(key, "endtime") || is_key(key, "endedat") || is_key(key, "finishedat") ||
         key == "end";
}

/// A step that several led to names them in a list.
bool is_parent(std::string_view key) {
  for (std::string_view plain :
       {"parentid", "parentspanid", "parentstepid", "parentids", "parentspanids", "parentstepids"})
    if (is_key(key, plain)) return true;
  return false;
}

/// Is it told here what came of a query?
bool tells_of_query(std::string_view key, json::element value) {
  return (key == "node" && json::is_string(value)) || is_key(key, "evidencerefs") ||
         (key == "subgraph" && json::is_object(value)) ||
         (key == "citations" && json::is_array(value));
}

/// Does it hold what came of the step? Then that has ended.
bool is_result(std::string_view key, json::element value) {
  return !value.is_null() &&
         (is_one_of(key, {"outputs", "output", "answer", "citations", "metrics", "cost"}) ||
          is_key(key, "evidencerefs"));
}

/// A number, also one that is written as text. False: it is none that can be used.
bool read_amount(json::element value, double& amount) {
  amount = number_in(value).value_or(-1);
  return amount >= 0 && amount < 9e15;
}

bool read_count(json::element value, int64_t& count) {
  double amount = 0;
  if (value.is_null()) return true;
  if (!read_amount(value, amount) || amount != std::floor(amount)) return false;
  count = static_cast<int64_t>(amount);
  return true;
}

bool read_length(json::element value, Duration& length) {
  double ms = 0;
  constexpr double kCentury = 100.0 * 366 * 86400 * 1000;
  if (value.is_null()) return true;
  if (!read_amount(value, ms) || ms > kCentury) return false;
  length = Duration(std::llround(ms * 1e6));
  return true;
}

bool read_cost(json::element value, int64_t& cost) {
  double dollars = 0;
  if (value.is_null()) return true;
  if (!read_amount(value, dollars) || dollars > kMostDollars) return false;
  cost = std::llround(dollars * 1e9);
  return true;
}

/// `cost.tokens_in` and `metrics.tokens_in` are the flat names of what may be in an object.
std::string_view without_group(std::string_view key) {
  for (std::string_view group : {"metrics.", "cost.", "attributes."})
    if (key.starts_with(group) && key.size() > group.size()) key.remove_prefix(group.size());
  return key;
}

/// What a step used up.
struct StepMetrics {
  std::string model, asked_model, provider;
  Tokens tokens;
  int64_t cost = kNoCount;
  Duration took = kNoDuration;
  bool output_is_low = false;
};

/// Either under `metrics` or beside it; `cost` may hold a few of them, and so may `attributes`.
/// False: it is one and cannot be used.
bool read_metric(std::string_view name, json::element value, StepMetrics& step) {
  std::string_view key = without_group(name);
  if (is_key(key, "latencyms") || is_key(key, "durationms") || key == "latency.ms")
    return read_length(value, step.took);
  if (is_key(key, "tokensin") || is_key(key, "inputtokens") || key == "tokens.in")
    return read_count(value, step.tokens.input);
  if (is_key(key, "tokensout") || is_key(key, "outputtokens") || key == "tokens.out")
    return read_count(value, step.tokens.output);
  if (is_key(key, "tokenscached") || is_key(key, "cachereadtokens"))
    return read_count(value, step.tokens.cache_read);
  if (is_key(key, "tokenscacheread")) return read_count(value, step.tokens.cache_read);
  if (is_key(key, "tokenscachecreation")) return read_count(value, step.tokens.cache_creation);
  if (is_key(key, "outputislow")) step.output_is_low = json::is_true(value);
  if (is_key(key, "requestedmodel")) step.asked_model = name_of(value);
  if (is_key(key, "costusd") || key == "usd") return read_cost(value, step.cost);
  if (key == "provider") step.provider = name_of(value);
  if (key == "model") step.model = name_of(value);
  if (key != "cost" && key != "metrics" && key != "attributes") return true;
  if (key == "cost" && !json::is_object(value)) return read_cost(value, step.cost);
  bool usable = true;
  json::fields(value, [&](std::string_view part, json::element amount) {
    usable &= read_metric(part, amount, step);
  });
  return usable;
}

}  // namespace

bool fits_step_event(json::element record) {
  bool named = false, tells = false, is_call = false;
  json::fields(record, [&](std::string_view key, json::element value) {
    named |= names_query(key) && !name_of(value).empty();
    if (key == "context")
      json::fields(value, [&](std::string_view part, json::element id) {
        named |= names_query(part) && !name_of(id).empty();
      });
    tells |= tells_of_query(key, value);
    is_call |= key == "request" || key == "body" || key == "operationName";
  });
  return named && tells && !is_call;
}

namespace {

/// One, or a list of them.
void read_parents(json::element value, std::vector<std::string>& parents) {
  auto add = [&](json::element named) {
    if (std::string parent = name_of(named); !parent.empty()) parents.push_back(std::move(parent));
  };
  if (json::is_array(value))
    json::items(value, add);
  else
    add(value);
}

/// A step that names a model, or counts tokens, asked one; another one may have cost something too.
GenAi usage_of(const StepMetrics& step, Shard& shard) {
  GenAi told;
  if (!step.model.empty() || step.tokens != Tokens()) told.role = GenAi::Role::model;
  told.model = shard.intern(step.model);
  told.provider = shard.intern(step.provider);
  told.tokens = step.tokens;
  told.cost = step.cost;
  told.output_is_low = step.output_is_low;
  return told;
}

void read_step_event(json::element record, std::string_view, const Extent& at,
                     RecordContext& context) {
  read_step_of(record, at, {}, context);
}

}  // namespace

void read_step_of(json::element record, const Extent& at, TraceHead head, RecordContext& context) {
  Shard& shard = context.shard;
  Span span;
  span.source = at;
  std::string id, trace, query, context_trace, context_query, context_project;
  std::vector<std::string> parents;
  std::optional<Moment> start, end;
  StepMetrics step;
  Ending ending;
  bool usable = true;
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
    else if (is_parent(key))
      read_parents(value, parents);
    else if (head.is_answer && key == "service")
      span.service = shard.intern(name_of(value));
    else if (head.is_answer && key == "source")
      span.from = shard.intern(name_of(value));
    else if (head.is_answer && key == "target")
      span.to = shard.intern(name_of(value));
    else if (is_start(key))
      start = read_moment(value);
    else if (is_end(key))
      end = read_moment(value);
    else if (key == "context")
      json::fields(value, [&](std::string_view part, json::element of) {
        if (is_key(part, "queryid")) context_query = name_of(of);
        if (is_key(part, "traceid")) context_trace = name_of(of);
        if (is_key(part, "projectid")) context_project = name_of(of);
      });
    else if (!read_ending(key, value, ending))
      usable &= read_metric(key, value, step);
    ending.has_end |= is_result(key, value);
  });
  if (!usable)
    shard.complain(Complaint::Kind::field, at,
                   "a metric is not a usable number; treated as unknown");
  for (std::string* other : {&context_query, &head.query})
    if (query.empty()) query = std::move(*other);
  for (std::string* other : {&context_trace, &head.trace})
    if (trace.empty()) trace = std::move(*other);
  for (const std::string* other : {&context_project, &head.project})
    if (!span.project) span.project = shard.intern(*other);
  if (id.empty()) id = std::move(head.step);
  if (parents.empty()) parents = std::move(head.parents);
  if (start) span.start = start->time;
  span.duration = step.took;
  if (span.duration == kNoDuration && start && end) span.duration = elapsed(start->time, end->time);
  if (id.empty()) id = fmt::format("step-{}", hex(context.digest).substr(0, 12));
  span.id = shard.intern(id);
  span.trace = shard.intern(trace.empty() ? query : trace);
  span.query = shard.intern(query);
  if (!span.service) span.service = span.project;
  span.kind = SpanKind::internal;
  ending.has_end |= span.duration != kNoDuration || end || step.tokens != Tokens();
  ending.has_end |= !span.operation;  // no step, but what is told of the query
  span.outcome = ending.outcome();
  if (!step.model.empty() || step.tokens != Tokens() || step.cost >= 0)
    span.gen_ai = shard.add(usage_of(step, shard));
  std::vector<SpanParent> above;
  above.reserve(parents.size());
  for (const std::string& parent : parents)
    above.push_back({shard.intern(parent), span.trace, head.follows});
  shard.add(span, above);
}

namespace {

/// The place that the log gives a step; the most particular word for it counts.
void read_order(std::string_view key, json::element value, StepRecord& step) {
  int64_t place = json::count(value, kNoCount);
  bool is_own = key == "order" || key == "seq";
  if (place >= 0 && (is_own || step.order < 0)) step.order = place;
}

}  // namespace

void read_step_record(json::element record, StepRecord& step) {
  StepMetrics metrics;
  json::fields(record, [&](std::string_view key, json::element value) {
    if (is_start(key))
      step.start = read_moment(value).value_or(step.start);
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
    else if (is_key(key, "tooluseid"))
      step.tool_call = name_of(value);
    else if (key == "error")
      step.error = error_word(value);
    else if (read_label(key, value, step.sensitivity))
      return;
    else if (key == "withheld")
      step.is_withheld = json::is_true(value);
    else if (key == "evidence_omitted")
      step.omitted.evidence = json::count(value, 0);
    else if (key == "order" || key == "seq" || key == "step" || key == "index" ||
             is_key(key, "stepindex"))
      read_order(key, value, step);
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
    else if (!read_graph_list(key, value, step))
      read_metric(key, value, metrics);
  });
  step.asked_model = std::move(metrics.asked_model);
  step.stated = stated_label(record);
}

extern constinit const Format kStepEvents = {
    .name = "step-events",
    .summary = "one step of a query per line: queryId, node, metrics, evidenceRefs, subgraph",
    .fits = fits_step_event,
    .needs = "queryId|traceId|context node|evidenceRefs|subgraph|citations",
    .read = read_step_event,
    .step = read_step_record,
};

}  // namespace xtrace
