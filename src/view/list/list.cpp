#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "link/calls/session_names.h"
#include "link/graph/queries.h"
#include "link/graph/subject.h"
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
#include "view/hops/span_texts.h"
#include "view/list/hop_list.h"
#include "view/list/listings.h"
#include "view/list/session_search.h"
#include "view/list/title_words.h"

namespace xtrace {

namespace {

struct EventRow {
  const HopScene& scene;
  const Span& span;
  const Run& run;

  Cell name(StringId text) const { return known(scene.names.text(text)); }
  Cell text(SpanText which) const { return known(span_text(scene.question, span, which)); }
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
    {kSpanPrompt, [](const EventRow& r) { return r.text(SpanText::prompt); }},
    {kSpanAnswer, [](const EventRow& r) { return r.text(SpanText::answer); }},
    {kSpanArguments, [](const EventRow& r) { return r.text(SpanText::arguments); }},
    {kSpanResult, [](const EventRow& r) { return r.text(SpanText::result); }},
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
Result<Document> list_events(const Question& question, const Filter& filter,
                             std::string_view name) {
  return list_hops(question, filter,
                   {name, columns_of<kEvents>(), write_events, outline_of_events});
}

Shape shape_of_events() {
  static const std::vector<Section> kShape = shape_of_answer({table_of<kEvents>("events")});
  return kShape;
}

/// What the spans are called where the model calls are the events.
constexpr std::string_view kSpanEvents = "span_events";

Shape shape_of_all_events() {
  static const std::vector<Section> kShape = [] {
    std::vector<Section> sections = {table_of<kEvents>(kSpanEvents)};
    const Shape calls = shape_of_listed_calls();
    sections.insert(sections.begin(), calls.begin(), calls.end());
    return sections;
  }();
  return kShape;
}

constexpr size_t kTitle = 60;  // leaves room for the other columns

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

Text source_in(const SessionRow& row) {
  return row.scene.question.door.composed(
      std::string(source_of(row.scene.graph.trace(), row.session)));
}

/// A column of a list for people, and what its last row, of all sessions, has in it.
struct SessionColumn {
  Outline::Column column;
  Cell (*cell)(const SessionRow& row);
  Cell (*total)(const SessionTotals& all) = nullptr;
};

/// A list of all local sessions begins with the numbers that commands accept.
std::vector<SessionColumn> columns_of_sessions(const CallScene& scene) {
  using In = const SessionRow&;
  using All = const SessionTotals&;
  const bool has_titles = scene.question.door.shows_first_words();
  std::vector<SessionColumn> columns;
  if (scene.question.lists_own) columns.push_back({{"", true}, [](In of) { return of.number; }});
  columns.push_back({{"session", false, !has_titles, 8},
                     [](In of) { return known(short_id(of.scene, of.session)); },
                     [](All) { return Cell(Text("total")); }});
  columns.push_back({{"source", false, false, 7}, [](In of) { return known(source_in(of)); }});
  columns.push_back({{"project", false, false, 6},
                     [](In of) { return known(of.scene.names.project(of.session)); }});
  if (has_titles)
    columns.push_back(
        {{"title", false, true}, [](In of) { return known(title_of(of.scene, of.session)); }});
  const SessionColumn figures[] = {
      {{"date", false, false, 5},
       [](In of) { return day_of(of.sum.time.start, of.scene.question.door); }},
      {{"start", false, false, 4},
       [](In of) {
         return known(Moment{of.sum.time.start, 0});
       }},
      {{"took", Role::duration, 3}, [](In of) { return known(of.sum.took()); }},
      {{"turns", true, false, 2},
       [](In of) { return Cell(static_cast<int64_t>(of.turns.size())); },
       [](All all) { return Cell(all.turns); }},
      {{"calls", true},
       [](In of) { return Cell(of.sum.calls); },
       [](All all) { return Cell(all.sum.calls); }},
      {{"subagents", true, false, 1}, [](In of) { return some(of.subagents()); }},
      {{"failed", Role::errors, 1},
       [](In of) { return some(of.sum.errors); },
       [](All all) { return some(all.sum.errors); }},
      {{"in", Role::input, 1},
       [](In of) { return known(tokens_sent(of.sum.usage.tokens)); },
       [](All all) { return known(tokens_sent(all.sum.usage.tokens)); }},
      {{"out", Role::output, 1},
       [](In of) { return known(of.sum.usage.tokens.output); },
       [](All all) { return known(all.sum.usage.tokens.output); }},
      {{"cost", Role::cost},
       [](In of) { return cost_cell(of.sum.usage); },
       [](All all) { return cost_cell(all.sum.usage); }}};
  columns.insert(columns.end(), std::begin(figures), std::end(figures));
  return columns;
}

Outline outline_of_sessions(const CallScene& scene) {
  Outline outline;
  const std::vector<SessionColumn> columns = columns_of_sessions(scene);
  for (const SessionColumn& column : columns) outline.columns.push_back(column.column);
  const ListedSessions listed = collect_sessions(scene);
  for (const SessionRow& row : listed.rows) {
    Outline::Line& line = outline.lines.emplace_back();
    for (const SessionColumn& column : columns) line.cells.push_back(column.cell(row));
  }
  if (listed.rows.size() < 2) return outline;
  Outline::Line& last = outline.lines.emplace_back();
  last.tone = Tone::heading;
  last.is_total = true;
  for (const SessionColumn& column : columns)
    last.cells.push_back(column.total != nullptr ? column.total(listed.totals) : Cell());
  return outline;
}

/// Which sessions and agents there are, by the names that filters take.
class List final : public View {
 public:
  void declare(Options& options) override {
    options.add("--events", events_, "list every model call and every span as recorded, by time");
    options.add("--grep", grep_, "WORD",
                "list only sessions with this text in their title, a prompt or the name of a file "
                "they touched; with --level full, in anything that was said");
    options.add("--queries", queries_,
                "list the queries by the names that `trace --query` accepts");
    filter_.declare(options);
  }

  Status prepare(Preparation&) override {
    if (events_ && queries_) return fail(Exit::usage, "--events and --queries cannot be combined");
    return {};
  }

  Result<Document> answer(const Question& question) const override {
    if (queries_ && (filter_.any() || !grep_.empty()))
      return fail(Exit::usage, "--queries lists all queries and cannot be combined with filters");
    if (events_ && !grep_.empty())
      return fail(Exit::usage, "--grep finds sessions and cannot be combined with --events");
    if (queries_) return list_queries(question);
    const auto of_calls = [&] {
      return events_ ? list_calls(question, filter_) : list_sessions(question);
    };
    const auto of_spans = [&](std::string_view name) {
      return events_ ? list_events(question, filter_, name) : list_runs(question, filter_);
    };
    const Subject subject = subject_of(question.graph.trace());
    if (subject == Subject::spans) return of_spans("events");
    Result<Document> calls = of_calls();
    if (subject == Subject::calls) return calls;
    Result<Document> spans = of_spans(kSpanEvents);
    if (!spans) return calls;
    if (!calls) return spans;
    calls->add(std::move(spans->section(spans->sections().size() - 1)));
    return calls;
  }

 private:
  Result<Document> list_sessions(const Question& question) const {
    Result<Selection> selection = select_calls(filter_, question.graph, question.door.zone());
    if (!selection) return tl::unexpected(selection.error());
    if (!grep_.empty())
      if (Status found = keep_sessions_with(grep_, question, *selection); !found)
        return tl::unexpected(found.error());
    Spending spending(question.graph, *selection);
    Document document("list");
    CallScene scene{question,
                    question.graph,
                    *std::move(selection),
                    Metrics(),  // none are shown
                    Names(question.graph, question.door),
                    document.arena(),
                    std::move(spending)};
    if (question.face == Face::outline) {
      Outline last = outline_of_sessions(scene);
      if (!question.lists_own) {
        document.add(std::move(last));
        last = agents(scene);
      } else if (!last.lines.empty()) {
        last.foot.push_back("`xtrace dag 1` shows session 1, `xtrace dag last` the newest");
      }
      for (const Text& line : {costs_line(scene), session_uses_line(scene)})
        if (!line.empty()) last.foot.push_back(line);
      add_hidden(scene.selection.hidden, "call", {}, question.door, last.foot);
      document.add(std::move(last));
      return document;
    }
    add_preface("xtrace.list/1", question, scene.names, scene.selection.hidden, document,
                Meanings::on_request, Covers::all);
    document.add(costs_record(scene));
    ListedSessions listed = collect_sessions(scene);
    document.add(record_of_totals(listed.totals));
    document.add(std::move(listed.table));
    document.add(agent_table(scene));
    document.add(session_uses(scene));
    document.add(unplaced_table(scene.spending.unplaced(), scene.graph, scene.names));
    return document;
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
    for (const AgentTypeRow& row : collect_agent_types(scene)) {
      std::string tools;
      for (const auto& [name, sum] : row.most_used())
        tools += fmt::format("{}{} ×{}", tools.empty() ? "" : ", ",
                             name_of_tool(scene.names.text(name)), sum.uses);
      const Usage& own = row.sum.usage;
      outline.lines.push_back(
          {0,
           Tone::plain,
           {scene.names.text(row.type), row.instances, row.sum.calls, row.sum.errors,
            row.mean_lifetime(), known(tokens_sent(own.tokens)), known(own.tokens.output),
            cost_cell(own),
            cost_words(row.in_all) == cost_words(own) ? Cell() : cost_cell(row.in_all),
            known(scene.question.door.composed(std::move(tools)))}});
    }
    return outline;
  }

  bool events_ = false, queries_ = false;
  std::string grep_;
  Filter filter_;
};

std::vector<Shape> shapes() {
  static const std::vector<Section> kShape = shape_of_answer(
      {Record{{"costs", costs_columns()}}, Record{{"totals", session_total_columns()}},
       Table{"sessions", listed_session_columns()}, Table{"agents", agent_columns()},
       Table{"session_totals", session_use_columns()}, Table{"unplaced", unplaced_columns()}});
  static const std::vector<Section> kWithRuns = shape_of_answer(
      {Record{{"costs", costs_columns()}}, Record{{"totals", session_total_columns()}},
       Table{"sessions", listed_session_columns()}, Table{"agents", agent_columns()},
       Table{"session_totals", session_use_columns()}, Table{"unplaced", unplaced_columns()},
       Table{"runs", listed_run_columns()}});
  return {kShape,
          kWithRuns,
          shape_of_run_list(),
          shape_of_listed_calls(),
          shape_of_events(),
          shape_of_all_events(),
          shape_of_queries()};
}

}  // namespace

extern constinit const ViewEntry kListView = {
    .name = "list",
    .summary = "list sessions and agents",
    .about =
        "Lists the sessions and agents of the input, or the runs of a trace, by the names that "
        "filters accept. Without FILE: all your sessions, newest first. Other commands accept a "
        "session's number instead of FILE.",
    .examples = R"(  xtrace list                       all sessions of your agents, newest first
  xtrace list --source codex --since 7d   of one agent product, in the last week
  xtrace list --grep 'rate limit'   those that mention it
  xtrace list logs.jsonl            sessions and agents, with counts and times
  xtrace list logs/ -f json         as JSON
  xtrace list logs.jsonl --queries  the names that `trace --query` accepts
)",
    .make = make_view<List>,
    .shapes = shapes,
    .lists_sessions = true,
    .rows = "sessions",
};

}  // namespace xtrace
