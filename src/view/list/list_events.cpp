#include "view/list/list_events.h"

#include <algorithm>

#include "view/common/field.h"
#include "view/common/preface.h"
#include "view/list/hop_list.h"

namespace xtrace {

namespace {

struct EventRow {
  const HopScene& scene;
  const Span& span;
  const Run& run;

  Cell name(StringId text) const { return known(scene.names.text(text)); }
  RecordPlace place() const { return scene.names.place(span.source); }
};

constexpr Field<EventRow> kEvents[] = {
    {{"span_id", "", CellKind::text, true},
     [](const EventRow& r) -> Cell {
       return r.scene.once(r.scene.question.graph.trace()[r.span.shown_id()]);
     }},
    {{"run", "", CellKind::text, true},
     [](const EventRow& r) -> Cell { return r.scene.once(r.run.id); }},
    {{"start_ts", "start in microseconds since 1970", CellKind::integer},
     [](const EventRow& r) -> Cell { return microseconds(r.span.start); }},
    {{"duration_us", "", CellKind::integer},
     [](const EventRow& r) -> Cell { return microseconds(r.span.duration); }},
    {{"operation", "", CellKind::text},
     [](const EventRow& r) -> Cell { return r.name(r.span.operation); }},
    {{"service", "", CellKind::text},
     [](const EventRow& r) -> Cell { return r.name(r.span.service); }},
    {{"source", "the caller, as this span records it", CellKind::text},
     [](const EventRow& r) -> Cell { return r.name(r.span.from); }},
    {{"target", "the actor called, as this span records it", CellKind::text},
     [](const EventRow& r) -> Cell { return r.name(r.span.to); }},
    {{"hop_kind", "", CellKind::text},
     [](const EventRow& r) -> Cell { return r.name(r.span.hop_kind); }},
    {{"status", "ok, error, unfinished or unknown", Role::status, true},
     [](const EventRow& r) -> Cell { return Door::own(word(r.span.outcome)); }},
    {{"at", "", CellKind::text, true},
     [](const EventRow& r) -> Cell { return r.scene.names.at(r.span.source); }},
};

/// All observations of what is shown, in order of time.
std::vector<std::pair<SpanId, uint32_t>> events_of(const HopScene& scene) {
  const Trace& trace = scene.question.graph.trace();
  std::vector<std::pair<SpanId, uint32_t>> events;
  for (size_t i = 0; i < scene.hops.all.size(); ++i)
    if (scene.selection.shows(HopId(i)))
      for (SpanId id : scene.hops.observations_of(scene.hops.all[i]))
        events.emplace_back(id, scene.hops.all[i].run);
  // A client's span is an observation of the call that it made, too.
  std::sort(events.begin(), events.end());
  events.erase(std::unique(events.begin(), events.end()), events.end());
  std::sort(events.begin(), events.end(), [&](const auto& a, const auto& b) {
    const Span &x = trace[a.first], &y = trace[b.first];
    return std::tuple(x.start, trace[x.id], trace[x.trace], a.first) <
           std::tuple(y.start, trace[y.id], trace[y.trace], b.first);
  });
  return events;
}

void write_events(const HopScene& scene, const Stream::Write& write) {
  Rows<EventRow> rows(kEvents, scene.question.door, write);
  for (auto [id, run] : events_of(scene))
    rows.write({scene, scene.question.graph.trace()[id], scene.hops.runs[run]});
}

Outline outline_of_events(const HopScene& scene) {
  const Trace& trace = scene.question.graph.trace();
  Outline list;
  list.columns = {{"start", false},         {"run", false, true}, {"span", false, true},
                  {"took", Role::duration}, {"operation", false}, {"service", false, false, 2},
                  {"source", false},        {"target", false},    {"kind", false, false, 1}};
  const auto events = events_of(scene);
  bool is_one_run = std::all_of(events.begin(), events.end(), [&](const auto& event) {
    return event.second == events.front().second;
  });
  for (auto [id, run] : events) {
    const Span& span = trace[id];
    EventRow row{scene, span, scene.hops.runs[run]};
    Door::At at(scene.question.door, row.place());
    list.lines.push_back(
        {0,
         span.outcome == Outcome::error ? Tone::error : Tone::plain,
         {known(Moment{span.start, 6}), is_one_run ? Cell() : known(scene.names.text(row.run.id)),
          scene.names.text(span.id), known(span.duration), row.name(span.operation),
          row.name(span.service), row.name(span.from), row.name(span.to),
          row.name(span.hop_kind)}});
  }
  return list;
}

}  // namespace

Result<Document> list_events(const Question& question, const Filter& filter) {
  return list_hops(question, filter,
                   {"events", columns_of<kEvents>(), write_events, outline_of_events});
}

Shape shape_of_events() {
  static const std::vector<Section> kShape = shape_of_answer({table_of<kEvents>("events")});
  return kShape;
}

}  // namespace xtrace
