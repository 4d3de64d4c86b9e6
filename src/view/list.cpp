#include <fmt/format.h>

#include "view/day.h"
#include "view/groups.h"
#include "view/list_events.h"
#include "view/list_queries.h"
#include "view/list_runs.h"
#include "view/preface.h"

namespace xtrace {

namespace {

/// Which sessions and agents there are, by the names that filters take.
class List final : public View {
 public:
  void declare(Options& options) override {
    options.add(
        "--events", events_,
        "every span as it was recorded, both sides of a hop, in order of time, a line each");
    options.add("--queries", queries_, "the queries, by the names that `trace --query` takes");
    filter_.declare(options);
  }

  Result<Document> answer(const Question& question) const override {
    if (queries_ && filter_.any())
      return fail(Exit::usage, "--queries: it names all queries and takes no filters");
    if (queries_) return list_queries(question);
    if (question.graph.trace().calls.empty())
      return events_ ? list_events(question, filter_) : list_runs(question, filter_);
    if (events_)
      return fail(Exit::no, "--events: there are no spans in here; `xtrace dag` shows every call");
    Result<Selection> selection = filter_.select(question.graph);
    if (!selection) return tl::unexpected(selection.error());
    Document document("list");
    Scene scene{question,
                question.graph,
                *std::move(selection),
                Metrics(),  // none are shown
                Names(question.graph, question.door),
                document.shelf()};
    if (question.face == Face::outline) {
      document.add(sessions(scene));
      Outline last = agents(scene);
      add_hidden(scene.selection.hidden, "call", {}, question.door, last.foot);
      document.add(std::move(last));
      return document;
    }
    add_preface("xtrace.list/1", question, scene.names, scene.selection.hidden, document);
    document.add(session_table(scene));
    document.add(agent_table(scene));
    return document;
  }

 private:
  static Outline sessions(const Scene& scene) {
    Outline outline;
    outline.columns = {{"session", false, true}, {"date", false, false}, {"start", false, false},
                       {"took", true, false},    {"calls", true, false}, {"agents", true, false},
                       {"failed", true, false},  {"out", true, false}};
    Table table = session_table(scene);
    for (size_t i = 0; i < table.rows(); ++i) {
      std::span<const Cell> row = table.row(i);
      const Moment* start = std::get_if<Moment>(&row[1]);
      Cell date = start == nullptr ? Cell() : day_of(start->time, scene.question.door);
      Cell clock = start == nullptr ? Cell() : Cell(Moment{start->time, 0});
      outline.lines.push_back(
          {0, Tone::plain, {row[0], date, clock, row[3], row[4], row[6], row[7], row[9]}});
    }
    return outline;
  }

  static Outline agents(const Scene& scene) {
    Outline outline;
    outline.columns = {{"agent", false, true},  {"times", true, false},     {"calls", true, false},
                       {"failed", true, false}, {"mean life", true, false}, {"out", true, false},
                       {"tools", false, false}};
    Table table = agent_table(scene);
    for (size_t i = 0; i < table.rows(); ++i) {
      std::span<const Cell> row = table.row(i);
      std::string tools;
      if (const Table* const* used = std::get_if<const Table*>(&row[9]))
        for (size_t t = 0; t < (*used)->rows(); ++t)
          tools += fmt::format("{}{} ×{}", tools.empty() ? "" : ", ",
                               std::get<Text>((*used)->row(t)[0]).view(),
                               std::get<int64_t>((*used)->row(t)[1]));
      outline.lines.push_back({0,
                               Tone::plain,
                               {row[0], row[1], row[3], row[4], row[6], row[8],
                                known(scene.question.door.composed(std::move(tools)))}});
    }
    return outline;
  }

  bool events_ = false, queries_ = false;
  Filter filter_;
};

}  // namespace

std::unique_ptr<View> make_list() {
  return std::make_unique<List>();
}

std::vector<Shape> shapes_of_list() {
  static const std::vector<Section> kShape =
      shape_of_answer({Table{"sessions", session_columns()}, Table{"agents", agent_columns()}});
  return {kShape, shape_of_run_list(), shape_of_events(), shape_of_queries()};
}

}  // namespace xtrace
