#include "view/eval/eval_report.h"

#include <fmt/format.h>

#include "view/common/evidence.h"
#include "view/common/field.h"
#include "view/common/preface.h"
#include "view/eval/eval.h"

namespace xtrace {

namespace {

Cell score(std::optional<double> known) {
  return known ? Cell(thousandths(*known)) : Cell();
}

Cell cell(const auto& value) {
  return Cell(value);
}
template <class Value>
Cell cell(const std::optional<Value>& known) {
  return known ? Cell(*known) : Cell();
}

/// A row for each of a list.
template <const auto& kFields>
Table rows_of(const auto& list) {
  Table table = table_of<kFields>({});
  for (const auto& one : list) add_fields(kFields, one, table);
  return table;
}
/// The same where a row has lists of its own, which the arena keeps.
template <const auto& kFields>
Table rows_of(const auto& list, CellArena& arena, std::string_view name = {}) {
  Table table = table_of<kFields>(name);
  for (const auto& one : list) add_fields(kFields, {one, arena}, table);
  return table;
}

/// What was found about one thing that the suite expects.
struct FindingRow {
  const Verdicts::Finding& finding;
  CellArena& arena;
};
constexpr Field<FindingRow> kVerdict[] = {
    {{"rule", "kind of expectation", CellKind::text, true},
     [](const FindingRow& row) { return Cell(row.finding.rule); }},
    {{"dimension", "", CellKind::text, true},
     [](const FindingRow& row) { return Cell(row.finding.dimension); }},
    {{"status", "passed, failed or insufficient_evidence", Role::status, true},
     [](const FindingRow& row) { return Cell(Door::own(word(row.finding.status))); }},
    {{"score", "0 to 1; absent if there is insufficient evidence", CellKind::number},
     [](const FindingRow& row) { return cell(row.finding.score); }},
    {{"weight", "weight within its dimension", CellKind::number, true},
     [](const FindingRow& row) { return Cell(row.finding.weight); }},
    {{"message", "what was found and what was expected", CellKind::text, true},
     [](const FindingRow& row) { return Cell(row.finding.message); }},
    {{"expected_at", "location in the suite", CellKind::text, true},
     [](const FindingRow& row) { return Cell(row.finding.expected_at); }},
    {{"evidence", "evidence for the decision, causes first", CellKind::rows, false, kEvidence},
     [](const FindingRow& row) { return some(evidence_table(row.finding.evidence), row.arena); }},
};

/// The chance that so many trials in a row pass.
struct ChanceRow {
  int64_t k;
  double chance;
};
constexpr Field<ChanceRow> kInARow[] = {
    {{"k", "number of trials in a row", CellKind::integer, true}, member<&ChanceRow::k>},
    {{"chance", "probability that all k pass: C(passed, k) / C(passed + failed, k)",
      CellKind::number, true},
     member<&ChanceRow::chance>},
};

/// A scenario, or a trial of one.
struct SubjectRow {
  const Verdicts::Subject& subject;
  CellArena& arena;
};
constexpr Field<SubjectRow> kSubjectStatus = {
    {"status", "passed, failed or insufficient_evidence", Role::status, true},
    [](const SubjectRow& row) { return Cell(Door::own(word(row.subject.status))); }};
constexpr Field<SubjectRow> kSubjectScore = {
    {"score", "weighted mean of its dimensions", CellKind::number},
    [](const SubjectRow& row) { return cell(row.subject.score); }};
constexpr Field<SubjectRow> kSubjectMessage = {
    {"message", "reason why xtrace could not judge the run", CellKind::text},
    [](const SubjectRow& row) { return known(row.subject.message); }};

Cell list_verdicts(const SubjectRow& row) {
  return row.arena.keep(rows_of<kVerdict>(row.subject.findings, row.arena));
}

constexpr Field<SubjectRow> kTrial[] = {
    {{"trial", "the session, run, query or file", CellKind::text, true},
     [](const SubjectRow& row) { return Cell(row.subject.id); }},
    kSubjectStatus,
    kSubjectScore,
    kSubjectMessage,
    {{"duration_ms", "from its first start to its last end", Role::duration},
     [](const SubjectRow& row) { return cell(row.subject.took); }},
    {{"verdicts", "result of each expectation", CellKind::rows, true, columns_of<kVerdict>()},
     list_verdicts},
};

/// Absent where there are no trials.
template <auto kMember>
Cell of_trials(const SubjectRow& row) {
  return row.subject.tried ? cell((*row.subject.tried).*kMember) : Cell();
}

Cell list_chances(const SubjectRow& row) {
  if (!row.subject.tried) return {};
  Table table = table_of<kInARow>({});
  for (double chance : row.subject.tried->in_a_row)
    add_fields(kInARow, {static_cast<int64_t>(table.rows() + 1), chance}, table);
  return row.arena.keep(std::move(table));
}

constexpr Field<SubjectRow> kScenario[] = {
    {{"id", "", CellKind::text, true}, [](const SubjectRow& row) { return Cell(row.subject.id); }},
    {{"description", "", CellKind::text},
     [](const SubjectRow& row) { return known(row.subject.description); }},
    kSubjectStatus,
    kSubjectScore,
    {{"scores.tool_usage", "score of the checks that could be judged, 0 to 1", CellKind::number},
     [](const SubjectRow& row) { return cell(row.subject.scores[0]); }},
    {{"scores.decision_quality", "score of the checks that could be judged, 0 to 1",
      CellKind::number},
     [](const SubjectRow& row) { return cell(row.subject.scores[1]); }},
    {{"scores.error_handling", "score of the checks that could be judged, 0 to 1",
      CellKind::number},
     [](const SubjectRow& row) { return cell(row.subject.scores[2]); }},
    {{"scores.limits", "score of the checks that could be judged, 0 to 1", CellKind::number},
     [](const SubjectRow& row) { return cell(row.subject.scores[3]); }},
    kSubjectMessage,
    {{"duration_ms", "from its first start to its last end; with trials, of all trials together",
      Role::duration},
     [](const SubjectRow& row) { return cell(row.subject.took); }},
    {{"figures.cost_usd", "dollars spent; with trials, the mean (as for all figures below)",
      CellKind::number},
     [](const SubjectRow& row) { return cell(row.subject.figures[0]); }},
    {{"figures.calls", "model calls", CellKind::number},
     [](const SubjectRow& row) { return cell(row.subject.figures[1]); }},
    {{"figures.tokens", "", CellKind::number},
     [](const SubjectRow& row) { return cell(row.subject.figures[2]); }},
    {{"figures.duration_s", "duration in seconds", CellKind::number},
     [](const SubjectRow& row) { return cell(row.subject.figures[3]); }},
    {{"figures.errors", "errors of models and tools", CellKind::number},
     [](const SubjectRow& row) { return cell(row.subject.figures[4]); }},
    {{"written_at", "location of the scenario in the suite", CellKind::text, true},
     [](const SubjectRow& row) { return Cell(row.subject.written_at); }},
    {{"verdicts", "result of each expectation; if there are trials, each trial lists its own",
      CellKind::rows, true, columns_of<kVerdict>()},
     list_verdicts},
    {{"trials.each", "unit of a trial: session, run, query or file", CellKind::text},
     of_trials<&Verdicts::Trials::each>},
    {{"trials.passed", "trials that passed", CellKind::integer},
     of_trials<&Verdicts::Trials::passed>},
    {{"trials.failed", "trials that failed", CellKind::integer},
     of_trials<&Verdicts::Trials::failed>},
    {{"trials.insufficient_evidence",
      "number of trials that could not be judged; not included in any rate", CellKind::integer},
     of_trials<&Verdicts::Trials::open>},
    {{"trials.pass_rate", "share of passed trials among those judged", CellKind::number},
     of_trials<&Verdicts::Trials::share>},
    {{"trials.pass_rate_low", "lower end of the 95% confidence interval (Wilson)",
      CellKind::number},
     of_trials<&Verdicts::Trials::low>},
    {{"trials.pass_rate_high", "upper end of the 95% confidence interval (Wilson)",
      CellKind::number},
     of_trials<&Verdicts::Trials::high>},
    {{"trials.flaky", "true if some trials passed and some failed", CellKind::boolean},
     of_trials<&Verdicts::Trials::is_flaky>},
    {{"trials.pass_hat", "pass^k, as defined by tau-bench", CellKind::rows, false,
      columns_of<kInARow>()},
     list_chances},
    {{"trials.list", "the trials", CellKind::rows, false, columns_of<kTrial>()},
     [](const SubjectRow& row) {
       if (!row.subject.tried) return Cell();
       return Cell(row.arena.keep(rows_of<kTrial>(row.subject.trials, row.arena)));
     }},
};

constexpr Field<Verdicts::Run> kRun[] = {
    {{"id", "name given with --save-baseline; `now` is the current evaluation", CellKind::text,
      true},
     member<&Verdicts::Run::id>},
    {{"newest", "when its latest run ended", CellKind::text},
     [](const Verdicts::Run& row) { return known(row.newest); }},
    {{"passed", "number of scenarios that passed", CellKind::integer, true},
     member<&Verdicts::Run::passed>},
    {{"total_scenarios", "", CellKind::integer, true}, member<&Verdicts::Run::scenarios>},
    {{"score", "mean of the known scores", CellKind::number},
     [](const Verdicts::Run& row) { return cell(row.score); }},
    {{"cost_usd", "cost of all scenarios; the figures below are totals too", Role::cost},
     [](const Verdicts::Run& row) { return cell(row.figures[0]); }},
    {{"calls", "", CellKind::number},
     [](const Verdicts::Run& row) { return cell(row.figures[1]); }},
    {{"tokens", "", CellKind::number},
     [](const Verdicts::Run& row) { return cell(row.figures[2]); }},
    {{"duration_s", "", CellKind::number},
     [](const Verdicts::Run& row) { return cell(row.figures[3]); }},
    {{"errors", "", CellKind::number},
     [](const Verdicts::Run& row) { return cell(row.figures[4]); }},
};
constexpr Field<Verdicts::FirstBad> kFirstBad[] = {
    {{"id", "id of the scenario", CellKind::text, true}, member<&Verdicts::FirstBad::subject>},
    {{"run", "run since which it has not passed; absent: the current run", CellKind::text},
     [](const Verdicts::FirstBad& row) { return known(row.run); }},
    {{"newest", "when the latest run of that evaluation ended", CellKind::text},
     [](const Verdicts::FirstBad& row) { return known(row.newest); }},
};

/// What the objects of the answer are made from.
struct EvalRow {
  const EvalReport& report;
  const Verdicts& verdicts;
  CellArena& arena;
};

constexpr Field<EvalRow> kHistory[] = {
    {{"runs", "stored evaluations in order of time, then the current one", CellKind::rows, false,
      columns_of<kRun>()},
     [](const EvalRow& row) {
       if (row.verdicts.history.empty()) return Cell();
       return Cell(row.arena.keep(rows_of<kRun>(row.verdicts.history)));
     }},
    {{"first_bad", "scenarios that do not pass, each with the run since which it has not passed",
      CellKind::rows, false, columns_of<kFirstBad>()},
     [](const EvalRow& row) {
       if (row.verdicts.history.empty()) return Cell();
       return Cell(row.arena.keep(rows_of<kFirstBad>(row.verdicts.first_bad)));
     }},
};
constexpr Field<EvalRow> kSuite[] = {
    {{"suite", "name of the suite", CellKind::text, true},
     [](const EvalRow& row) { return Cell(row.verdicts.suite); }},
    {{"suite_warnings",
      "parts of the suite that cannot be judged, or that name tools not found in any run or "
      "request",
      CellKind::texts},
     [](const EvalRow& row) {
       Texts warnings;
       for (const std::string& one : row.report.warnings) warnings.push_back(row.report.words(one));
       return some(std::move(warnings), row.arena);
     }},
};
constexpr Field<EvalRow> kSummaryFields[] = {
    {{"passes", "true if nothing failed, nothing regressed and everything could be judged",
      CellKind::boolean, true},
     [](const EvalRow& row) { return Cell(row.report.passes()); }},
    {{"pass_rate", "share of scenarios that passed", CellKind::number, true},
     [](const EvalRow& row) {
       return Cell(thousandths(static_cast<double>(row.report.count(Judged::passed)) /
                               static_cast<double>(row.report.results.size())));
     }},
    {{"total_scenarios", "", CellKind::integer, true},
     [](const EvalRow& row) { return Cell(static_cast<int64_t>(row.report.results.size())); }},
    {{"passed", "", CellKind::integer, true},
     [](const EvalRow& row) { return Cell(row.report.count(Judged::passed)); }},
    {{"failed", "", Role::errors, true},
     [](const EvalRow& row) { return Cell(row.report.count(Judged::failed)); }},
    {{"insufficient_evidence", "scenarios that could not be judged", CellKind::integer, true},
     [](const EvalRow& row) { return Cell(row.report.count(Judged::insufficient)); }},
    {{"flaky_scenarios", "scenarios with both passed and failed trials", CellKind::texts},
     [](const EvalRow& row) {
       Texts flaky;
       for (const Verdicts::Subject& one : row.verdicts.subjects)
         if (one.tried && one.tried->is_flaky) flaky.push_back(one.id);
       return some(std::move(flaky), row.arena);
     }},
    {{"avg_scores.tool_usage", "mean over the scenarios for which it is known", CellKind::number},
     [](const EvalRow& row) { return score(row.report.mean_of(0)); }},
    {{"avg_scores.decision_quality", "mean over the scenarios for which it is known",
      CellKind::number},
     [](const EvalRow& row) { return score(row.report.mean_of(1)); }},
    {{"avg_scores.error_handling", "mean over the scenarios for which it is known",
      CellKind::number},
     [](const EvalRow& row) { return score(row.report.mean_of(2)); }},
    {{"avg_scores.limits", "mean over the scenarios for which it is known", CellKind::number},
     [](const EvalRow& row) { return score(row.report.mean_of(3)); }},
};

constexpr Field<Verdicts::Change> kChange[] = {
    {{"id", "id of the scenario", CellKind::text, true}, member<&Verdicts::Change::subject>},
    {{"what", "status, score, or a dimension", CellKind::text, true},
     member<&Verdicts::Change::what>},
    {{"before", "", CellKind::number},
     [](const Verdicts::Change& row) { return cell(row.before); }},
    {{"now", "", CellKind::number}, [](const Verdicts::Change& row) { return cell(row.now); }},
    {{"delta", "", CellKind::number}, [](const Verdicts::Change& row) { return cell(row.delta); }},
    {{"status_before", "", CellKind::text},
     [](const Verdicts::Change& row) { return known(row.status_before); }},
    {{"status_now", "", CellKind::text},
     [](const Verdicts::Change& row) { return known(row.status_now); }},
    {{"bound", "limit in fail_if, for figures", CellKind::text},
     [](const Verdicts::Change& row) { return known(row.bound); }},
};
constexpr Field<Verdicts::Delta> kDelta[] = {
    {{"id", "id of the scenario", CellKind::text, true}, member<&Verdicts::Delta::subject>},
    {{"what", "cost (dollars), calls, tokens, duration (seconds) or errors", CellKind::text, true},
     member<&Verdicts::Delta::what>},
    {{"before", "value in the baseline; with trials, their mean", CellKind::number, true},
     member<&Verdicts::Delta::before>},
    {{"now", "current value; with trials, their mean", CellKind::number, true},
     member<&Verdicts::Delta::now>},
    {{"delta", "", CellKind::number, true}, member<&Verdicts::Delta::delta>},
    {{"share", "change as a share of `before`; absent if `before` is 0", CellKind::number},
     [](const Verdicts::Delta& row) { return cell(row.share); }},
};
constexpr Field<Verdicts::Undecided> kUnknownBound[] = {
    {{"id", "id of the scenario", CellKind::text, true}, member<&Verdicts::Undecided::subject>},
    {{"what", "the figure that is not recorded", CellKind::text, true},
     member<&Verdicts::Undecided::what>},
    {{"bound", "limit in fail_if", CellKind::text, true}, member<&Verdicts::Undecided::bound>},
};

/// Absent where there is no baseline.
template <auto kMember>
Cell of_comparison(const EvalRow& row) {
  const std::optional<Verdicts::Comparison>& comparison = row.verdicts.comparison;
  return comparison ? Cell(row.arena.keep((*comparison).*kMember)) : Cell();
}
template <auto kMember, const auto& kFields>
Cell of_comparison(const EvalRow& row) {
  const std::optional<Verdicts::Comparison>& comparison = row.verdicts.comparison;
  return comparison ? Cell(row.arena.keep(rows_of<kFields>((*comparison).*kMember))) : Cell();
}

constexpr Field<EvalRow> kRegressions[] = {
    {{"baseline", "id of the baseline", CellKind::text},
     [](const EvalRow& row) {
       return row.verdicts.comparison ? Cell(row.verdicts.comparison->baseline) : Cell();
     }},
    {{"regressions", "scores that dropped by more than 0.05, and scenarios that no longer pass",
      CellKind::rows, false, columns_of<kChange>()},
     of_comparison<&Verdicts::Comparison::regressions, kChange>},
    {{"improvements", "scores that rose by more than 0.05, and scenarios that now pass",
      CellKind::rows, false, columns_of<kChange>()},
     of_comparison<&Verdicts::Comparison::improvements, kChange>},
    {{"deltas", "figures of the runs compared with the baseline", CellKind::rows, false,
      columns_of<kDelta>()},
     of_comparison<&Verdicts::Comparison::deltas, kDelta>},
    {{"undecided", "limits on figures that are not recorded on both sides", CellKind::rows, false,
      columns_of<kUnknownBound>()},
     of_comparison<&Verdicts::Comparison::undecided, kUnknownBound>},
    {{"new_scenarios", "scenarios that the baseline does not contain", CellKind::texts},
     of_comparison<&Verdicts::Comparison::added>},
    {{"missing_scenarios", "scenarios that only the baseline contains", CellKind::texts},
     of_comparison<&Verdicts::Comparison::missing>},
};

}  // namespace

int64_t EvalReport::count(Judged status) const {
  int64_t count = 0;
  for (const ScenarioResult& result : results) count += result.status == status;
  return count;
}

bool EvalReport::passes() const {
  if (count(Judged::failed) > 0) return false;
  if (count(Judged::insufficient) > 0 && !accepts_insufficient) return false;
  if (!comparison) return true;
  return comparison->regressions.empty() && (comparison->unknown.empty() || accepts_insufficient);
}

std::optional<double> EvalReport::mean_of(size_t dimension) const {
  double sum = 0, count = 0;
  for (const ScenarioResult& result : results)
    if (result.scores[dimension]) sum += *result.scores[dimension], ++count;
  return count > 0 ? std::optional(sum / count) : std::nullopt;
}

Text EvalReport::place(const SuitePlace& at) const {
  return question.door.say("{}:{}", text(at.path).view(), at.line);
}

Document report_of(const EvalReport& report) {
  Document document("eval");
  if (!report.passes()) document.say_no();
  if (report.question.face == Face::outline) {
    document.add(outline_of(report));
    // For the baseline; what nobody reads is not made.
    if (report.keeps_verdicts) document.judge(verdicts_of(report));
    return document;
  }
  add_preface("xtrace.eval/1", report.question, report.names, {}, document, Meanings::on_request,
              Covers::all);
  std::shared_ptr<const Verdicts> verdicts = verdicts_of(report);
  const EvalRow row{report, *verdicts, document.arena()};
  document.add(record_of<kSuite>({}, row));
  document.add(record_of<kSummaryFields>(kSummary, row));
  document.add(rows_of<kScenario>(verdicts->subjects, row.arena, kScenarios));
  document.add(record_of<kRegressions>("regression_analysis", row));
  document.add(record_of<kHistory>("history", row));
  document.judge(std::move(verdicts));
  return document;
}

Shape shape_of_report() {
  static const std::vector<Section> kShape = shape_of_answer(
      {Record{table_of<kSuite>({})}, Record{table_of<kSummaryFields>(kSummary)},
       table_of<kScenario>(kScenarios), Record{table_of<kRegressions>("regression_analysis")},
       Record{table_of<kHistory>("history")}});
  return kShape;
}

}  // namespace xtrace
