#include "view/eval/eval_report.h"

#include <fmt/format.h>

#include "view/common/evidence.h"
#include "view/common/field.h"
#include "view/common/preface.h"
#include "view/eval/eval.h"

namespace xtrace {

namespace {

constexpr Column kVerdict[] = {
    {"rule", "the kind of what is expected", CellKind::text, true},
    {"dimension", "", CellKind::text, true},
    {"status", "passed, failed or insufficient_evidence", CellKind::text, true},
    {"score", "0 to 1; absent where there is insufficient evidence", CellKind::number},
    {"weight", "within its dimension", CellKind::number, true},
    {"message", "what was found, and what was expected", CellKind::text, true},
    {"expected_at", "where the suite says so", CellKind::text, true},
    {"evidence", "what decided it, causes first", CellKind::rows, false, kEvidence},
};
constexpr Column kScenario[] = {
    {"id", "", CellKind::text, true},
    {"description", "", CellKind::text},
    {"status", "passed, failed or insufficient_evidence", CellKind::text, true},
    {"score", "the mean of its dimensions, by their weights", CellKind::number},
    {"scores.tool_usage", "of what could be judged, 0 to 1", CellKind::number},
    {"scores.decision_quality", "likewise", CellKind::number},
    {"scores.error_handling", "likewise", CellKind::number},
    {"scores.limits", "likewise", CellKind::number},
    {"message", "why nothing could be judged", CellKind::text},
    {"duration_ms", "from its first start to its last end", CellKind::milliseconds},
    {"written_at", "where the suite has it", CellKind::text, true},
    {"verdicts", "what became of each expectation", CellKind::rows, true, kVerdict},
};
constexpr Column kSuite[] = {{"suite", "the name of the suite", CellKind::text, true}};
constexpr Column kSummaryColumns[] = {
    {"passes", "nothing failed, nothing got worse, and all could be judged", CellKind::boolean,
     true},
    {"pass_rate", "share of the scenarios that passed", CellKind::number, true},
    {"total_scenarios", "", CellKind::integer, true},
    {"passed", "", CellKind::integer, true},
    {"failed", "", CellKind::integer, true},
    {"insufficient_evidence", "scenarios that could not be judged", CellKind::integer, true},
    {"avg_scores.tool_usage", "of the scenarios of which it is known", CellKind::number},
    {"avg_scores.decision_quality", "likewise", CellKind::number},
    {"avg_scores.error_handling", "likewise", CellKind::number},
    {"avg_scores.limits", "likewise", CellKind::number},
};
constexpr Column kChange[] = {
    {"id", "the scenario", CellKind::text, true},
    {"what", "status, score, or a dimension", CellKind::text, true},
    {"before", "", CellKind::number},
    {"now", "", CellKind::number},
    {"delta", "", CellKind::number},
    {"status_before", "", CellKind::text},
    {"status_now", "", CellKind::text},
};
constexpr Column kRegressions[] = {
    {"baseline", "its id", CellKind::text},
    {"regressions", "scores that dropped by more than 0.05, and what passed before", CellKind::rows,
     false, kChange},
    {"improvements", "scores that rose by as much, and what did not pass before", CellKind::rows,
     false, kChange},
    {"new_scenarios", "which the baseline does not have", CellKind::texts},
    {"missing_scenarios", "which it alone has", CellKind::texts},
};

Cell score(std::optional<double> known) {
  return known ? Cell(thousandths(*known)) : Cell();
}

class Tables {
 public:
  Tables(const EvalReport& report, Document& document) : report_(report), document_(document) {}

  void add() {
    double total = static_cast<double>(report_.results.size());
    int64_t passed = report_.count(Judged::passed);
    document_.add(Record{{{}, kSuite, {report_.text(report_.suite.name)}}});
    document_.add(Record{
        {kSummary,
         kSummaryColumns,
         {report_.passes(), thousandths(static_cast<double>(passed) / total),
          static_cast<int64_t>(report_.results.size()), passed, report_.count(Judged::failed),
          report_.count(Judged::insufficient), score(report_.mean_of(0)), score(report_.mean_of(1)),
          score(report_.mean_of(2)), score(report_.mean_of(3))}}});
    Table scenarios{kScenarios, kScenario};
    for (const ScenarioResult& result : report_.results)
      scenarios.add({report_.text(result.of->id), known(report_.text(result.of->description)),
                     Door::own(word(result.status)), score(result.score), score(result.scores[0]),
                     score(result.scores[1]), score(result.scores[2]), score(result.scores[3]),
                     known(report_.words(result.message)), known(result.took),
                     report_.place(result.of->at), document_.arena().keep(verdicts_of(result))});
    document_.add(std::move(scenarios));
    document_.add(regressions());
  }

 private:
  Table verdicts_of(const ScenarioResult& result) {
    Table table{{}, kVerdict};
    for (const Verdict& verdict : result.verdicts) {
      Table evidence{{}, kEvidence};
      for (const EvidenceRecord& evidence_record : verdict.evidence)
        add_evidence(report_.names, evidence_record.at, report_.words(evidence_record.id),
                     report_.words(evidence_record.what), evidence);
      bool is_known = verdict.status != Judged::insufficient;
      table.add({Door::own(rule_of(*verdict.of)), Door::own(word(verdict.of->dimension)),
                 Door::own(word(verdict.status)),
                 is_known ? Cell(thousandths(verdict.score)) : Cell(), verdict.of->weight,
                 report_.words(verdict.message), report_.place(verdict.of->at),
                 some(std::move(evidence), document_.arena())});
    }
    return table;
  }

  Record regressions() {
    if (!report_.comparison) return {{"regression_analysis", kRegressions, {{}, {}, {}, {}, {}}}};
    const Comparison& comparison = *report_.comparison;
    CellArena& arena = document_.arena();
    return {{"regression_analysis",
             kRegressions,
             {report_.text(report_.baseline->id), arena.keep(changes(comparison.regressions)),
              arena.keep(changes(comparison.improvements)), arena.keep(texts(comparison.added)),
              arena.keep(texts(comparison.missing))}}};
  }

  Table changes(const std::vector<Change>& changes) {
    Table table{{}, kChange};
    for (const Change& change : changes) {
      bool is_status = !change.before;
      table.add({report_.text(change.scenario), Door::own(change.what), score(change.before),
                 score(change.now),
                 is_status ? Cell() : Cell(thousandths(*change.now - *change.before)),
                 is_status ? Cell(report_.text(change.status_before)) : Cell(),
                 is_status ? Cell(Door::own(change.status_now)) : Cell()});
    }
    return table;
  }

  Texts texts(const std::vector<std::string>& ids) {
    Texts texts;
    for (const std::string& id : ids) texts.push_back(report_.text(id));
    return texts;
  }

  const EvalReport& report_;
  Document& document_;
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
  return !comparison || comparison->regressions.empty();
}

std::optional<double> EvalReport::mean_of(size_t dimension) const {
  double sum = 0, count = 0;
  for (const ScenarioResult& result : results)
    if (result.scores[dimension]) sum += *result.scores[dimension], ++count;
  return count > 0 ? std::optional(sum / count) : std::nullopt;
}

Text EvalReport::place(const SuitePlace& at) const {
  return question.door.composed(fmt::format("{}:{}", text(at.path).view(), at.line));
}

Document report_of(const EvalReport& report) {
  Document document("eval");
  if (!report.passes()) document.say_no();
  if (report.question.face == Face::outline) {
    document.add(outline_of(report));
    return document;
  }
  add_preface("xtrace.eval/1", report.question, report.names, {}, document);
  Tables(report, document).add();
  return document;
}

Shape shape_of_report() {
  static const std::vector<Section> kShape = shape_of_answer(
      {Record{{{}, kSuite}}, Record{{kSummary, kSummaryColumns}}, Table{kScenarios, kScenario},
       Record{{"regression_analysis", kRegressions}}});
  return kShape;
}

}  // namespace xtrace
