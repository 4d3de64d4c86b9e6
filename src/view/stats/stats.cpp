#include "view/stats/stats.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "link/activities/call_sizes.h"
#include "view/calls/costs.h"
#include "view/calls/select_calls.h"
#include "view/calls/session_uses.h"
#include "view/calls/waste_tables.h"
#include "view/common/preface.h"
#include "view/common/warnings.h"
#include "view/hops/shown_parts.h"
#include "view/stats/context_table.h"
#include "view/stats/report.h"

namespace xtrace {

namespace {

constexpr std::string_view kSchema = "xtrace.stats/1", kReportSchema = "xtrace.report/1";
/// What all findings of `advise` cost, of which the first ones follow it.
constexpr std::string_view kWasteSum = "could_save";

/// What was done how often, how long it took, what it cost, what failed.
class StatsView : public View {
 public:
  void declare(Options& options) override {
    options.add("--by", by_, "WHAT",
                "start with a row per day, project, skill and so on; if the log names no tasks, "
                "each turn or query counts as a task",
                stats_by_words());
    options.add("--context", context_, "CALL",
                "show what fills the context of this call (default: the fullest)");
    options.add("--all", takes_all_, "all your sessions, if no input is named");
    filter_.declare(options);
  }

  bool shows_usage_alone() const override { return true; }
  const Filter* filter() const override { return &filter_; }
  Result<Document> answer(const Question& question) const override {
    Document document(is_report_ ? "report" : "stats");
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
    Stats stats{
        question,
        names,
        document.arena(),
        work_of(question, work ? &*work : nullptr, spans, without_calls_of_spans(unplaced, graph),
                Grouping(question, names, stats_by(by_))),
        stats_by(by_),
        calls ? &calls->scene : nullptr,
        calls ? &calls->account : nullptr,
        spans,
        {},
        {},
        {}};
    if (!overspent(stats, budget_).empty()) document.say_no();
    if (calls && !is_report_) {
      stats.retries = retry_chains(calls->scene);
      Result<CallId> fullest = choose_context(question, calls->scene.selection, context_);
      if (!fullest) return tl::unexpected(fullest.error());
      if (*fullest) {
        CallSizeMeter sizes(graph.trace(), question.payloads);
        stats.context_call = *fullest;
        stats.is_context_chosen = !context_.empty();
        stats.context = find_context(graph, sizes, question.payloads, *fullest);
      }
      stats.repeated = find_repeated(graph, calls->scene.shown_calls());
      stats.waste =
          find_waste({graph, question.payloads, calls->scene.shown_calls(), calls->account.carried,
                      calls->account.rebuilds, question.jobs, &calls->account.time});
    }
    if (spans != nullptr && !is_report_)
      std::ranges::move(retry_chains(*spans), std::back_inserter(stats.retries));
    if (question.face == Face::outline)
      add_outlines(stats, unplaced, document);
    else
      add_tables(stats, unplaced, document);
    return document;
  }

 protected:
  std::string by_;
  Filter filter_;
  bool is_report_ = false;
  Budget budget_;

 private:
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

  void add_outlines(Stats& stats, std::span<const UnplacedRow> unplaced, Document& document) const {
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
      if (const Text line = costs_line(*stats.spans, unplaced, document.arena()); !line.empty())
        foot.push_back(line);
      if (const Text line = tools_without_spans(stats.question); !line.empty())
        foot.push_back(line);
    }
    if (is_report_) return add_report_outlines(stats, budget_, foot, document);
    add_stats_outlines(stats, std::move(foot), document);
  }

  void add_tables(const Stats& stats, std::span<const UnplacedRow> unplaced,
                  Document& document) const {
    Hidden hidden;
    if (stats.calls != nullptr) hidden = stats.calls->selection.hidden;
    if (stats.spans != nullptr) hidden.add(stats.spans->selection.hidden);
    add_preface(is_report_ ? kReportSchema : kSchema, stats.question, stats.names, hidden, document,
                Meanings::on_request, Covers::joined);
    if (stats.calls != nullptr)
      document.add(costs_record(*stats.calls));
    else
      document.add(costs_record(*stats.spans, unplaced, document.arena()));
    if (is_report_) return add_report_tables(stats, budget_, document);
    add_stats_tables(stats, document);
    if (stats.calls != nullptr) {
      add_context_table(stats, document);
      document.add(waste_sum(kWasteSum, stats.waste));
      document.add(waste_table(
          *stats.calls, std::span(stats.waste).first(std::min(kFirstWaste, stats.waste.size()))));
      document.add(session_uses(*stats.calls));
    }
    document.add(unplaced_table(unplaced, stats.question.graph, stats.names));
    document.add(statements_table(stats.question.graph, stats.names));
  }

  std::string context_;
  bool takes_all_ = false;  ///< known before any input is read: see takes_all()
};

/// What all sessions cost by day, project, skill, …: the first table of `stats --all --by`.
class ReportView final : public StatsView {
 public:
  ReportView() {
    by_ = word(StatsBy::day);
    is_report_ = true;
  }
  void declare(Options& options) override {
    options.add("--by", by_, "WHAT", "what a row is of (default day)", stats_by_words());
    options.add("--budget", budget_words_, "USD/PERIOD",
                "exit with 1 if more was spent in a day, week or month, as in 50/day");
    filter_.declare(options);
  }
  Status prepare(Preparation&) override {
    if (budget_words_.empty()) return {};
    Result<Budget> budget = read_budget(budget_words_);
    if (!budget) return tl::unexpected(budget.error());
    budget_ = *budget;
    return {};
  }

 private:
  std::string budget_words_;
};

std::vector<Shape> report_shapes() {
  static const std::vector<Section> kShape = [] {
    std::vector<Section> sections = report_sections();
    sections.insert(sections.begin(), Record{{"costs", costs_columns()}});
    return shape_of_answer(sections);
  }();
  static const std::vector<Section> kOfSpans = shape_of_answer(report_sections());
  return {kShape, kOfSpans};
}

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
    for (Section& section : context_sections()) sections.push_back(std::move(section));
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

extern constinit const ViewEntry kReportView = {
    .name = "report",
    .summary = "report cost over all sessions by day, project, model or skill",
    .about =
        "Reports what your sessions cost, all of them if no input is named: one row per day, week, "
        "month or five-hour block, per project, source (the agent product), model or agent, or per "
        "tool, MCP "
        "server, file, skill, slash command, hook or spawned subagent, with a total. Each call is "
        "counted once, including those of subagents: the rows add up to the total, and the last "
        "one is what cannot be attributed.",
    .examples = R"(  xtrace report                                  cost of all sessions, by day
  xtrace report --by skill --since 7d            skills of the last seven days
  xtrace report --by mcp                         MCP servers
  xtrace report logs/ --by project -f csv --table groups   one table, for a spreadsheet
  xtrace report --budget 50/day                  exit with 1 if a day cost more
)",
    .make = make_view<ReportView>,
    .shapes = report_shapes,
    .has_page = true,
    .takes_all = true,
};

}  // namespace xtrace
