#include "view/stats/stats.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "view/calls/costs.h"
#include "view/calls/select_calls.h"
#include "view/calls/session_uses.h"
#include "view/calls/waste_tables.h"
#include "view/common/preface.h"
#include "view/hops/shown_parts.h"
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

  bool shows_usage_alone() const override { return true; }
  const Filter* filter() const override { return &filter_; }
  Result<Document> answer(const Question& question) const override {
    Document document("stats");
    const Graph& graph = question.graph;
    Result<ShownParts> shown = select_parts(filter_, question);
    if (!shown) return tl::unexpected(shown.error());
    const HopScene* spans = shown->spans.get();
    std::optional<CallPart> calls;
    if (shown->calls) calls.emplace(question, *std::move(shown->calls), document.arena());
    const std::vector<UnplacedRow> unplaced =
        calls ? calls->scene.spending.unplaced() : unplaced_in(*spans);
    const Names& names = calls ? calls->scene.names : spans->names;
    const std::optional<ShownWork> work = calls ? std::optional(calls->work()) : std::nullopt;
    Stats stats{question,
                names,
                document.arena(),
                work_of(question, work ? &*work : nullptr, spans,
                        without_calls_of_spans(unplaced, graph), by()),
                by(),
                calls ? &calls->scene : nullptr,
                calls ? &calls->account : nullptr,
                spans,
                {},
                {},
                {}};
    if (calls) {
      stats.retries = retry_chains(calls->scene);
      stats.repeated = find_repeated(graph, calls->scene.shown_calls());
      stats.waste = find_waste({graph, question.payloads, calls->scene.shown_calls(),
                                calls->account.carried, calls->account.rebuilds, question.jobs});
    }
    if (spans != nullptr)
      std::ranges::move(retry_chains(*spans), std::back_inserter(stats.retries));
    if (question.face == Face::outline)
      add_outlines(stats, unplaced, document);
    else
      add_tables(stats, unplaced, document);
    return document;
  }

 private:
  StatsBy by() const {
    if (by_ == "turn") return StatsBy::task;  // where no task is named it is one
    for (StatsBy by : {StatsBy::task, StatsBy::run, StatsBy::session, StatsBy::day})
      if (word(by) == by_) return by;
    return StatsBy::nothing;
  }

  /// The model calls that are shown.
  struct CallPart {
    CallPart(const Question& question, Selection selected, CellArena& arena)
        : recorded_or_reported(std::move(selected)),
          scene(scene_of(question, recorded_or_reported, arena)),
          account(scene) {}
    ShownWork work() const { return {scene, account, recorded_or_reported}; }

    Selection recorded_or_reported;
    CallScene scene;
    CallAccount account;

   private:
    static CallScene scene_of(const Question& question, const Selection& shown, CellArena& arena) {
      const Graph& graph = question.graph;
      Selection recorded = shown;
      leave_out_unrecorded(graph, recorded);
      return {question,
              graph,
              std::move(recorded),
              measure(graph, shown),  // as `dag` has it
              Names(graph, question.door),
              arena,
              Spending(graph, shown)};  // sums say what is missing from them
    }
  };

  /// Without the calls of spans that are shown as calls.
  static std::vector<UnplacedRow> without_calls_of_spans(std::vector<UnplacedRow> unplaced,
                                                         const Graph& graph) {
    std::erase_if(unplaced, [&](const UnplacedRow& row) {
      return row.calls > 0 && is_of_uncovered_run(row.usage, graph);
    });
    return unplaced;
  }

  static void add_outlines(Stats& stats, std::span<const UnplacedRow> unplaced,
                           Document& document) {
    Door& door = stats.question.door;
    std::vector<Text> foot;
    if (stats.calls != nullptr) {
      for (const Text& line : {costs_line(*stats.calls), session_uses_line(*stats.calls)})
        if (!line.empty()) foot.push_back(line);
      add_hidden(stats.calls->selection.hidden, "call", {}, door, foot);
      stats.places.emplace(*stats.calls);
      Outline head;
      head.head = head_lines(*stats.calls);
      if (stats.log.runs > 0)
        head.head.push_back(
            door.say("also counted: {} in {}",
                     plural(std::ranges::count(stats.spans->selection.hops, true), "span"),
                     plural(stats.log.runs, "run")));
      document.add(std::move(head));
    }
    if (stats.spans != nullptr) {
      Hidden hidden = stats.spans->selection.hidden;
      if (stats.calls != nullptr)
        hidden.since = hidden.until = {};  // already in the line for calls
      add_hidden(hidden, "span", {}, door, foot);
    }
    if (stats.calls == nullptr) {
      if (std::string line = unplaced_words(unplaced); !line.empty())
        foot.push_back(door.composed(std::move(line)));
      add_untold_tools(stats.question, foot);
    }
    add_stats_outlines(stats, std::move(foot), document);
  }

  static void add_tables(const Stats& stats, std::span<const UnplacedRow> unplaced,
                         Document& document) {
    Hidden hidden;
    if (stats.calls != nullptr) hidden = stats.calls->selection.hidden;
    if (stats.spans != nullptr) hidden.add(stats.spans->selection.hidden);
    add_preface(kSchema, stats.question, stats.names, hidden, document, Meanings::on_request,
                Covers::joined);
    if (stats.calls != nullptr) document.add(costs_record(*stats.calls));
    add_stats_tables(stats, document);
    if (stats.calls != nullptr) {
      document.add(waste_sum(kWasteSum, stats.waste));
      document.add(waste_table(
          *stats.calls, std::span(stats.waste).first(std::min(kFirstWaste, stats.waste.size()))));
      document.add(session_uses(*stats.calls));
    }
    document.add(unplaced_table(unplaced, stats.question.graph, stats.names));
    document.add(statements_table(stats.question.graph, stats.names));
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
