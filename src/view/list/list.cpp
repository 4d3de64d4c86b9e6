#include <fmt/format.h>

#include "view/calls/costs.h"
#include "view/calls/groups.h"
#include "view/calls/select_calls.h"
#include "view/calls/session_uses.h"
#include "view/calls/unplaced.h"
#include "view/common/day.h"
#include "view/common/preface.h"
#include "view/list/list_calls.h"
#include "view/list/list_events.h"
#include "view/list/list_own.h"
#include "view/list/list_queries.h"
#include "view/list/list_runs.h"
#include "view/list/named_row.h"

namespace xtrace {

namespace {

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
