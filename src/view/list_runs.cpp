#include "view/list_runs.h"

#include <fmt/format.h>

#include <algorithm>

#include "view/hop_fields.h"
#include "view/hop_words.h"
#include "view/preface.h"
#include "view/run_answers.h"

namespace xtrace {

namespace {

constexpr Column kRuns[] = {
    {"id", "the run id, or the trace id where there are none", CellKind::text, true},
    {"principal", "on whose behalf; absent: not on record", CellKind::text},
    {"start", "", CellKind::moment},
    {"duration_ms", "from the first start to the last end", CellKind::milliseconds},
    {"hops", "spans; of a hop seen on both sides, one for both", CellKind::integer, true},
    {"agents", "", CellKind::integer, true},
    {"resources", "", CellKind::integer, true},
    {"errors", "hops that failed", CellKind::integer, true},
    {"without_cause", "hops of an agent of which it is not known what led to them",
     CellKind::integer, true},
};

constexpr Column kEvents[] = {
    {"span_id", "", CellKind::text, true},
    {"run", "", CellKind::text, true},
    {"start_ts", "in microseconds since 1970", CellKind::integer},
    {"duration_us", "", CellKind::integer},
    {"operation", "", CellKind::text},
    {"service", "", CellKind::text},
    {"source", "who called, as this span has it", CellKind::text},
    {"target", "who was called, as this span has it", CellKind::text},
    {"hop_kind", "", CellKind::text},
    {"at", "", CellKind::text, true},
};

struct RunSum {
  Time start = Time::max(), end = kNoTime;
  int64_t hops = 0, agents = 0, resources = 0, errors = 0, without_cause = 0;
};

RunSum sum_of(const HopScene& scene, const Run& run) {
  RunSum sum;
  std::vector<ActorId> met;
  for (HopId id : run.hops) {
    if (!scene.selection.shows(id)) continue;
    const Hop& hop = scene.hops[id];
    ++sum.hops;
    sum.errors += hop.outcome == Outcome::error;
    sum.without_cause += scene.lacks_cause(hop);
    for (ActorId actor : {hop.from, hop.to})
      if (actor) met.push_back(actor);
    if (hop.start == kNoTime) continue;
    sum.start = std::min(sum.start, hop.start);
    sum.end = std::max(sum.end, hop.end());
  }
  std::sort(met.begin(), met.end());
  met.erase(std::unique(met.begin(), met.end()), met.end());
  for (ActorId actor : met) {
    sum.agents += scene.hops[actor].type == Actor::Type::agent;
    sum.resources += scene.hops[actor].type == Actor::Type::resource;
  }
  return sum;
}

void write_runs(const HopScene& scene, const Stream::Write& write) {
  size_t mark = scene.question.door.composed_so_far();
  for (const Run& run : scene.hops.runs) {
    RunSum sum = sum_of(scene, run);
    if (sum.hops == 0) continue;
    bool timed = sum.end != kNoTime;
    write(std::vector<Cell>{scene.question.door.name_once(std::string(run.id)),
                            known(scene.actor(run.principal)),
                            timed ? known(Moment{sum.start, 6}) : Cell(),
                            timed ? known(elapsed(sum.start, sum.end)) : Cell(), sum.hops,
                            sum.agents, sum.resources, sum.errors, sum.without_cause});
    scene.question.door.forget_composed(mark);
  }
}

/// All observations of what is shown, in order of time.
std::vector<std::pair<SpanId, uint32_t>> events_of(const HopScene& scene) {
  const Trace& trace = scene.question.graph.trace();
  std::vector<std::pair<SpanId, uint32_t>> events;
  for (size_t i = 0; i < scene.hops.all.size(); ++i)
    if (scene.selection.shows(HopId(i)))
      for (SpanId id : scene.hops.observations_of(scene.hops.all[i]))
        events.emplace_back(id, scene.hops.all[i].run);
  std::sort(events.begin(), events.end(), [&](const auto& a, const auto& b) {
    const Span &x = trace[a.first], &y = trace[b.first];
    return std::tuple(x.start, trace[x.id], trace[x.trace], a.first) <
           std::tuple(y.start, trace[y.id], trace[y.trace], b.first);
  });
  return events;
}

void write_events(const HopScene& scene, const Stream::Write& write) {
  const Trace& trace = scene.question.graph.trace();
  Door& door = scene.question.door;
  size_t mark = door.composed_so_far();
  for (auto [id, run] : events_of(scene)) {
    const Span& span = trace[id];
    auto name = [&](StringId text) { return known(scene.names.text(text)); };
    write(std::vector<Cell>{
        door.name_once(std::string(trace[span.id])),
        door.name_once(std::string(scene.hops.runs[run].id)), microseconds(span.start),
        microseconds(span.duration), name(span.operation), name(span.service), name(span.from),
        name(span.to), name(span.hop_kind), scene.names.at_offset(span.source)});
    door.forget_composed(mark);
  }
}

Outline runs_outline(const HopScene& scene) {
  Outline outline;
  outline.columns = {{"run", false, true}, {"date", false},
                     {"start", false},     {"took", true},
                     {"hops", true},       {"agents", true},
                     {"resources", true},  {"failed", true},
                     {"no cause", true},   {"on behalf of", false, false, 1}};
  auto some = [](int64_t count) { return count > 0 ? Cell(count) : Cell(); };
  for (const Run& run : scene.hops.runs) {
    RunSum sum = sum_of(scene, run);
    if (sum.hops == 0) continue;
    bool timed = sum.end != kNoTime;
    Cell date = timed
                    ? Cell(scene.question.door.composed(format_time({sum.start, 0}).substr(0, 10)))
                    : Cell();
    outline.lines.push_back(
        {0,
         Tone::plain,
         {scene.names.text(run.id), date, timed ? Cell(Moment{sum.start, 0}) : Cell(),
          timed ? known(elapsed(sum.start, sum.end)) : Cell(), sum.hops, sum.agents, sum.resources,
          some(sum.errors), some(sum.without_cause), known(scene.actor(run.principal))}});
  }
  return outline;
}

Outline events_outline(const HopScene& scene) {
  const Trace& trace = scene.question.graph.trace();
  Outline outline;
  outline.columns = {{"start", false},         {"span", false, true}, {"took", true},
                     {"operation", false},     {"source", false},     {"target", false},
                     {"kind", false, false, 1}};
  for (auto [id, run] : events_of(scene)) {
    const Span& span = trace[id];
    auto name = [&](StringId text) { return known(scene.names.text(text)); };
    outline.lines.push_back(
        {0,
         span.outcome == Outcome::error ? Tone::error : Tone::plain,
         {known(Moment{span.start, 6}), scene.names.text(span.id), known(span.duration),
          name(span.operation), name(span.from), name(span.to), name(span.hop_kind)}});
  }
  return outline;
}

}  // namespace

Result<Document> list_runs(const Question& question, const Filter& filter, bool events) {
  Result<std::shared_ptr<HopScene>> found = hop_scene(question, filter);
  if (!found) return tl::unexpected(found.error());
  std::shared_ptr<const HopScene> scene = *std::move(found);
  Document document("list");
  if (question.face == Face::outline) {
    document.add(events ? events_outline(*scene) : runs_outline(*scene));
    return document;
  }
  add_preface("xtrace.list/1", question, scene->names, document);
  if (events)
    document.add(Stream{"events", kEvents,
                        [scene](const Stream::Write& write) { write_events(*scene, write); }});
  else
    document.add(
        Stream{"runs", kRuns, [scene](const Stream::Write& write) { write_runs(*scene, write); }});
  return document;
}

Shape shape_of_run_list() {
  static const Section kShape[] = {
      Record{{{}, preface_columns()}},
      Table{"inputs", input_columns()},
      Table{"warnings", warning_columns()},
      Table{"runs", kRuns},
  };
  return kShape;
}

Shape shape_of_events() {
  static const Section kShape[] = {
      Record{{{}, preface_columns()}},
      Table{"inputs", input_columns()},
      Table{"warnings", warning_columns()},
      Table{"events", kEvents},
  };
  return kShape;
}

}  // namespace xtrace
