#include "view/diff/bounds.h"
#include "view/diff/diff.h"
#include "view/diff/verdict_diff.h"

namespace xtrace {

namespace {

using Row = RunComparison::Row;

constexpr Column kAbout[] = {
    {"equal",
     "true if both runs do the same; ids, times, durations, costs and wording are not compared",
     CellKind::boolean, true},
    {"texts_compared",
     "false: one run does not record its prompts and arguments (as in xtrace exports), so that "
     "they are not compared; absent: they are compared",
     CellKind::boolean},
};

constexpr Column kTotals[] = {
    {"runs", "the selected runs and sessions; absent: the whole input", CellKind::texts},
    {"steps", "", CellKind::integer, true},
    {"edges", "", CellKind::integer, true},
    {"errors", "failed steps", CellKind::integer, true},
    {"elapsed_ms", "from the first start to the last end", CellKind::milliseconds},
    {"tokens_in", "input tokens sent, cached or not", CellKind::integer},
    {"tokens_out", "", CellKind::integer},
    {"cost_usd", "", CellKind::number},
};

constexpr Column kDelta[] = {
    {"elapsed_ms", "new minus old", CellKind::milliseconds},
    {"tokens_in", "new minus old", CellKind::integer},
    {"tokens_out", "new minus old", CellKind::integer},
    {"cost_usd", "new minus old", CellKind::number},
};

constexpr Column kCounts[] = {
    {"steps_equal", "", CellKind::integer, true},
    {"steps_changed", "", CellKind::integer, true},
    {"steps_added", "", CellKind::integer, true},
    {"steps_removed", "", CellKind::integer, true},
    {"edges_changed", "edges whose relation changed", CellKind::integer, true},
    {"edges_added", "", CellKind::integer, true},
    {"edges_removed", "", CellKind::integer, true},
    {"paths_added", "", CellKind::integer, true},
    {"paths_removed", "", CellKind::integer, true},
};

constexpr Column kFirst[] = {
    {"summary", "the divergence in one sentence", CellKind::text},
    {"equal_before", "number of earlier steps that are the same in both runs", CellKind::integer},
    {"state", "changed, added, removed, or equal (only the cause of the step differs)",
     CellKind::text},
    {"differs", "names of the fields that differ", CellKind::texts},
    {"id", "id in the new run", CellKind::text},
    {"old_id", "id in the old run", CellKind::text},
    {"at", "location in the new run", CellKind::text},
    {"old_at", "location in the old run", CellKind::text},
    {"later_follow",
     "number of later steps, in causal order, that are effects of this step; counted in the new "
     "run, or in the old run if only that one has the step",
     CellKind::integer},
    {"later_apart", "number of later steps that are not effects of this step", CellKind::integer},
};

constexpr Column kChanges[] = {
    {"field", "", CellKind::text, true},
    {"is_argument", "true if the field is an argument of a tool", CellKind::boolean},
    {"old", "old value, if the level shows it", CellKind::text},
    {"new", "", CellKind::text},
};

constexpr Column kSteps[] = {
    {"state", "changed, added or removed", CellKind::text, true},
    {"what", "", CellKind::text, true},
    {"old_what", "the step in the old run, if it differs", CellKind::text},
    {"differs", "names of the fields that differ", CellKind::texts},
    {"changes", "", CellKind::rows, false, kChanges},
    {"follows", "true if the step is an effect of the first divergence", CellKind::boolean},
    {"step", "number in the causal order of the new run, from 1", CellKind::integer},
    {"old_step", "number in the causal order of the old run, from 1", CellKind::integer},
    {"id", "id in the new run", CellKind::text},
    {"old_id", "id in the old run", CellKind::text},
    {"at", "location of the step", CellKind::text},
    {"old_at", "", CellKind::text},
};

constexpr Column kEdges[] = {
    {"state", "changed (different relation), added or removed", CellKind::text, true},
    {"from", "id of the source in the new run, or in the old run if only that one has the step",
     CellKind::text, true},
    {"to", "id of the target in the new run, or in the old run if only that one has the step",
     CellKind::text, true},
    {"relation", "NEXT_STEP, TRIGGERED, REFLECTED, ESCALATED, USER_ACTION or OTHER",
     CellKind::text},
    {"old_relation", "", CellKind::text},
};

constexpr Column kPaths[] = {
    {"state", "added or removed", CellKind::text, true},
    {"path", "chain of callers, starting with the first known actor", CellKind::texts, true},
};

constexpr Column kFigures[] = {
    {"id", "id in the new run", CellKind::text, true},
    {"old_id", "id in the old run", CellKind::text, true},
    {"latency_ms", "", CellKind::milliseconds},
    {"old_latency_ms", "", CellKind::milliseconds},
    {"tokens_in", "", CellKind::integer},
    {"old_tokens_in", "", CellKind::integer},
    {"tokens_out", "", CellKind::integer},
    {"old_tokens_out", "", CellKind::integer},
    {"cost_usd", "", CellKind::number},
    {"old_cost_usd", "", CellKind::number},
};

Record totals(std::string_view name, const RunTotals& of, Cell runs) {
  return {{name,
           kTotals,
           {runs, of.steps, of.edges, of.errors, known(of.elapsed), known(of.tokens_in),
            known(of.tokens_out), dollars(of.cost)}}};
}

Record delta(const RunTotals& before, const RunTotals& now) {
  auto less = [](int64_t a, int64_t b) { return a < 0 || b < 0 ? Cell() : Cell(a - b); };
  Cell elapsed, cost;
  if (before.elapsed != kNoDuration && now.elapsed != kNoDuration)
    elapsed = now.elapsed - before.elapsed;
  if (before.cost >= 0 && now.cost >= 0) cost = Dollars{now.cost - before.cost};
  return {{"delta",
           kDelta,
           {elapsed, less(now.tokens_in, before.tokens_in), less(now.tokens_out, before.tokens_out),
            cost}}};
}

Record counts(const RunComparison& found) {
  return {{"changes",
           kCounts,
           {found.steps(DiffStatus::equal), found.steps(DiffStatus::changed),
            found.steps(DiffStatus::added), found.steps(DiffStatus::removed),
            found.edges_of(DiffStatus::changed), found.edges_of(DiffStatus::added),
            found.edges_of(DiffStatus::removed), found.paths_of(DiffStatus::added),
            found.paths_of(DiffStatus::removed)}}};
}

Cell id(const DiffScene& scene, const Row& row, bool is_new) {
  return row.in(is_new) ? Cell(scene.id(row, is_new)) : Cell();
}
Cell at(const DiffScene& scene, const Row& row, bool is_new) {
  return row.in(is_new) ? Cell(scene.at(row, is_new)) : Cell();
}
Cell number(const DiffScene& scene, const Row& row, bool is_new) {
  return row.in(is_new) ? Cell(scene.number(row, is_new)) : Cell();
}

Cell fields(const DiffScene& scene, const Row& row, CellArena& arena) {
  Texts names;
  for (const auto& [before, now] : scene.found.differences(row))
    names.push_back(scene.door.name(before.field.empty() ? now.field : before.field));
  return some(std::move(names), arena);
}

Cell changes(const DiffScene& scene, const Row& row, CellArena& arena) {
  Table table{{}, kChanges};
  for (const auto& [before, now] : scene.found.differences(row)) {
    const Trait& trait = before.field.empty() ? now : before;
    table.add({scene.door.name(trait.field), if_true(trait.is_argument), known(scene.value(before)),
               known(scene.value(now))});
  }
  return some(std::move(table), arena);
}

Record first(const DiffScene& scene, CellArena& arena) {
  if (scene.found.first == RunComparison::kNone)
    return {{"first_divergence", kFirst, std::vector<Cell>(std::size(kFirst))}};
  const Row& row = scene.found.rows[scene.found.first];
  return {{"first_divergence",
           kFirst,
           {scene.door.composed(scene.first_divergence()), int64_t{scene.found.first},
            Door::own(word(row.diff_status)), fields(scene, row, arena), id(scene, row, true),
            id(scene, row, false), at(scene, row, true), at(scene, row, false),
            scene.found.later_follow, scene.found.later_apart}}};
}

/// Calls `write` with the rows of a table, whose texts live no longer than a row.
template <class Make>
void write_rows(const DiffScene& scene, const Stream::Write& write, const Make& make) {
  size_t mark = scene.door.composed_so_far();
  CellArena arena;
  make(
      [&](const std::vector<Cell>& cells) {
        write(cells);
        arena.clear();
        scene.door.forget_composed(mark);
      },
      arena);
}

void write_steps(const DiffScene& scene, const Stream::Write& write) {
  write_rows(scene, write, [&](const auto& add, CellArena& arena) {
    for (const Row& row : scene.found.rows) {
      if (row.diff_status == DiffStatus::equal) continue;
      bool is_new = DiffScene::tells_new(row);
      Text what = scene.what(row, is_new, arena);
      Text before = row.diff_status == DiffStatus::changed ? scene.what(row, false, arena) : Text();
      add({Door::own(word(row.diff_status)), what, before == what ? Cell() : known(before),
           fields(scene, row, arena), changes(scene, row, arena), if_true(row.follows),
           number(scene, row, true), number(scene, row, false), id(scene, row, true),
           id(scene, row, false), at(scene, row, true), at(scene, row, false)});
    }
  });
}

void write_edges(const DiffScene& scene, const Stream::Write& write) {
  write_rows(scene, write, [&](const auto& add, CellArena&) {
    auto end = [&](uint32_t row) {
      const Row& of = scene.found.rows[row];
      return scene.id(of, DiffScene::tells_new(of));
    };
    for (const RunComparison::Edge& edge : scene.found.edges) {
      if (edge.diff_status == DiffStatus::equal) continue;
      Cell now, before;
      if (edge.diff_status != DiffStatus::removed) now = Door::own(word(edge.new_relation));
      if (edge.diff_status != DiffStatus::added) before = Door::own(word(edge.old_relation));
      add({Door::own(word(edge.diff_status)), end(edge.from), end(edge.to), now, before});
    }
  });
}

void write_paths(const DiffScene& scene, const Stream::Write& write) {
  write_rows(scene, write, [&](const auto& add, CellArena& arena) {
    for (const RunComparison::Path& path : scene.found.paths) {
      Texts actors;
      for (const std::string& actor : path.actors) actors.push_back(scene.door.name(actor));
      add({Door::own(word(path.diff_status)), arena.keep(std::move(actors))});
    }
  });
}

void write_figures(const DiffScene& scene, const Stream::Write& write) {
  auto sent = [](const StoryNode& node) { return tokens_sent(node.tokens); };
  write_rows(scene, write, [&](const auto& add, CellArena&) {
    for (const Row& row : scene.found.rows) {
      if (!row.in(false) || !row.in(true)) continue;
      const StoryNode &before = scene.node(row, false), &now = scene.node(row, true);
      if (before.latency == now.latency && sent(before) == sent(now) &&
          before.tokens.output == now.tokens.output && before.cost == now.cost)
        continue;
      add({scene.id(row, true), scene.id(row, false), known(now.latency), known(before.latency),
           known(sent(now)), known(sent(before)), known(now.tokens.output),
           known(before.tokens.output), dollars(now.cost), dollars(before.cost)});
    }
  });
}

}  // namespace

void add_diff_tables(std::shared_ptr<const DiffScene> scene, const std::vector<Bound>& bounds,
                     Document& document) {
  add_preface("xtrace.diff/1", scene->question, scene->new_scene.names, {}, document,
              Meanings::on_request, Covers::all);
  RunTotals before = totals_of(scene->old_run), now = totals_of(scene->new_run);
  document.add(Record{
      {{}, kAbout, {scene->found.is_equal(), scene->compares_texts ? Cell() : Cell(false)}}});
  document.add(first(*scene, document.arena()));
  document.add(counts(scene->found));
  auto names = [&](const ExplanationScene& of, const RunSteps& run) {
    Texts texts;
    for (const std::string& name : run.names()) texts.push_back(of.names.text(name));
    return texts.empty() ? Cell() : document.arena().keep(std::move(texts));
  };
  document.add(totals("old", before, names(scene->old_scene, scene->old_run)));
  document.add(totals("new", now, names(scene->new_scene, scene->new_run)));
  document.add(delta(before, now));
  document.add(bound_table(bounds, scene->door));
  auto add = [&](std::string_view name, std::span<const Column> columns,
                 void (*rows)(const DiffScene&, const Stream::Write&)) {
    document.add(
        Stream{name, columns, [scene, rows](const Stream::Write& write) { rows(*scene, write); }});
  };
  add("steps", kSteps, write_steps);
  add("edges", kEdges, write_edges);
  add("paths", kPaths, write_paths);
  add("figures", kFigures, write_figures);
}

std::vector<Shape> shapes_of_diff() {
  static const std::vector<Section> kShape = shape_of_answer(
      {Record{{{}, kAbout}}, Record{{"first_divergence", kFirst}}, Record{{"changes", kCounts}},
       Record{{"old", kTotals}}, Record{{"new", kTotals}}, Record{{"delta", kDelta}},
       Table{"bounds", bound_columns()}, Table{"steps", kSteps}, Table{"edges", kEdges},
       Table{"paths", kPaths}, Table{"figures", kFigures}});
  return {kShape, shape_of_verdict_diff()};
}

}  // namespace xtrace
