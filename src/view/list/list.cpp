#include <fmt/format.h>

#include <algorithm>

#include "link/calls/session_names.h"
#include "link/graph/queries.h"
#include "view/calls/call_fields.h"
#include "view/calls/costs.h"
#include "view/calls/groups.h"
#include "view/calls/select_calls.h"
#include "view/calls/session_uses.h"
#include "view/calls/unplaced.h"
#include "view/common/day.h"
#include "view/common/field.h"
#include "view/common/filter.h"
#include "view/common/preface.h"
#include "view/common/view.h"
#include "view/list/hop_list.h"
#include "view/list/list_calls.h"
#include "view/list/list_queries.h"
#include "view/list/list_runs.h"
#include "view/list/named_row.h"
#include "view/list/title_words.h"

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

/// Every span, in order of time: what the other views of a run are made from.
Result<Document> list_events(const Question& question, const Filter& filter) {
  return list_hops(question, filter,
                   {"events", columns_of<kEvents>(), write_events, outline_of_events});
}

Shape shape_of_events() {
  static const std::vector<Section> kShape = shape_of_answer({table_of<kEvents>("events")});
  return kShape;
}

constexpr size_t kTitle = 60;

/// The beginning of an id that is as long as a UUID: enough to name it by.
Text short_id(const CallScene& scene, const Session& session) {
  constexpr size_t kUuid = 36, kFirst = 8;
  Text name = scene.names.session(session);
  const bool is_long = scene.question.shortens && name.view().size() == kUuid;
  return is_long ? scene.question.door.composed(std::string(name.view().substr(0, kFirst))) : name;
}

/// What its log calls it, else how its first prompt begins; nothing where these are not to be seen.
Text title_of(const CallScene& scene, const Session& session) {
  Door& door = scene.question.door;
  const Trace& trace = scene.graph.trace();
  if (!door.shows_first_words()) return {};
  if (const std::string title = title_words(trace[session.title]); !title.empty())
    return door.first_words(title, kTitle);
  constexpr int kTried = 4;  // clients warm up with calls that have no prompt
  int tried = 0;
  for (CallId id : session.calls) {
    if (scene.question.payloads == nullptr || tried == kTried) break;
    if (trace[id].in_subagent || cause_in_turn(scene.graph, id) != nullptr) continue;
    ++tried;
    Door::At at(door, scene.names.place(id));
    Text words =
        door.first_words(title_words(scene.question.payloads->read(trace[id]).prompt), kTitle);
    if (!words.empty()) return words;
  }
  return {};
}

/// All sessions of one's own, newest first, a line each, by the numbers that commands take.
Outline own_sessions(const CallScene& scene) {
  Outline outline;
  outline.columns = {{"", true},
                     {"session", false, false, 3},
                     {"project", false, false, 4},
                     {"title", false, true},
                     {"last", false},
                     {"time", false, false, 2},
                     {"calls", true},
                     {"cost", Role::cost},
                     {"took", Role::duration, 1}};
  Door& door = scene.question.door;
  const std::vector<Session>& sessions = scene.graph.sessions();
  const std::vector<uint32_t> order = newest_first(sessions);
  Table table = session_table(scene);
  for (size_t i = 0; i < table.rows(); ++i) {
    NamedRow row{table, i};
    const Session& session = sessions[order[static_cast<size_t>(row.count("number")) - 1]];
    const bool is_known = session.end != kNoTime;
    Cell clock = is_known ? Cell(Moment{session.end, 0}) : Cell();
    outline.lines.push_back({0,
                             Tone::plain,
                             {row["number"], known(short_id(scene, session)), row["project"],
                              known(title_of(scene, session)), day_of(session.end, door), clock,
                              row["calls"], cost_cell(usage_in(row, {})), row["duration_ms"]}});
  }
  if (!outline.lines.empty())
    outline.foot.push_back("`xtrace dag 1` shows session 1, `xtrace dag last` the newest");
  if (Text line = costs_line(scene); !line.empty()) outline.foot.push_back(line);
  add_hidden(scene.selection.hidden, "call", {}, door, outline.foot);
  return outline;
}

/// Which sessions and agents there are, by the names that filters take.
class List final : public View {
 public:
  void declare(Options& options) override {
    options.add("--events", events_,
                "list every model call, or every span as recorded, by time (default for csv)");
    options.add("--queries", queries_,
                "list the queries by the names that `trace --query` accepts");
    filter_.declare(options);
  }

  Status prepare(Preparation&) override {
    if (events_ && queries_) return fail(Exit::usage, "--events and --queries cannot be combined");
    return {};
  }

  Result<Document> answer(const Question& question) const override {
    if (queries_ && filter_.any())
      return fail(Exit::usage, "--queries lists all queries and cannot be combined with filters");
    if (queries_) return list_queries(question);
    const Trace& trace = question.graph.trace();
    const bool events = events_ || question.wants_rows;
    if (events && !trace.calls.empty()) return list_calls(question, filter_);
    if (events_ || (events && !trace.spans.empty() && trace.calls.empty()))
      return list_events(question, filter_);
    if (trace.calls.empty()) return list_runs(question, filter_);
    Result<Document> sessions = list_sessions(question);
    if (trace.spans.empty()) return sessions;
    Result<Document> runs = list_runs(question, filter_);
    if (!runs) return sessions;
    if (!sessions) return runs;
    sessions->add(std::move(runs->section(runs->sections().size() - 1)));
    return sessions;
  }

 private:
  Result<Document> list_sessions(const Question& question) const {
    Result<Selection> selection = select_calls(filter_, question.graph, question.door.zone());
    if (!selection) return tl::unexpected(selection.error());
    Spending spending(question.graph, *selection);
    Document document("list");
    CallScene scene{question,
                    question.graph,
                    *std::move(selection),
                    Metrics(),  // none are shown
                    Names(question.graph, question.door),
                    document.arena(),
                    std::move(spending)};
    if (question.face == Face::outline && question.lists_own) {
      document.add(own_sessions(scene));
      return document;
    }
    if (question.face == Face::outline) {
      document.add(sessions(scene));
      Outline last = agents(scene);
      for (const Text& line : {costs_line(scene), session_uses_line(scene)})
        if (!line.empty()) last.foot.push_back(line);
      add_hidden(scene.selection.hidden, "call", {}, question.door, last.foot);
      document.add(std::move(last));
      return document;
    }
    add_preface("xtrace.list/1", question, scene.names, scene.selection.hidden, document,
                Meanings::on_request, Covers::all);
    document.add(costs_record(scene));
    document.add(session_table(scene));
    document.add(agent_table(scene));
    document.add(session_uses(scene));
    document.add(unplaced_table(scene.spending.unplaced(), scene.graph, scene.names));
    return document;
  }

  static Outline sessions(const CallScene& scene) {
    Outline outline;
    outline.columns = {
        {"session", false, true}, {"date", false, false, 5}, {"start", false, false, 4},
        {"took", Role::duration}, {"calls", true},           {"agents", true, false, 1},
        {"failed", Role::errors}, {"in", Role::input, 2},    {"out", Role::output, 3},
        {"cost", Role::cost}};
    Table table = session_table(scene);
    for (size_t i = 0; i < table.rows(); ++i) {
      NamedRow row{table, i};
      const Moment* start = std::get_if<Moment>(&row["start"]);
      Cell date = start == nullptr ? Cell() : day_of(start->time, scene.question.door);
      Cell clock = start == nullptr ? Cell() : Cell(Moment{start->time, 0});
      outline.lines.push_back(
          {0,
           Tone::plain,
           {row["id"], date, clock, row["duration_ms"], row["calls"], row["agents"], row["errors"],
            known(row.sent()), row["tokens.output"], cost_cell(usage_in(row, {}))}});
    }
    return outline;
  }

  static std::string_view name_of_tool(const Text& name) {
    return name.empty() ? "(unnamed)" : name.view();
  }

  static Outline agents(const CallScene& scene) {
    Outline outline;
    outline.columns = {{"agent", false, true},
                       {"instances", true},
                       {"calls", true},
                       {"failed", Role::errors},
                       {"mean lifetime", Role::duration, 2},
                       {"in", Role::input, 3},
                       {"out", Role::output, 4},
                       {"cost", Role::cost},
                       {"total", Role::cost, 5},
                       {"tools", false, false, 1}};
    Table table = agent_table(scene);
    for (size_t i = 0; i < table.rows(); ++i) {
      NamedRow row{table, i};
      std::string tools;
      if (const Table* const* used = std::get_if<const Table*>(&row["tools"]))
        for (size_t t = 0; t < (*used)->rows(); ++t) {
          const NamedRow tool{**used, t};
          tools += fmt::format("{}{} ×{}", tools.empty() ? "" : ", ",
                               name_of_tool(std::get<Text>(tool["name"])), tool.count("uses"));
        }
      Door& door = scene.question.door;
      const Usage own = usage_in(row, {}), in_all = usage_in(row, "subtree_");
      outline.lines.push_back(
          {0,
           Tone::plain,
           {row["type"], row["instances"], row["calls"], row["errors"], row["mean_lifetime_ms"],
            known(row.sent()), row["tokens.output"], cost_cell(own),
            cost_words(in_all) == cost_words(own) ? Cell() : cost_cell(in_all),
            known(door.composed(std::move(tools)))}});
    }
    return outline;
  }

  bool events_ = false, queries_ = false;
  Filter filter_;
};

std::vector<Shape> shapes() {
  static const std::vector<Section> kShape = shape_of_answer(
      {Record{{"costs", costs_columns()}}, Table{"sessions", session_columns()},
       Table{"agents", agent_columns()}, Table{"session_totals", session_use_columns()},
       Table{"unplaced", unplaced_columns()}});
  static const std::vector<Section> kWithRuns = shape_of_answer(
      {Record{{"costs", costs_columns()}}, Table{"sessions", session_columns()},
       Table{"agents", agent_columns()}, Table{"session_totals", session_use_columns()},
       Table{"unplaced", unplaced_columns()}, Table{"runs", listed_run_columns()}});
  return {kShape,
          kWithRuns,
          shape_of_run_list(),
          shape_of_listed_calls(),
          shape_of_events(),
          shape_of_queries()};
}

}  // namespace

extern constinit const ViewEntry kListView = {
    .name = "list",
    .summary = "list sessions and agents",
    .about =
        "Lists the sessions and agents of the input, or the runs of a trace, by the names that "
        "filters accept. Without FILE on a terminal: all your sessions, newest first. Other "
        "commands accept a session's number instead of FILE.",
    .examples = R"(  xtrace list                       all sessions of your agents, newest first
  xtrace list logs.jsonl            sessions and agents, with counts and times
  xtrace list logs/ -f json         as JSON
  xtrace list logs.jsonl --queries  the names that `trace --query` accepts
)",
    .make = make_view<List>,
    .shapes = shapes,
    .lists_sessions = true,
    .rows = "events",
};

}  // namespace xtrace
