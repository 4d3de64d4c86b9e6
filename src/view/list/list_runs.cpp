#include <fmt/format.h>

#include <algorithm>

#include "view/common/day.h"
#include "view/common/field.h"
#include "view/common/preface.h"
#include "view/hops/run_answers.h"
#include "view/list/hop_list.h"
#include "view/list/listings.h"

namespace xtrace {

namespace {

/// What is shown of a run.
struct RunSum {
  TimeRange time;
  int64_t hops = 0, agents = 0, resources = 0, errors = 0, without_cause = 0;
};

RunSum sum_of(const HopScene& scene, const Run& run) {
  RunSum sum;
  sum.time = scene.stretch_of(run);
  std::vector<ActorId> met;
  for (HopId id : run.hops) {
    if (!scene.selection.shows(id)) continue;
    const Hop& hop = scene.hops[id];
    ++sum.hops;
    sum.errors += hop.outcome == Outcome::error;
    sum.without_cause += scene.hops.lacks_cause(hop);
    for (ActorId actor : {hop.from, hop.to})
      if (actor) met.push_back(actor);
  }
  std::sort(met.begin(), met.end());
  met.erase(std::unique(met.begin(), met.end()), met.end());
  for (ActorId actor : met) {
    sum.agents += scene.hops[actor].type == Actor::Type::agent;
    sum.resources += scene.hops[actor].type == Actor::Type::resource;
  }
  return sum;
}

struct RunRow {
  const HopScene& scene;
  const Run& run;
  const RunSum& sum;
  CellArena& arena;
};

constexpr Field<RunRow> kRuns[] = {
    {{"id", "run id, or the trace id if there is none", CellKind::text, true},
     [](const RunRow& r) -> Cell { return r.scene.once(r.run.id); }},
    {{"session", "conversation that its spans name", CellKind::text},
     [](const RunRow& r) -> Cell { return known(r.scene.names.text(r.run.session)); }},
    {{"principal", "principal of the run; absent: not recorded, or several", CellKind::text},
     [](const RunRow& r) -> Cell { return known(r.scene.actor(r.run.principal)); }},
    {{"principals", "principals of the run, if there are several", CellKind::texts},
     [](const RunRow& r) -> Cell { return some(names_of(r.scene, r.run.principals), r.arena); }},
    {{"start", "start of the first span, on either side of a hop", CellKind::moment},
     [](const RunRow& r) -> Cell {
       return known(Moment{r.sum.time.start, 6});
     }},
    {{"duration_ms", "from the first start to the last end, on either side of a hop",
      Role::duration},
     [](const RunRow& r) -> Cell { return known(elapsed(r.sum.time.start, r.sum.time.end)); }},
    {{"hops", "number of spans; a hop observed on both sides counts once", CellKind::integer, true},
     [](const RunRow& r) -> Cell { return r.sum.hops; }},
    {{"agents", "", CellKind::integer, true}, [](const RunRow& r) -> Cell { return r.sum.agents; }},
    {{"resources", "", CellKind::integer, true},
     [](const RunRow& r) -> Cell { return r.sum.resources; }},
    {{"errors", "failed spans", Role::errors, true},
     [](const RunRow& r) -> Cell { return r.sum.errors; }},
    {{"without_cause", "agent hops whose cause is not known", CellKind::integer, true},
     [](const RunRow& r) -> Cell { return r.sum.without_cause; }},
};

void write_runs(const HopScene& scene, const Stream::Write& write) {
  Rows<RunRow> rows(kRuns, scene.question.door, write);
  for (const Run& run : scene.hops.runs)
    if (RunSum sum = sum_of(scene, run); sum.hops > 0) rows.write({scene, run, sum, rows.arena()});
}

Outline outline_of_runs(const HopScene& scene) {
  Outline list;
  list.columns = {{"run", false, true},
                  {"date", false, false, 5},
                  {"start", false, false, 4},
                  {"took", Role::duration},
                  {"spans", true},
                  {"agents", true, false, 3},
                  {"resources", true, false, 3},
                  {"failed", Role::errors},
                  {"no cause", true, false, 2},
                  {"on behalf of", false, false, 1},
                  {"session", false, false, 2}};
  for (const Run& run : scene.hops.runs) {
    RunSum sum = sum_of(scene, run);
    if (sum.hops == 0) continue;
    list.lines.push_back(
        {0,
         Tone::plain,
         {scene.names.text(run.id), day_of(sum.time.start, scene.question.door),
          known(Moment{sum.time.start, 6}), known(elapsed(sum.time.start, sum.time.end)), sum.hops,
          sum.agents, sum.resources, some(sum.errors), some(sum.without_cause),
          known(scene.question.door.composed(on_behalf_of(scene, run))),
          known(scene.names.text(run.session))}});
  }
  return list;
}

}  // namespace

Result<Document> list_runs(const Question& question, const Filter& filter) {
  return list_hops(question, filter, {"runs", columns_of<kRuns>(), write_runs, outline_of_runs});
}

std::span<const Column> listed_run_columns() {
  return columns_of<kRuns>();
}

Shape shape_of_run_list() {
  static const std::vector<Section> kShape = shape_of_answer({table_of<kRuns>("runs")});
  return kShape;
}

}  // namespace xtrace
