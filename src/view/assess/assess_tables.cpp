#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "doc/verdicts.h"
#include "view/assess/assessment.h"
#include "view/common/evidence.h"
#include "view/common/field.h"
#include "view/common/preface.h"

namespace xtrace {

namespace {

constexpr Column kHead[] = {
    {"score",
     "the highest score of any run: the sum of the weights of its reasons, at most 100; absent: "
     "only cards were given",
     CellKind::integer},
    {"worst_level",
     "highest level of any run: ok (score up to 25), warn (up to 60), high; overreach: an agent "
     "did something that its card does not declare; insufficient_evidence: too few learned runs; "
     "if only cards were given, also aligned, or unknown (an agent has no card)",
     CellKind::text, true},
    {"learned_runs", "number of runs in the baseline; at least 3 are needed to judge other runs",
     CellKind::integer},
    {"group_paths", "number of leading folders that replace each file, as recorded in the baseline",
     CellKind::integer},
    {"note", "", CellKind::text},
};

constexpr Column kRuns[] = {
    {"run", "", CellKind::text, true},
    {"status",
     "passed; failed: the level of --fail-on was reached, a rule of --fail-if applied, or "
     "overreach; or insufficient_evidence, which is not a pass",
     CellKind::text, true},
    {"score", "", CellKind::integer},
    {"level", "", CellKind::text, true},
    {"reasons", "number of reasons", CellKind::integer, true},
    {"duration_ms", "from the start of the first call to the end of the last",
     CellKind::milliseconds},
    {"at", "file and line of the run's first call", CellKind::text, true},
};

constexpr Column kReasons[] = {
    {"run", "", CellKind::text, true},
    {"rule",
     "novel_edge, novel_resource_access, novel_path: not in any learned run; retry_storm: one "
     "actor called another more often than in 95 of 100 learned runs, and more often than in any "
     "of them or than twice that 95th percentile; depth_exceeded, fanout_exceeded: the same for "
     "the longest path and for the number of targets of one agent; cost_exceeded, calls_exceeded, "
     "failures_exceeded, tool_calls_exceeded: far above the learned runs; novel_tool: not used in "
     "any learned run",
     CellKind::text, true},
    {"weight", "", CellKind::integer, true},
    {"edge.source", "", CellKind::text},
    {"edge.target", "", CellKind::text},
    {"edge.hop_kind", "", CellKind::text},
    {"path", "the delegation chain, starting with the principal", CellKind::texts},
    {"tool", "", CellKind::text},
    {"observed", "", CellKind::number},
    {"baseline_runs", "learned runs that record the figure", CellKind::integer},
    {"baseline_min", "minimum of the learned runs", CellKind::number},
    {"baseline_median", "", CellKind::number},
    {"baseline_p95", "95th percentile of the learned runs", CellKind::number},
    {"baseline_max", "maximum of the learned runs", CellKind::number},
    {"detail", "", CellKind::text, true},
    {"expected_at", "file and line of the expectation in the baseline", CellKind::text},
    {"span_ids", "the spans that the reason is based on", CellKind::texts, true},
    {"at", "file and line of these spans", CellKind::texts, true},
    {"severity", "severity of the finding: note, warning or error", CellKind::text, true},
    {"line", "line of the first span, even if the file is a single document", CellKind::integer},
    {"evidence", "causes of the first span, earliest first", CellKind::rows, true, kEvidence},
};

constexpr Column kAlignment[] = {
    {"run", "", CellKind::text, true},
    {"agent", "", CellKind::text, true},
    {"alignment",
     "aligned, overreach, or unknown: the agent has no card, or the input hides whether it "
     "complies",
     CellKind::text, true},
    {"edge.source", "", CellKind::text},
    {"edge.target", "the target that the card does not declare", CellKind::text},
    {"edge.hop_kind", "", CellKind::text},
    {"detail", "", CellKind::text},
    {"expected_at", "file and line of the card", CellKind::text},
    {"span_ids", "", CellKind::texts},
    {"at", "", CellKind::texts},
    {"evidence", "causes of the first span, earliest first", CellKind::rows, false, kEvidence},
};

class AssessTables {
 public:
  AssessTables(const Assessment& assessment, Document& document)
      : of_(assessment), scene_(assessment.scene), document_(document) {}

  void add() {
    Table runs{"runs", kRuns}, reasons{"reasons", kReasons}, alignment{"alignment", kAlignment};
    std::shared_ptr<Verdicts> verdicts = std::make_shared<Verdicts>();
    verdicts->kind = "run";
    for (const AssessedRun& one : of_.runs) {
      Verdicts::Subject& run = verdicts->subjects.emplace_back(subject_of(one));
      runs.add({run.id, Door::own(word(run.status)), score(one.score), Door::own(one.level),
                static_cast<int64_t>(one.reasons.size()), run.took ? Cell(*run.took) : Cell(),
                run.at});
      for (const Reason& reason : one.reasons) add_reason(one, reason, run, reasons);
      for (const CardVerdict& card : one.cards) add_alignment(card, run, alignment);
    }
    const std::optional<Profile>& baseline = of_.standards.baseline;
    document_.add(
        Record{{{},
                kHead,
                {score(of_.highest_score()), Door::own(of_.worst_level()),
                 baseline ? Cell(baseline->runs) : Cell(),
                 baseline && baseline->group_paths ? Cell(*baseline->group_paths) : Cell(),
                 known(of_.note())}}});
    for (Table* table : {&runs, &reasons, &alignment}) document_.add(std::move(*table));
    document_.judge(std::move(verdicts));
  }

 private:
  Cell score(int64_t score) const {
    return of_.standards.baseline && !of_.learned_too_few() ? Cell(score) : Cell();
  }
  Verdicts::Subject subject_of(const AssessedRun& one) const {
    Verdicts::Subject run;
    run.id = scene_.names.text(one.run->id);
    bool open = one.level == kLevelWords[kInsufficient];
    run.status = open ? Judged::insufficient : one.fails ? Judged::failed : Judged::passed;
    if (open) run.message = of_.note();
    TimeRange stretch = scene_.stretch_of(*one.run);
    if (Duration took = elapsed(stretch.start, stretch.end); took != kNoDuration) run.took = took;
    run.at = first_place(*one.run);
    return run;
  }
  Text first_place(const Run& run) const {
    auto first = std::find_if(run.hops.begin(), run.hops.end(),
                              [&](HopId id) { return scene_.selection.shows(id); });
    return first == run.hops.end() ? Text() : scene_.at(scene_.hops[*first]);
  }
  Cell texts(const PathName& path) const {
    Texts names;
    for (const std::string& actor : path) names.push_back(of_.text(actor));
    return document_.arena().keep(std::move(names));
  }
  Cell ids(const std::vector<HopId>& hops) const {
    Texts names;
    for (HopId id : hops) names.push_back(scene_.name(id));
    return document_.arena().keep(std::move(names));
  }
  Cell places(const std::vector<HopId>& hops) const {
    Texts names;
    for (HopId id : hops) names.push_back(scene_.at(scene_.hops[id]));
    return document_.arena().keep(std::move(names));
  }
  /// A chain may be as long as the input; who wants all of it asks `xtrace explain`.
  std::vector<Verdicts::Evidence> evidence(const std::vector<HopId>& hops) const {
    constexpr size_t kLongest = 50;  // hops; people read the last few
    std::vector<HopId> chain;
    for (HopId at = hops.front(); at && chain.size() < kLongest; at = of_.paths.caller_of(at))
      chain.push_back(at);
    std::reverse(chain.begin(), chain.end());
    std::vector<Verdicts::Evidence> evidence;
    for (HopId id : chain) {
      const Hop& hop = scene_.hops[id];
      std::string what = std::string(scene_.actor(hop.from).view());
      what += (what.empty() ? "" : " -> ") + std::string(scene_.actor(hop.to).view());
      evidence.push_back(
          evidence_of(scene_.names, hop.at, scene_.name(id), of_.words(std::move(what))));
    }
    return evidence;
  }
  /// What is found about a run has its status.
  static Verdicts::Finding& add_finding(Text rule, Verdicts::Severity severity,
                                        Verdicts::Subject& run) {
    Verdicts::Finding& finding = run.findings.emplace_back();
    finding.rule = rule;
    finding.status = run.status;
    finding.severity = severity;
    return finding;
  }
  static constexpr std::string_view kSeverityWords[] = {"none", "note", "warning", "error"};
  /// Reasons weigh by what the run comes to with all of them.
  static Verdicts::Severity severity_of(const AssessedRun& run) {
    if (!run.fails) return Verdicts::Severity::note;
    bool is_high = run.level == kLevelWords[kHigh] || run.level == kLevelWords[kOverreach];
    return is_high ? Verdicts::Severity::error : Verdicts::Severity::warning;
  }

  void add_reason(const AssessedRun& of, const Reason& reason, Verdicts::Subject& run,
                  Table& table) const {
    const bool is_figure = reason.figure.runs > 0;
    auto number = [&](double value) {
      if (reason.observed < 0) return Cell();
      return Cell(is_figure ? value : thousandths(value));
    };
    bool fails = of_.limits.fails_by(reason.rule);
    Verdicts::Finding& finding = add_finding(
        Door::own(reason.rule), fails ? Verdicts::Severity::error : severity_of(of), run);
    Text from = of_.text(reason.edge.from), to = of_.text(reason.edge.to),
         kind = of_.text(reason.edge.kind);
    Cell path = reason.path.empty() ? Cell() : texts(reason.path);
    finding.message = of_.words(of_.detail(reason));
    finding.expected_at = of_.expected_at(reason);
    Cell span_ids = ids(reason.hops), at = places(reason.hops);
    finding.evidence = evidence(reason.hops);
    table.add({run.id,
               finding.rule,
               reason.weight,
               known(from),
               known(to),
               known(kind),
               path,
               known(of_.text(reason.tool)),
               number(reason.observed),
               is_figure ? Cell(reason.figure.runs) : Cell(),
               is_figure ? number(reason.figure.least) : Cell(),
               is_figure ? number(reason.figure.median) : Cell(),
               number(reason.expected.p95),
               number(reason.expected.most),
               finding.message,
               known(finding.expected_at),
               span_ids,
               at,
               Door::own(kSeverityWords[static_cast<size_t>(finding.severity)]),
               finding.evidence.empty() || !finding.evidence.back().line
                   ? Cell()
                   : Cell(*finding.evidence.back().line),
               document_.arena().keep(evidence_table(finding.evidence))});
  }

  void add_alignment(const CardVerdict& card, Verdicts::Subject& run, Table& table) const {
    Text verdict = Door::own(kVerdictWords[static_cast<size_t>(card.verdict)]);
    Text expected = of_.expected_at(card);
    if (card.violations.empty())
      table.add(
          {run.id, of_.text(card.agent), verdict, {}, {}, {}, {}, known(expected), {}, {}, {}});
    for (const auto& [edge, hops] : card.violations) {
      Verdicts::Finding& finding = add_finding(verdict, Verdicts::Severity::error, run);
      Text agent = of_.text(card.agent), from = of_.text(edge.from), to = of_.text(edge.to),
           kind = of_.text(edge.kind);
      finding.message = of_.words(of_.detail(edge));
      finding.expected_at = expected;
      Cell span_ids = ids(hops), at = places(hops);
      finding.evidence = evidence(hops);
      table.add({run.id, agent, verdict, from, to, kind, finding.message, known(expected), span_ids,
                 at, document_.arena().keep(evidence_table(finding.evidence))});
    }
  }

  const Assessment& of_;
  const HopScene& scene_;
  Document& document_;
};

}  // namespace

void add_assessment(const Assessment& assessment, Document& document) {
  AssessTables(assessment, document).add();
}

Shape shape_of_assessment() {
  static const std::vector<Section> kShape =
      shape_of_answer({Record{{{}, kHead}}, Table{"runs", kRuns}, Table{"reasons", kReasons},
                       Table{"alignment", kAlignment}});
  return kShape;
}

}  // namespace xtrace
