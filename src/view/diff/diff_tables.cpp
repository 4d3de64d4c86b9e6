#include "view/diff/bounds.h"
#include "view/diff/diff.h"
#include "view/diff/tool_counts.h"
#include "view/diff/verdict_diff.h"

namespace xtrace {

namespace {

using Row = RunComparison::Row;

/// A step of either run or of both.
struct ComparedStep {
  const DiffScene& scene;
  const Row& row;
  CellArena& arena;
  Text what{};  ///< made once, because two fields need it

  Cell id(bool is_new) const { return row.in(is_new) ? Cell(scene.id(row, is_new)) : Cell(); }
  Cell at(bool is_new) const { return row.in(is_new) ? Cell(scene.at(row, is_new)) : Cell(); }
  Cell number(bool is_new) const {
    return row.in(is_new) ? Cell(scene.number(row, is_new)) : Cell();
  }
  const StoryNode& node(bool is_new) const { return scene.node(row, is_new); }
};
using StepRow = const ComparedStep&;

struct ComparedTrait {
  const DiffScene& scene;
  const Trait &before, &now;

  const Trait& either() const { return before.field.empty() ? now : before; }
};
using TraitRow = const ComparedTrait&;

struct ComparedEdge {
  const DiffScene& scene;
  const RunComparison::Edge& edge;

  Cell end(uint32_t row) const {
    const Row& of = scene.found.rows[row];
    return scene.id(of, DiffScene::is_in_new(of));
  }
};
using EdgeRow = const ComparedEdge&;

struct ComparedPath {
  const DiffScene& scene;
  const RunComparison::Path& path;
  CellArena& arena;
};

struct SummedRun {
  const RunTotals& totals;
  const RunSteps& run;
  const Names& names;
  CellArena& arena;
};
using RunRow = const SummedRun&;

struct ComparedTotals {
  const RunTotals &before, &now;
};
using TotalsRow = const ComparedTotals&;

Cell added_to(int64_t before, int64_t now) {
  return before < 0 || now < 0 ? Cell() : Cell(now - before);
}

Cell run_names(RunRow r) {
  Texts texts;
  for (const std::string& name : r.run.names()) texts.push_back(r.names.text(name));
  return some(std::move(texts), r.arena);
}

constexpr Field<DiffScene> kAbout[] = {
    {{"equal",
      "true if both runs do the same; ids, times, durations, costs and wording are not compared",
      CellKind::boolean, true},
     [](const DiffScene& scene) -> Cell { return scene.found.is_equal(); }},
    {{"texts_compared",
      "false: one run does not record its prompts and arguments (as in xtrace exports), so that "
      "they are not compared; absent: they are compared",
      CellKind::boolean},
     [](const DiffScene& scene) { return scene.compared == Compared::all ? Cell() : Cell(false); }},
};

constexpr Field<SummedRun> kTotals[] = {
    {{"runs", "the selected runs and sessions; absent: the whole input", CellKind::texts},
     run_names},
    {{"steps", "", CellKind::integer, true}, [](RunRow r) -> Cell { return r.totals.steps; }},
    {{"edges", "", CellKind::integer, true}, [](RunRow r) -> Cell { return r.totals.edges; }},
    {{"errors", "failed steps", Role::errors, true},
     [](RunRow r) -> Cell { return r.totals.errors; }},
    {{"elapsed_ms", "from the first start to the last end", Role::duration},
     [](RunRow r) { return known(r.totals.elapsed); }},
    {{"tokens_in", "input tokens sent, cached or not", CellKind::integer},
     [](RunRow r) { return known(r.totals.tokens_in()); }},
    {{"tokens_out", "", CellKind::integer}, [](RunRow r) { return known(r.totals.tokens_out()); }},
    {{"cost_usd", "", Role::cost}, [](RunRow r) { return dollars(r.totals.used.cost); }},
};

constexpr Field<ComparedTotals> kDelta[] = {
    {{"elapsed_ms", "new minus old", Role::duration},
     [](TotalsRow r) -> Cell {
       if (r.before.elapsed == kNoDuration || r.now.elapsed == kNoDuration) return {};
       return r.now.elapsed - r.before.elapsed;
     }},
    {{"tokens_in", "new minus old", CellKind::integer},
     [](TotalsRow r) { return added_to(r.before.tokens_in(), r.now.tokens_in()); }},
    {{"tokens_out", "new minus old", CellKind::integer},
     [](TotalsRow r) { return added_to(r.before.tokens_out(), r.now.tokens_out()); }},
    {{"cost_usd", "new minus old", Role::cost},
     [](TotalsRow r) -> Cell {
       if (r.before.used.cost < 0 || r.now.used.cost < 0) return {};
       return Dollars{r.now.used.cost - r.before.used.cost};
     }},
};

constexpr Field<RunComparison> kCounts[] = {
    {{"steps_equal", "", CellKind::integer, true},
     [](const RunComparison& found) -> Cell { return found.steps(DiffStatus::equal); }},
    {{"steps_changed", "", CellKind::integer, true},
     [](const RunComparison& found) -> Cell { return found.steps(DiffStatus::changed); }},
    {{"steps_added", "", CellKind::integer, true},
     [](const RunComparison& found) -> Cell { return found.steps(DiffStatus::added); }},
    {{"steps_removed", "", CellKind::integer, true},
     [](const RunComparison& found) -> Cell { return found.steps(DiffStatus::removed); }},
    {{"edges_changed", "edges whose relation changed", CellKind::integer, true},
     [](const RunComparison& found) -> Cell { return found.edges_of(DiffStatus::changed); }},
    {{"edges_added", "", CellKind::integer, true},
     [](const RunComparison& found) -> Cell { return found.edges_of(DiffStatus::added); }},
    {{"edges_removed", "", CellKind::integer, true},
     [](const RunComparison& found) -> Cell { return found.edges_of(DiffStatus::removed); }},
    {{"paths_added", "", CellKind::integer, true},
     [](const RunComparison& found) -> Cell { return found.paths_of(DiffStatus::added); }},
    {{"paths_removed", "", CellKind::integer, true},
     [](const RunComparison& found) -> Cell { return found.paths_of(DiffStatus::removed); }},
};

constexpr Field<ComparedTrait> kChanges[] = {
    {{"field", "", CellKind::text, true},
     [](TraitRow r) -> Cell { return r.scene.door.name(r.either().field); }},
    {{"is_argument", "true if the field is an argument of a tool", CellKind::boolean},
     [](TraitRow r) { return if_true(r.either().is_argument); }},
    {{"old", "old value, if the level shows it", CellKind::text},
     [](TraitRow r) { return known(r.scene.value(r.before)); }},
    {{"new", "", CellKind::text}, [](TraitRow r) { return known(r.scene.value(r.now)); }},
};

Cell differing_fields(StepRow r) {
  Texts names;
  for (const auto& [before, now] : r.scene.found.differences(r.row))
    names.push_back(r.scene.door.name(ComparedTrait{r.scene, before, now}.either().field));
  return some(std::move(names), r.arena);
}

Cell changes(StepRow r) {
  Table table = table_of<kChanges>({});
  for (const auto& [before, now] : r.scene.found.differences(r.row))
    add_fields(kChanges, {r.scene, before, now}, table);
  return some(std::move(table), r.arena);
}

constexpr Field<ComparedStep> kDiffers = {
    {"differs", "names of the fields that differ", CellKind::texts}, differing_fields};
constexpr Field<ComparedStep> kNewId = {{"id", "id in the new run", CellKind::text},
                                        [](StepRow r) { return r.id(true); }};
constexpr Field<ComparedStep> kOldId = {{"old_id", "id in the old run", CellKind::text},
                                        [](StepRow r) { return r.id(false); }};

constexpr Field<ComparedStep> kFirst[] = {
    {{"summary", "the divergence in one sentence", CellKind::text},
     [](StepRow r) -> Cell { return r.scene.door.composed(r.scene.first_divergence()); }},
    {{"equal_before", "number of earlier steps that are the same in both runs", CellKind::integer},
     [](StepRow r) -> Cell { return int64_t{r.scene.found.first}; }},
    {{"state", "changed, added, removed, or equal (only the cause of the step differs)",
      CellKind::text},
     [](StepRow r) -> Cell { return Door::own(word(r.row.diff_status)); }},
    kDiffers,
    kNewId,
    kOldId,
    {{"at", "location in the new run", CellKind::text}, [](StepRow r) { return r.at(true); }},
    {{"old_at", "location in the old run", CellKind::text}, [](StepRow r) { return r.at(false); }},
    {{"later_follow",
      "number of later steps, in causal order, that are effects of this step; counted in the new "
      "run, or in the old run if only that one has the step",
      CellKind::integer},
     [](StepRow r) -> Cell { return r.scene.found.later_follow; }},
    {{"later_apart", "number of later steps that are not effects of this step", CellKind::integer},
     [](StepRow r) -> Cell { return r.scene.found.later_apart; }},
};

constexpr Field<ComparedStep> kSteps[] = {
    {{"state", "changed, added or removed", CellKind::text, true},
     [](StepRow r) -> Cell { return Door::own(word(r.row.diff_status)); }},
    {{"what", "", CellKind::text, true}, member<&ComparedStep::what>},
    {{"old_what", "the step in the old run, if it differs", CellKind::text},
     [](StepRow r) -> Cell {
       if (r.row.diff_status != DiffStatus::changed) return {};
       const Text before = r.scene.what(r.row, false, r.arena);
       return before == r.what ? Cell() : known(before);
     }},
    kDiffers,
    {{"changes", "", CellKind::rows, false, columns_of<kChanges>()}, changes},
    {{"follows", "true if the step is an effect of the first divergence", CellKind::boolean},
     [](StepRow r) { return if_true(r.row.follows); }},
    {{"step", "number in the causal order of the new run, from 1", CellKind::integer},
     [](StepRow r) { return r.number(true); }},
    {{"old_step", "number in the causal order of the old run, from 1", CellKind::integer},
     [](StepRow r) { return r.number(false); }},
    kNewId,
    kOldId,
    {{"at", "location of the step", CellKind::text}, [](StepRow r) { return r.at(true); }},
    {{"old_at", "", CellKind::text}, [](StepRow r) { return r.at(false); }},
};

constexpr Field<ComparedEdge> kEdges[] = {
    {{"state", "changed (different relation), added or removed", CellKind::text, true},
     [](EdgeRow r) -> Cell { return Door::own(word(r.edge.diff_status)); }},
    {{"from", "id of the source in the new run, or in the old run if only that one has the step",
      CellKind::text, true},
     [](EdgeRow r) { return r.end(r.edge.from); }},
    {{"to", "id of the target in the new run, or in the old run if only that one has the step",
      CellKind::text, true},
     [](EdgeRow r) { return r.end(r.edge.to); }},
    {{kRelationColumn.key, kRelationColumn.help},
     [](EdgeRow r) {
       return r.edge.diff_status == DiffStatus::removed
                  ? Cell()
                  : Cell(Door::own(word(r.edge.new_relation)));
     }},
    {{"old_relation", "", CellKind::text},
     [](EdgeRow r) {
       return r.edge.diff_status == DiffStatus::added ? Cell()
                                                      : Cell(Door::own(word(r.edge.old_relation)));
     }},
};

constexpr Field<ComparedPath> kPaths[] = {
    {{"state", "added or removed", CellKind::text, true},
     [](const ComparedPath& r) -> Cell { return Door::own(word(r.path.diff_status)); }},
    {{"path", "chain of callers, starting with the first known actor", CellKind::texts, true},
     [](const ComparedPath& r) -> Cell {
       Texts actors;
       for (const std::string& actor : r.path.actors) actors.push_back(r.scene.door.name(actor));
       return r.arena.keep(std::move(actors));
     }},
};

constexpr Field<ComparedStep> kFigures[] = {
    {always(kNewId.column), kNewId.get},
    {always(kOldId.column), kOldId.get},
    {{"latency_ms", "", Role::duration}, [](StepRow r) { return known(r.node(true).latency); }},
    {{"old_latency_ms", "", CellKind::milliseconds},
     [](StepRow r) { return known(r.node(false).latency); }},
    {{"tokens_in", "", CellKind::integer},
     [](StepRow r) { return known(tokens_sent(r.node(true).tokens)); }},
    {{"old_tokens_in", "", CellKind::integer},
     [](StepRow r) { return known(tokens_sent(r.node(false).tokens)); }},
    {{"tokens_out", "", CellKind::integer},
     [](StepRow r) { return known(r.node(true).tokens.output); }},
    {{"old_tokens_out", "", CellKind::integer},
     [](StepRow r) { return known(r.node(false).tokens.output); }},
    {{"cost_usd", "", Role::cost}, [](StepRow r) { return dollars(r.node(true).cost); }},
    {{"old_cost_usd", "", CellKind::number}, [](StepRow r) { return dollars(r.node(false).cost); }},
};

Record first(const DiffScene& scene, CellArena& arena) {
  const uint32_t row = scene.found.first;
  if (row != RunComparison::kNone)
    return record_of<kFirst>("first_divergence", {scene, scene.found.rows[row], arena});
  Record none{table_of<kFirst>("first_divergence")};
  none.table.cells.resize(std::size(kFirst));
  return none;
}

void write_steps(const DiffScene& scene, const Stream::Write& write) {
  Rows<ComparedStep> rows(kSteps, scene.door, write);
  for (const Row& row : scene.found.rows) {
    if (row.diff_status == DiffStatus::equal) continue;
    rows.write({.scene = scene,
                .row = row,
                .arena = rows.arena(),
                .what = scene.what(row, DiffScene::is_in_new(row), rows.arena())});
  }
}

void write_edges(const DiffScene& scene, const Stream::Write& write) {
  Rows<ComparedEdge> rows(kEdges, scene.door, write);
  for (const RunComparison::Edge& edge : scene.found.edges)
    if (edge.diff_status != DiffStatus::equal) rows.write({scene, edge});
}

void write_paths(const DiffScene& scene, const Stream::Write& write) {
  Rows<ComparedPath> rows(kPaths, scene.door, write);
  for (const RunComparison::Path& path : scene.found.paths) rows.write({scene, path, rows.arena()});
}

void write_figures(const DiffScene& scene, const Stream::Write& write) {
  Rows<ComparedStep> rows(kFigures, scene.door, write);
  for (const Row& row : scene.found.rows) {
    if (!row.in(false) || !row.in(true)) continue;
    const StoryNode &before = scene.node(row, false), &now = scene.node(row, true);
    if (before.latency != now.latency || tokens_sent(before.tokens) != tokens_sent(now.tokens) ||
        before.tokens.output != now.tokens.output || before.cost != now.cost)
      rows.write({scene, row, rows.arena()});
  }
}

}  // namespace

void add_diff_tables(std::shared_ptr<const DiffScene> scene,
                     const std::vector<JudgedThreshold>& bounds, Document& document) {
  add_preface("xtrace.diff/1", scene->question, scene->new_scene.names, {}, document,
              Meanings::on_request, Covers::all);
  RunTotals before = totals_of(scene->old_run), now = totals_of(scene->new_run);
  document.add(record_of<kAbout>({}, *scene));
  document.add(first(*scene, document.arena()));
  document.add(record_of<kCounts>("changes", scene->found));
  auto totals = [&](std::string_view name, const RunTotals& of, bool is_new) {
    document.add(record_of<kTotals>(name, {.totals = of,
                                           .run = is_new ? scene->new_run : scene->old_run,
                                           .names = scene->scene(is_new).names,
                                           .arena = document.arena()}));
  };
  totals("old", before, false);
  totals("new", now, true);
  document.add(record_of<kDelta>("delta", {before, now}));
  document.add(tool_count_table(*scene));
  document.add(bound_table(bounds, scene->door));
  auto add = [&](std::string_view name, std::span<const Column> columns,
                 void (*rows)(const DiffScene&, const Stream::Write&)) {
    document.add(
        Stream{name, columns, [scene, rows](const Stream::Write& write) { rows(*scene, write); }});
  };
  add("steps", columns_of<kSteps>(), write_steps);
  add("edges", columns_of<kEdges>(), write_edges);
  add("paths", columns_of<kPaths>(), write_paths);
  add("figures", columns_of<kFigures>(), write_figures);
}

std::vector<Shape> shapes_of_diff() {
  static const std::vector<Section> kShape = shape_of_answer(
      {Record{table_of<kAbout>({})}, Record{table_of<kFirst>("first_divergence")},
       Record{table_of<kCounts>("changes")}, Record{table_of<kTotals>("old")},
       Record{table_of<kTotals>("new")}, Record{table_of<kDelta>("delta")}, tool_count_columns(),
       Table{"bounds", bound_columns()}, table_of<kSteps>("steps"), table_of<kEdges>("edges"),
       table_of<kPaths>("paths"), table_of<kFigures>("figures")});
  return {kShape, shape_of_verdict_diff()};
}

}  // namespace xtrace
