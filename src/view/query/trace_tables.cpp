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

constexpr Column kHead[] = {
    {"queryId", "", CellKind::text, true},
    {"traceId", "trace that contains its records; the last one if there are several",
     CellKind::text},
    {"traceIds", "all traces, if there are several", CellKind::texts},
    {"projectId", "project id; `default` if none is recorded", CellKind::text, true},
    {"mode", "search mode of the graph query, as recorded by the last step", CellKind::text},
    {"modes", "all modes, if steps name several", CellKind::texts},
    {"query_from",
     "log: named by its records; trace: a trace or run; turn: a message of the user and everything "
     "that follows",
     CellKind::text, true},
    {"ordered_by",
     "criteria for the order of steps; each criterion breaks the ties that the previous one "
     "leaves; order: numbers in the log; time: by start, parents before their children; parents: "
     "parents before their children; input: order of the records",
     CellKind::text, true},
    {"graphVersion", "version of the queried graph, as recorded by the last step", CellKind::text},
    {"graphVersions", "all versions, if steps name several", CellKind::texts},
    {"snapshotRef", "snapshot of the queried graph, as recorded by the last step", CellKind::text},
    {"snapshotRefs", "all snapshots, if steps name several", CellKind::texts},
    {"subgraphDigest",
     "SHA-256 of the whole subgraph before limits: lines `node LENGTH:ID` and `edge LENGTH:FROM "
     "LENGTH:TYPE LENGTH:TO`, sorted; ids as shown, without the numbers of replacements",
     CellKind::text, true},
};

constexpr Column kParallel[] = {
    {"steps", "the parallel steps (at least two); all have the same parent step, or none",
     CellKind::integers, true},
    {"total_latency_ms", "sum of their durations", CellKind::milliseconds, true},
    {"wall_ms", "from the first start to the last end", CellKind::milliseconds, true},
};

constexpr Column kTotals[] = {
    {"started", "start of the first step", CellKind::moment},
    {"total_latency_ms", "total for all counted steps", CellKind::milliseconds},
    {"total_tokens_in", "", CellKind::integer},
    {"total_tokens_out", "", CellKind::integer},
    {"total_tokens_cache_read", "", CellKind::integer},
    {"total_tokens_cache_creation", "", CellKind::integer},
    {"total_cost_usd", "total for all counted steps with a known cost", CellKind::number},
    {"wall_ms", "from the first start to the last end", CellKind::milliseconds},
    {"parallel", "groups of steps that ran in parallel", CellKind::rows, false, kParallel},
    {"steps", "", CellKind::integer, true},
    {"failed", "", CellKind::integer, true},
    {"retried", "steps that were retried", CellKind::integer, true},
    {"calls", "model calls, each counted once", CellKind::integer, true},
    {"failed_calls", "failed calls among `calls`", CellKind::integer, true},
    {"retries", "retries after a failure among `calls`", CellKind::integer, true},
    {"repeated", "duplicate records of steps", CellKind::integer, true},
    {"unpriced_steps", "steps without a known cost; not included in the total", CellKind::integer,
     true},
    {"partly_priced_steps", "steps whose cost is only partly known; the known part is included",
     CellKind::integer},
    {"low_output_steps",
     "steps for which the log kept only the output count from the start of the reply; real output "
     "and cost are higher",
     CellKind::integer},
};

constexpr Column kCosts[] = {
    {"table", "the built-in price list and the date of its latest price", CellKind::text, true},
    {"file", "with --prices: digest of the file that overrides the built-in list", CellKind::text},
    {"from_log", "steps whose cost is recorded", CellKind::integer, true},
    {"from_table", "steps whose cost is computed from tokens and the price list", CellKind::integer,
     true},
    {"low_output_calls", "number of steps whose real output and cost are higher than recorded",
     CellKind::integer},
};

constexpr Column kLimits[] = {
    {"nodes_shown", "number of nodes of the subgraph that are shown", CellKind::integer, true},
    {"nodes_total", "", CellKind::integer, true},
    {"edges_shown", "", CellKind::integer, true},
    {"edges_total", "", CellKind::integer, true},
    {"evidence_omitted", "number of references omitted because of --limit-evidence",
     CellKind::integer, true},
    {"texts_omitted", "number of texts omitted at level basic", CellKind::integer, true},
    {"withheld", "items that are more sensitive than the clearance", CellKind::integer, true},
    {"withheld_copies", "texts that quote withheld items; [WITHHELD] replaces the quotes",
     CellKind::integer, true},
};

constexpr Column kReproduction[] = {
    {"command", "command that reproduces this output when the inputs are appended", CellKind::texts,
     true},
};

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

/// The last one told of.
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
    bool is_own = query.is_named && name == query.id;
    if (!is_own && met.insert(trace[id].trace).second) traces.emplace_back(name);
  }
  return traces;
}

Cell parallel_cell(const TraceScene& scene) {
  Table table{{}, kParallel};
  for (const ParallelSteps& group : scene.trace.parallel) {
    Integers orders;
    for (size_t step : group.steps) orders.push_back(TraceScene::order(step));
    table.add({scene.arena.keep(std::move(orders)), known(group.total), known(group.wall)});
  }
  return some(std::move(table), scene.arena);
}

Record totals_record(const TraceScene& scene) {
  const TraceTotals& totals = scene.trace.totals;
  return {{"metrics",
           kTotals,
           {known(totals.started), known(totals.latency), known(totals.tokens.input),
            known(totals.tokens.output), known(totals.tokens.cache_read),
            known(totals.tokens.cache_creation),
            totals.cost == kNoCount ? Cell() : Cell(Dollars{totals.cost}), known(totals.wall),
            parallel_cell(scene), static_cast<int64_t>(scene.trace.steps.size()), totals.failed,
            totals.retried, totals.calls, totals.failed_calls, totals.retries, totals.repeated,
            totals.unpriced, some(totals.partly), some(totals.low)}}};
}

Record costs_record(const TraceScene& scene) {
  int64_t from_log = 0, from_table = 0;
  for (const Step& step : scene.trace.steps)
    if (step.record.cost >= 0) ++(step.cost_from_table ? from_table : from_log);
  const PriceTable& prices = scene.question.graph.prices();
  return {{"costs",
           kCosts,
           {table_name(prices, scene.question.door), known(Door::own(prices.file)), from_log,
            from_table, some(scene.trace.totals.low)}}};
}

}  // namespace

void add_trace_tables(const TraceScene& scene, const std::vector<std::string>& options,
                      Document& document) {
  const Trace& facts = scene.question.graph.trace();
  const QueryTrace& trace = scene.trace;
  const Query& query = trace.query;
  Door& door = scene.question.door;
  std::vector<std::string> traces = traces_of(facts, query);
  document.add(Record{
      {{},
       kHead,
       {scene.names.text(query.id), last(scene, traces), several(scene, traces), scene.project(),
        last(scene, trace.modes), several(scene, trace.modes), Door::own(query.from()),
        Door::own(word(trace.ordered_by)), last(scene, trace.graph_versions),
        several(scene, trace.graph_versions), last(scene, trace.snapshots),
        several(scene, trace.snapshots), door.composed(digest_of(trace.visited, scene.names))}}});
  document.add(step_table(scene));
  document.add(subgraph_record(scene));
  document.add(citation_table(scene));
  std::vector<UnplacedRow> unplaced;
  for (size_t row : query.unplaced)
    unplaced.push_back({scene.question.graph.activities().ledger.unplaced[row]});
  document.add(unplaced_table(unplaced, scene.question.graph, scene.names));
  document.add(totals_record(scene));
  document.add(costs_record(scene));
  LeftOut left = left_out(scene);
  int64_t nodes = static_cast<int64_t>(trace.visited.nodes().size()),
          edges = static_cast<int64_t>(trace.visited.edges().size());
  document.add(Record{{"limits",
                       kLimits,
                       {nodes - left.nodes, nodes, edges - left.edges, edges, left.evidence,
                        left.texts, left.withheld, left.copies}}});
  Texts command = {Text("xtrace"), Text("trace"), Text("--query"), door.name(query_name(query))};
  for (const std::string& word : options) command.push_back(door.name(word));
  document.add(Record{{"reproduction", kReproduction, {scene.arena.keep(std::move(command))}}});
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
  const Record totals = totals_record(scene);
  for (size_t i = 0; i < totals.table.columns.size(); ++i)
    add(Door::own(totals.table.columns[i].key), totals.table.cells[i]);
  return entries;
}

std::vector<Shape> shapes_of_trace() {
  static const std::vector<Section> kShape = shape_of_answer(
      {Record{{{}, kHead}}, Table{"steps", step_columns()},
       Record{{"subgraph", subgraph_columns()}}, Table{"citations", citation_columns()},
       Table{"unplaced", unplaced_columns()}, Record{{"metrics", kTotals}},
       Record{{"costs", kCosts}}, Record{{"limits", kLimits}},
       Record{{"reproduction", kReproduction}}});
  static const std::vector<Section> kSeveral = shape_of_answer({Group{"traces", {}}});
  return {kShape, kSeveral};
}

}  // namespace xtrace
