#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/sha256.h"
#include "view/calls/costs.h"
#include "view/calls/unplaced.h"
#include "view/common/preface.h"
#include "view/query/query_name.h"
#include "view/query/trace_faces.h"

namespace xtrace {

namespace {

std::string counted(std::string_view text) {
  return fmt::format("{}:{}", text.size(), text);
}

std::string digest_of(const Visited& visited, const Names& names) {
  auto shown = [&](const std::string& name) {
    return counted(without_numbers(names.text(std::string_view(name)).view()));
  };
  std::vector<std::string> lines;
  for (const Visited::Node& node : visited.nodes()) lines.push_back("node " + shown(node.node.id));
  for (const auto& [edge, from, to, steps] : visited.edges())
    lines.push_back(
        fmt::format("edge {} {} {}", shown(edge.from), shown(edge.type), shown(edge.to)));
  std::sort(lines.begin(), lines.end());
  Sha256 digest;
  for (const std::string& line : lines) {
    digest.add(line);
    digest.add("\n");
  }
  return digest.hex();
}

/// The last one recorded.
Cell last(const TraceScene& scene, const std::vector<std::string>& names) {
  return names.empty() ? Cell() : Cell(scene.text(names.back()));
}

/// All of them, where there are several.
Cell several(const TraceScene& scene, const std::vector<std::string>& names) {
  Texts texts;
  for (const std::string& name : names) texts.push_back(scene.text(name));
  return texts.size() < 2 ? Cell() : some(std::move(texts), scene.arena);
}

/// The traces or runs that the records of a query were reported in, unless it is one itself.
std::vector<std::string> traces_of(const Trace& trace, const Query& query) {
  std::vector<std::string> traces;
  std::set<StringId> met;
  for (SpanId id : query.spans) {
    std::string_view name = trace[trace[id].trace];
    bool is_own = query.from == Query::From::log && name == query.id;
    if (!is_own && met.insert(trace[id].trace).second) traces.emplace_back(name);
  }
  return traces;
}

struct HeadRow {
  const TraceScene& scene;
  std::vector<std::string> traces;

  const QueryTrace& trace() const { return scene.trace; }
};
using Head = const HeadRow&;

constexpr Field<HeadRow> kHead[] = {
    {{"queryId", "", CellKind::text, true},
     [](Head h) -> Cell { return h.scene.names.text(h.trace().query.id); }},
    {{"traceId", "trace that contains its records; the last one if there are several",
      CellKind::text},
     [](Head h) { return last(h.scene, h.traces); }},
    {{"traceIds", "all traces, if there are several", CellKind::texts},
     [](Head h) { return several(h.scene, h.traces); }},
    {{"projectId", "project id; `default` if none is recorded", CellKind::text, true},
     [](Head h) -> Cell { return h.scene.project(); }},
    {{"mode",
      "how the query searched the knowledge graph, such as local_graph, as recorded by the last "
      "step",
      CellKind::text},
     [](Head h) { return last(h.scene, h.trace().modes); }},
    {{"modes", "all modes, if steps name several", CellKind::texts},
     [](Head h) { return several(h.scene, h.trace().modes); }},
    {kQueryFromColumn, [](Head h) -> Cell { return Door::own(word(h.trace().query.from)); }},
    {{"ordered_by",
      "criteria for the order of steps; each criterion breaks the ties that the previous one "
      "leaves; order: numbers in the log; time: by start, parents before their children; parents: "
      "parents before their children; input: order of the records",
      CellKind::text, true},
     [](Head h) -> Cell { return Door::own(word(h.trace().ordered_by)); }},
    {{"graphVersion", "version of the queried graph, as recorded by the last step", CellKind::text},
     [](Head h) { return last(h.scene, h.trace().graph_versions); }},
    {{"graphVersions", "all versions, if steps name several", CellKind::texts},
     [](Head h) { return several(h.scene, h.trace().graph_versions); }},
    {{"snapshotRef", "snapshot of the queried graph, as recorded by the last step", CellKind::text},
     [](Head h) { return last(h.scene, h.trace().snapshots); }},
    {{"snapshotRefs", "all snapshots, if steps name several", CellKind::texts},
     [](Head h) { return several(h.scene, h.trace().snapshots); }},
    {{"subgraphDigest",
      "SHA-256 of the whole subgraph before limits: lines `node LENGTH:ID` and `edge LENGTH:FROM "
      "LENGTH:TYPE LENGTH:TO`, sorted; ids as shown, without the numbers of replacements",
      CellKind::text, true},
     [](Head h) -> Cell {
       return h.scene.question.door.composed(digest_of(h.trace().visited, h.scene.names));
     }},
};

struct ParallelRow {
  const TraceScene& scene;
  const ParallelSteps& group;
};

constexpr Field<ParallelRow> kParallel[] = {
    {{"steps", "the parallel steps (at least two); all have the same parent step, or none",
      CellKind::integers, true},
     [](const ParallelRow& r) { return r.scene.orders(r.group.steps); }},
    {{"total_latency_ms", "sum of their durations", CellKind::milliseconds, true},
     [](const ParallelRow& r) { return known(r.group.total); }},
    {{"wall_ms", "from the first start to the last end", CellKind::milliseconds, true},
     [](const ParallelRow& r) { return known(r.group.wall); }},
};

Cell parallel_groups(const TraceScene& scene) {
  Table table = table_of<kParallel>({});
  for (const ParallelSteps& group : scene.trace.parallel)
    add_fields(kParallel, {scene, group}, table);
  return some(std::move(table), scene.arena);
}

using Scene = const TraceScene&;

constexpr Field<TraceScene> kTotals[] = {
    {{"started", "start of the first step", CellKind::moment},
     [](Scene s) { return known(s.trace.totals.started); }},
    {{"total_latency_ms", "total for all counted steps", CellKind::milliseconds},
     [](Scene s) { return known(s.trace.totals.latency); }},
    {{"total_tokens_in", "", Role::input},
     [](Scene s) { return known(s.trace.totals.sum.usage.tokens.input); }},
    {{"total_tokens_out", "", Role::output},
     [](Scene s) { return known(s.trace.totals.sum.usage.tokens.output); }},
    {{"total_tokens_cache_read", "", CellKind::integer},
     [](Scene s) { return known(s.trace.totals.sum.usage.tokens.cache_read); }},
    {{"total_tokens_cache_creation", "", CellKind::integer},
     [](Scene s) { return known(s.trace.totals.sum.usage.tokens.cache_creation); }},
    {{"total_cost_usd", "total for all counted steps with a known cost", Role::cost},
     [](Scene s) {
       const int64_t cost = s.trace.totals.sum.usage.cost;
       return cost == kNoCount ? Cell() : Cell(Dollars{cost});
     }},
    {{"wall_ms", "from the first start to the last end", Role::duration},
     [](Scene s) { return known(s.trace.totals.wall); }},
    {{"parallel", "groups of steps that ran in parallel", CellKind::rows, false,
      columns_of<kParallel>()},
     parallel_groups},
    {{"steps", "", CellKind::integer, true},
     [](Scene s) -> Cell { return static_cast<int64_t>(s.trace.steps.size()); }},
    {{"failed", "", Role::errors, true}, [](Scene s) -> Cell { return s.trace.totals.failed; }},
    {{"retried", "steps that were retried", CellKind::integer, true},
     [](Scene s) -> Cell { return s.trace.totals.retried; }},
    {{"calls", "model calls, each counted once", CellKind::integer, true},
     [](Scene s) -> Cell { return s.trace.totals.sum.calls; }},
    {{"failed_calls", "failed calls among `calls`", CellKind::integer, true},
     [](Scene s) -> Cell { return s.trace.totals.sum.errors; }},
    {{"retries", "retries after a failure among `calls`", CellKind::integer, true},
     [](Scene s) -> Cell { return s.trace.totals.sum.retries; }},
    {{"repeated", "duplicate records of steps", CellKind::integer, true},
     [](Scene s) -> Cell { return s.trace.totals.repeated; }},
    {{"unpriced_steps", "steps without a known cost; not included in the total", CellKind::integer,
      true},
     [](Scene s) -> Cell { return s.trace.totals.sum.usage.unpriced; }},
    {{"partly_priced_steps", "steps whose cost is only partly known; the known part is included",
      CellKind::integer},
     [](Scene s) { return some(s.trace.totals.sum.usage.partly); }},
    {{"low_output_steps",
      "steps for which the log kept only the output count written when the reply began; real "
      "output "
      "and cost are higher",
      CellKind::integer},
     [](Scene s) { return some(s.trace.totals.sum.usage.low); }},
};

/// Of the steps with a known cost, those whose cost is computed, or those whose cost is recorded.
int64_t priced_steps(Scene s, bool is_computed) {
  return std::count_if(s.trace.steps.begin(), s.trace.steps.end(), [&](const Step& step) {
    return step.cost >= 0 && step.cost_from_table == is_computed;
  });
}

constexpr Field<TraceScene> kCosts[] = {
    {{"table", "the built-in price list and the date of its latest price", CellKind::text, true},
     [](Scene s) -> Cell { return table_name(s.question.graph.prices(), s.question.door); }},
    {{"file", "with --prices: digest of the file that overrides the built-in list", CellKind::text},
     [](Scene s) { return known(Door::own(s.question.graph.prices().file)); }},
    {{"from_log", "steps whose cost is recorded", CellKind::integer, true},
     [](Scene s) -> Cell { return priced_steps(s, false); }},
    {{"from_table", "steps whose cost is computed from tokens and the price list",
      CellKind::integer, true},
     [](Scene s) -> Cell { return priced_steps(s, true); }},
    {{"low_output_calls", "number of steps whose real output and cost are higher than recorded",
      CellKind::integer},
     [](Scene s) { return some(s.trace.totals.sum.usage.low); }},
};

struct LimitsRow {
  LeftOut left;
  int64_t nodes, edges;
};
using Limits = const LimitsRow&;

constexpr Field<LimitsRow> kLimits[] = {
    {{"nodes_shown", "number of nodes of the subgraph that are shown", CellKind::integer, true},
     [](Limits l) -> Cell { return l.nodes - l.left.nodes; }},
    {{"nodes_total", "", CellKind::integer, true}, member<&LimitsRow::nodes>},
    {{"edges_shown", "", CellKind::integer, true},
     [](Limits l) -> Cell { return l.edges - l.left.edges; }},
    {{"edges_total", "", CellKind::integer, true}, member<&LimitsRow::edges>},
    {always(kEvidenceOmittedColumn), [](Limits l) -> Cell { return l.left.evidence; }},
    {{"texts_omitted", "number of texts omitted at level basic", CellKind::integer, true},
     [](Limits l) -> Cell { return l.left.texts; }},
    {{"withheld", "items that are more sensitive than the clearance", CellKind::integer, true},
     [](Limits l) -> Cell { return l.left.withheld; }},
    {{"withheld_copies", "texts that quote withheld items; [WITHHELD] replaces the quotes",
      CellKind::integer, true},
     [](Limits l) -> Cell { return l.left.copies; }},
};

struct ReproductionRow {
  const TraceScene& scene;
  const std::vector<std::string>& options;
};

constexpr Field<ReproductionRow> kReproduction[] = {
    {{"command", "command that reproduces this output when the inputs are appended",
      CellKind::texts, true},
     [](const ReproductionRow& r) -> Cell {
       Door& door = r.scene.question.door;
       Texts command = {Text("xtrace"), Text("trace"), Text("--query"),
                        door.name(query_name(r.scene.trace.query))};
       for (const std::string& word : r.options) command.push_back(door.name(word));
       return r.scene.arena.keep(std::move(command));
     }},
};

}  // namespace

void add_trace_tables(const TraceScene& scene, const std::vector<std::string>& options,
                      Document& document) {
  const Graph& graph = scene.question.graph;
  const QueryTrace& trace = scene.trace;
  document.add(record_of<kHead>({}, {scene, traces_of(graph.trace(), trace.query)}));
  document.add(step_table(scene));
  document.add(subgraph_record(scene));
  document.add(citation_table(scene));
  std::vector<UnplacedRow> unplaced;
  for (size_t row : trace.query.unplaced)
    unplaced.push_back({graph.activities().ledger.unplaced[row]});
  document.add(unplaced_table(unplaced, graph, scene.names));
  document.add(record_of<kTotals>("metrics", scene));
  document.add(record_of<kCosts>("costs", scene));
  document.add(record_of<kLimits>(
      "limits",
      {.left = left_out(scene),
       .nodes = static_cast<int64_t>(trace.visited.nodes().size()) + trace.omitted.nodes,
       .edges = static_cast<int64_t>(trace.visited.edges().size()) + trace.omitted.edges}));
  document.add(record_of<kReproduction>("reproduction", {scene, options}));
}

Entries query_properties(const TraceScene& scene) {
  const QueryTrace& trace = scene.trace;
  Entries entries;
  auto add = [&](Text key, Cell value) {
    if (!std::holds_alternative<std::monostate>(value)) entries.add(key, value);
  };
  add("query_id", scene.names.text(trace.query.id));
  add("project_id", scene.project());
  add("mode", last(scene, trace.modes));
  add("graph_version", last(scene, trace.graph_versions));
  add("snapshot_ref", last(scene, trace.snapshots));
  for (const Field<TraceScene>& field : kTotals) add(Door::own(field.column.key), field.get(scene));
  return entries;
}

std::vector<Shape> shapes_of_trace() {
  static const std::vector<Section> kShape = shape_of_answer(
      {Record{table_of<kHead>({})}, Table{"steps", step_columns()},
       Record{{"subgraph", subgraph_columns()}}, Table{"citations", citation_columns()},
       Table{"unplaced", unplaced_columns()}, Record{table_of<kTotals>("metrics")},
       Record{table_of<kCosts>("costs")}, Record{table_of<kLimits>("limits")},
       Record{table_of<kReproduction>("reproduction")}});
  static const std::vector<Section> kSeveral = shape_of_answer({Group{"traces", {}}});
  return {kShape, kSeveral};
}

}  // namespace xtrace
