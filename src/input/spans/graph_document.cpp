#include <algorithm>

#include "base/one_of.h"
#include "input/common/ending.h"
#include "input/common/format.h"
#include "input/common/graph_parts.h"
#include "input/common/item_places.h"
#include "input/common/moments.h"
#include "input/common/record_context.h"
#include "input/spans/plain_value.h"
#include "input/spans/span_draft.h"
#include "input/spans/task_step_draft.h"

namespace xtrace {

// A graph as one document: an ExplanationGraph (facts/task_step.h), a snapshot of one that
// `follow --snapshot` kept, or what `xtrace dag` answered:
//
//   {"nodes": [{"id", "timestamp", "agent", "type": "LLM_CALL", "model", "tokensIn", "tokensOut",
//     "latencyMs", "costUsd", "status", "details": {…}}, …],
//    "edges": [{"from", "to", "relation": "TRIGGERED"}, …]}
//
// Each node is a span, and the edges are those that the graph has.

namespace {

bool is_type(std::string_view word) {
  return word == "OTHER" || read_step_type(word) != TaskStep::Type::other;
}

/// A kind of node in what `xtrace dag` answers about spans and model calls.
bool is_own_type(std::string_view word) {
  return is_one_of(word, {"span", "hop", "inference"});
}
/// One that names what it is in.
bool is_own_hop(std::string_view word) {
  return word == "span" || word == "hop";
}

bool is_graph(json::element record) {
  json::element nodes, edges;
  if (!json::find(record, "nodes", nodes) || !json::is_array(nodes)) return false;
  if (!json::find(record, "edges", edges) || !json::is_array(edges)) return false;
  const bool is_own = json::text_at(record, "schema").starts_with("xtrace.dag/");
  bool fits = true, any = false;
  json::items(nodes, [&](json::element node) {
    json::element id;
    std::string_view type = json::text_at(node, "type");
    any = true;
    fits = fits && json::find(node, "id", id) && (is_type(type) || (is_own && is_own_type(type)));
  });
  return fits && (any || is_own);
}

/// `follow --snapshot FILE.json` keeps several of one graph, the newest last.
bool is_snapshots(json::element record) {
  json::element list, graph;
  if (!json::find(record, "snapshots", list)) return false;
  bool fits = json::is_array(list), any = false;
  json::items(list, [&](json::element one) {
    any = true;
    fits = fits && json::find(one, "graph", graph) && is_graph(graph);
  });
  return fits && any;
}

bool fits_graph(json::element record) {
  return is_graph(record) || is_snapshots(record);
}

struct NodeDraft {
  Span span;
  TaskStepDraft said;
  GenAi model;
  std::string id, run, parent, status;
  std::string_view operation;
  bool has_model = false;
};

void read_tokens(json::element counts, GenAi& model) {
  Tokens& tokens = model.tokens;
  json::fields(counts, [&](std::string_view key, json::element value) {
    int64_t count = json::count(value, kNoCount);
    if (key == "input") tokens.input = count;
    if (key == "output") tokens.output = count;
    if (key == "cache_read") tokens.cache_read = count;
    if (key == "cache_creation") tokens.cache_creation = count;
    if (key == "output_is_low") model.output_is_low = json::is_true(value);
  });
}

/// An agent's name, or what `xtrace dag` answers of one: its instance where that is told, else a
/// name.
std::string_view agent_of(json::element value) {
  if (!json::is_object(value)) return json::text(value);
  const std::string_view id = json::text_at(value, "id");
  return id.empty() ? json::text_at(value, "name") : id;
}

/// What is in a node, or in its `details`.
void read_field(std::string_view key, json::element value, Shard& shard, NodeDraft& node) {
  TaskStep& step = node.said.task_step;
  Tokens& tokens = node.model.tokens;
  if (key == "id")
    node.id = name_of(value);
  else if (key == "timestamp") {
    if (std::optional<Moment> moment = read_moment(value)) node.span.start = moment->time;
  } else if (is_key(key, "latencyms") || is_key(key, "durationms"))
    node.span.duration = read_milliseconds(value);
  else if (key == "agent")
    node.model.agent = shard.intern(agent_of(value));
  else if (key == "component")
    step.component = shard.intern(json::text(value));
  else if (is_key(key, "triggeredby"))
    step.trigger = shard.intern(name_of(value));
  else if (key == "type")
    step.type = json::text(value) == "inference" ? TaskStep::Type::llm_call
                                                 : read_step_type(json::text(value));
  else if (key == "name" || key == "operation" || key == "event" || key == "summary")
    node.operation = json::text(value);
  else if (key == "model")
    node.model.model = shard.intern(json::text(value));
  else if (key == "provider")
    node.model.provider = shard.intern(json::text(value));
  else if (is_key(key, "tokensin"))
    tokens.input = json::count(value, kNoCount);
  else if (is_key(key, "tokensout"))
    tokens.output = json::count(value, kNoCount);
  else if (is_key(key, "cachereadtokens"))
    tokens.cache_read = json::count(value, kNoCount);
  else if (key == "tokens")
    read_tokens(value, node.model);
  else if (is_key(key, "costusd"))
    node.model.cost = read_dollars(value);
  else if (key == "status" || key == "originalStatus")
    node.status = name_of(value);
  else if (is_key(key, "taskid"))
    step.task = shard.intern(name_of(value));
  else if (key == "task" || key == "run" || key == "session")
    node.run = name_of(value);
  else if (key == "parent")
    node.parent = name_of(value);
  else if (key == "service")
    node.span.service = shard.intern(name_of(value));
  else if (key == "source")
    node.span.from = shard.intern(name_of(value));
  else if (key == "target")
    node.span.to = shard.intern(name_of(value));
  else
    node.said.read_remark(key, value, shard);
}

/// A graph has a word for each step that ended; one that is neither of success nor of failure, as
/// `WARNING`, is no failure, unless the step's own word for it says that nothing is known.
Outcome outcome_of_node(const NodeDraft& node, std::string_view status) {
  Ending ending;
  ending.state(outcome_named(status));
  if (ending.stated == Outcome::unknown) ending.state(outcome_named(node.status));
  const TaskStep::Type type = node.said.task_step.type;
  const bool is_moment = type == TaskStep::Type::model_switch ||
                         type == TaskStep::Type::reflexion_action ||
                         type == TaskStep::Type::user_query;
  ending.has_end = !status.empty() || is_moment || node.span.duration != kNoDuration;
  return ending.outcome() == Outcome::unfinished && status.empty() ? Outcome::unknown
                                                                   : ending.outcome();
}

void read_node(json::element record, const Extent& at, Shard& shard) {
  NodeDraft node;
  json::element details;
  json::fields(record, [&](std::string_view key, json::element value) {
    read_field(key, value, shard, node);
  });
  std::string status = node.status;
  if (json::find(record, "details", details))
    json::fields(details, [&](std::string_view key, json::element value) {
      read_field(key, value, shard, node);
    });
  if (node.id.empty()) return complain_of_id(at, "id", shard);
  Span& span = node.span;
  TaskStep& step = node.said.task_step;
  span.source = at;
  span.id = shard.intern(node.id);
  span.trace = shard.intern(node.run.empty() ? "graph" : node.run);
  if (!step.component) step.component = node.model.agent;
  if (!span.service) span.service = node.model.agent;
  span.operation = shard.intern(node.operation);
  span.kind = SpanKind::internal;
  span.outcome = outcome_of_node(node, status);
  if (!is_one_of(node.status, {"OK", "ERROR", "ok", "error", ""}))
    step.status = shard.intern(node.status);
  step.is_graph_node = !is_own_hop(json::text_at(record, "type"));
  if (step.type == TaskStep::Type::llm_call || node.model.tokens.input >= 0)
    node.model.role = GenAi::Role::model;
  if (node.model.role == GenAi::Role::model || node.model.agent || node.model.model ||
      node.model.cost >= 0)
    span.gen_ai = shard.add(node.model);
  span.task_step = node.said.add(shard);
  SpanParent parent{shard.intern(node.parent), span.trace, false};
  shard.add(span, std::span(&parent, parent.span ? 1 : 0));
}

void read_edge(json::element record, const Extent& at, Shard& shard) {
  GraphEdge edge;
  edge.source = at;
  json::fields(record, [&](std::string_view key, json::element value) {
    double confidence = 1;
    if (key == "from" || key == "source") edge.from = shard.intern(name_of(value));
    if (key == "to" || key == "target") edge.to = shard.intern(name_of(value));
    if (key == "relation" || key == "type") edge.relation = shard.intern(json::text(value));
    if (key == "confidence" && !value.get_double().get(confidence))
      edge.confidence = static_cast<float>(std::clamp(confidence, 0.0, 1.0));
  });
  if (edge.from && edge.to) shard.add(edge);
}

bool is_nodes(std::string_view key) {
  return key == "nodes";
}
bool is_around(std::string_view key) {
  return key == "snapshots" || key == "graph";
}

void read_one(json::element graph, ItemPlaces& places, const Extent& at, Shard& shard) {
  json::element list;
  bool is_empty = true;
  if (json::find(graph, "nodes", list))
    json::items(list, [&](json::element node) {
      is_empty = false;
      read_node(node, places.next(), shard);
    });
  if (json::find(graph, "edges", list))
    json::items(list, [&](json::element edge) {
      is_empty = false;
      read_edge(edge, at, shard);
    });
  if (is_empty) shard.count_record();
}

/// Of snapshots the newest, which holds what those before it were to become.
void read_graph(json::element record, std::string_view text, const Extent& at,
                RecordContext& context) {
  ItemPlaces places(text, at, is_around, is_nodes);
  json::element snapshots, graph, nodes;
  if (!json::find(record, "snapshots", snapshots))
    return read_one(record, places, at, context.shard);
  size_t count = 0;
  json::items(snapshots, [&](json::element) { ++count; });
  json::items(snapshots, [&](json::element one) {
    if (!json::find(one, "graph", graph)) return;
    if (--count == 0) return read_one(graph, places, at, context.shard);
    if (json::find(graph, "nodes", nodes))
      json::items(nodes, [&](json::element) { places.next(); });
  });
}

}  // namespace

extern constinit const Format kGraphDocument = {
    .name = "graph",
    .summary =
        "an ExplanationGraph in one document: nodes, edges; output of `xtrace dag`, snapshots",
    .fits = fits_graph,
    .needs = "nodes|snapshots edges|snapshots",
    .read = read_graph,
    .may_be_empty = true,
};

}  // namespace xtrace
