#include "view/stats/stats.h"

#include "view/calls/costs.h"
#include "view/calls/select_calls.h"
#include "view/calls/session_uses.h"
#include "view/calls/waste_tables.h"
#include "view/common/preface.h"
#include "view/stats/statements.h"

namespace xtrace {

namespace {

constexpr std::string_view kSchema = "xtrace.stats/1";
/// What all findings of `advise` cost, of which the first ones follow it.
constexpr std::string_view kWasteSum = "could_save";

/// What was done how often, how long it took, what it cost, what failed.
class StatsView final : public View {
 public:
  void declare(Options& options) override {
    options.add("--by", by_, "WHAT",
                "add a row per task, turn, run, session or day; if the log names no tasks, each "
                "turn or query counts as a task",
                {"task", "turn", "run", "session", "day"});
    filter_.declare(options);
  }

  const Filter* filter() const override { return &filter_; }
  Result<Document> answer(const Question& question) const override {
    return question.graph.trace().calls.empty() ? of_spans(question) : of_calls(question);
  }

 private:
  StatsBy by() const {
    if (by_ == "turn") return StatsBy::task;  // where no task is named it is one
    for (StatsBy by : {StatsBy::task, StatsBy::run, StatsBy::session, StatsBy::day})
      if (word(by) == by_) return by;
    return StatsBy::nothing;
  }

  Result<Document> of_calls(const Question& question) const {
    Result<Selection> selection = select_calls(filter_, question.graph, question.door.zone());
    if (!selection) return tl::unexpected(selection.error());
    const Selection told = *selection;
    Metrics metrics = measure(question.graph, told);  // as `dag` has it
    leave_out_unrecorded(question.graph, *selection);
    Spending spending(question.graph, told);  // sums say what they lack
    Document document("stats");
    CallScene scene{question,
                    question.graph,
                    *std::move(selection),
                    std::move(metrics),
                    Names(question.graph, question.door),
                    document.arena(),
                    std::move(spending)};
    const CallAccount account(scene);
    Stats stats{question,
                scene.names,
                document.arena(),
                work_of_calls(scene, account, told, by()),
                by(),
                &scene,
                &account,
                nullptr,
                retry_chains(scene),
                find_repeated(question.graph, scene.shown_calls()),
                find_waste({question.graph, question.payloads, scene.shown_calls(), account.carried,
                            account.rebuilds, question.jobs})};
    if (question.face == Face::outline) {
      std::vector<Text> foot;
      for (const Text& line : {costs_line(scene), session_uses_line(scene)})
        if (!line.empty()) foot.push_back(line);
      add_hidden(scene.selection.hidden, "call", {}, question.door, foot);
      add_left_out_spans(question.graph, question.door, foot);
      stats.places.emplace(scene);
      Outline head;
      head.head = head_lines(scene);
      document.add(std::move(head));
      add_stats_outlines(stats, std::move(foot), document);
      return document;
    }
    add_preface(kSchema, question, scene.names, scene.selection.hidden, document);
    document.add(costs_record(scene));
    add_stats_tables(stats, document);
    document.add(waste_sum(kWasteSum, stats.waste));
    document.add(waste_table(
        scene, std::span(stats.waste).first(std::min(kFirstWaste, stats.waste.size()))));
    document.add(session_uses(scene));
    document.add(unplaced_table(scene.spending.unplaced(), question.graph, scene.names));
    document.add(statements_table(question.graph, scene.names));
    return document;
  }

  Result<Document> of_spans(const Question& question) const {
    Result<std::shared_ptr<HopScene>> scene = hop_scene(question, filter_, HopLinks::causes);
    if (!scene) return tl::unexpected(scene.error());
    Document document("stats");
    const std::vector<UnplacedRow> unplaced = unplaced_in(**scene);
    Stats stats{question,
                (*scene)->names,
                document.arena(),
                work_of_spans(**scene, unplaced, by()),
                by(),
                nullptr,
                nullptr,
                scene->get(),
                retry_chains(**scene),
                {},
                {}};
    if (question.face == Face::outline) {
      std::vector<Text> foot;
      add_hidden((*scene)->selection.hidden, "span", {}, question.door, foot);
      if (std::string line = unplaced_words(unplaced); !line.empty())
        foot.push_back(question.door.composed(std::move(line)));
      add_untold_tools(question, foot);
      add_stats_outlines(stats, std::move(foot), document);
      return document;
    }
    add_preface(kSchema, question, stats.names, (*scene)->selection.hidden, document);
    add_stats_tables(stats, document);
    document.add(unplaced_table(unplaced, question.graph, stats.names));
    document.add(statements_table(question.graph, stats.names));
    return document;
  }

  std::string by_;
  Filter filter_;
};

std::vector<Shape> shapes() {
  static const std::vector<Section> kOfSpans = [] {
    std::vector<Section> sections = stats_sections(StatsOf::spans);
    sections.push_back(Table{"unplaced", unplaced_columns()});
    sections.push_back(Table{"statements", statements_columns()});
    return shape_of_answer(sections);
  }();
  static const std::vector<Section> kOfCalls = [] {
    std::vector<Section> sections = stats_sections(StatsOf::calls);
    sections.insert(sections.begin(), Record{{"costs", costs_columns()}});
    for (Section& section : waste_sections(kWasteSum)) sections.push_back(std::move(section));
    sections.push_back(Table{"session_totals", session_use_columns()});
    sections.push_back(Table{"unplaced", unplaced_columns()});
    sections.push_back(Table{"statements", statements_columns()});
    return shape_of_answer(sections);
  }();
  return {kOfCalls, kOfSpans};
}

}  // namespace

extern constinit const ViewEntry kStatsView = {
    .name = "stats",
    .summary = "show cost, time, tool and error statistics",
    .about =
        "Shows the bill (input, caches and output by turn, subagent and call), cache rebuilds and "
        "their cost, tool results and how often they were resent, where the time went, and "
        "possible savings; below, statistics by model, provider, agent, tool and kind of error. "
        "Estimates are marked ~ and not included in sums; percentiles use the nearest rank.",
    .examples = R"(  xtrace stats logs.jsonl                        cost, time, tools and errors
  xtrace stats logs/ --by day                    add a table by day
  xtrace stats logs.jsonl --agent Explore        one type of agent
  xtrace stats logs.jsonl -f csv --table tools   one table, for a spreadsheet
  xtrace stats logs.jsonl -f markdown            all tables, for a report
)",
    .make = make_view<StatsView>,
    .shapes = shapes,
    .has_page = true,
};

}  // namespace xtrace
