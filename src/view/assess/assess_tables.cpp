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

/// Absent where too little was learned to judge by.
Cell judged_score(const Assessment& of, int64_t score) {
  return of.standards.baseline && !of.learned_too_few() ? Cell(score) : Cell();
}

constexpr Field<Assessment> kHead[] = {
    {{"score",
      "the highest score of any run: the sum of the weights of its reasons, at most 100; absent: "
      "only cards were given",
      CellKind::integer},
     [](const Assessment& row) { return judged_score(row, row.highest_score()); }},
    {{"worst_level",
      "highest level of any run: ok (score up to 25), warn (up to 60), high; overreach: an agent "
      "did something that its card does not declare; insufficient_evidence: too few learned runs; "
      "if only cards were given, also aligned, or unknown (an agent has no card)",
      CellKind::text, true},
     [](const Assessment& row) { return Cell(Door::own(row.worst_level())); }},
    {{"learned_runs", "number of runs in the baseline; at least 3 are needed to judge other runs",
      CellKind::integer},
     [](const Assessment& row) {
       const std::optional<Profile>& baseline = row.standards.baseline;
       return baseline ? Cell(baseline->runs) : Cell();
     }},
    {{"group_paths",
      "number of leading folders that replace each file, as recorded in the baseline",
      CellKind::integer},
     [](const Assessment& row) {
       const std::optional<Profile>& baseline = row.standards.baseline;
       return baseline && baseline->group_paths ? Cell(*baseline->group_paths) : Cell();
     }},
    {{"note", "", CellKind::text}, [](const Assessment& row) { return known(row.note()); }},
};

struct RunRow {
  const Assessment& all;
  const AssessedRun& run;
  const Verdicts::Subject& subject;
};
constexpr Field<RunRow> kRuns[] = {
    {{"run", "", CellKind::text, true}, [](const RunRow& row) { return Cell(row.subject.id); }},
    {{"status",
      "passed; failed: the level of --fail-on was reached, a rule of --fail-if applied, or "
      "overreach; or insufficient_evidence, which is not a pass",
      Role::status, true},
     [](const RunRow& row) { return Cell(Door::own(word(row.subject.status))); }},
    {{"score", "", CellKind::integer},
     [](const RunRow& row) { return judged_score(row.all, row.run.score); }},
    {{"level", "", CellKind::text, true},
     [](const RunRow& row) { return Cell(Door::own(row.run.level)); }},
    {{"reasons", "number of reasons", CellKind::integer, true},
     [](const RunRow& row) { return Cell(static_cast<int64_t>(row.run.reasons.size())); }},
    {{"duration_ms", "from the start of the first call to the end of the last", Role::duration},
     [](const RunRow& row) { return row.subject.took ? Cell(*row.subject.took) : Cell(); }},
    {{"at", "file and line of the run's first call", CellKind::text, true},
     [](const RunRow& row) { return Cell(row.subject.at); }},
};

/// The hops that show what was found. Their names pass the Door before those of the evidence do, as
/// replacements are numbered in the order in which they pass.
constexpr Column kCausesColumn{"evidence", "causes of the first span, earliest first",
                               CellKind::rows, false, kEvidence};
struct ShownBy {
  Cell span_ids{}, at{}, evidence{};
};

struct ReasonRow {
  const Assessment& all;
  const Verdicts::Subject& run;
  const Verdicts::Finding& finding;
  const Reason& reason;
  Cell from, to, kind, path;
  ShownBy by{};

  bool is_of_figure() const { return reason.figure.runs > 0; }
  /// Absent where nothing is counted.
  Cell number(double value) const {
    if (reason.observed < 0) return {};
    return is_of_figure() ? value : thousandths(value);
  }
};
constexpr std::string_view kSeverityWords[] = {"none", "note", "warning", "error"};
constexpr Field<ReasonRow> kReasons[] = {
    {{"run", "", CellKind::text, true}, [](const ReasonRow& row) { return Cell(row.run.id); }},
    {{"rule",
      "novel_edge, novel_resource_access, novel_path: not in any learned run; retry_storm: one "
      "actor called another more often than in 95 of 100 learned runs, and more often than in any "
      "of them or than twice that 95th percentile; depth_exceeded, fanout_exceeded: the same for "
      "the longest path and for the number of targets of one agent; cost_exceeded, calls_exceeded, "
      "failures_exceeded, tool_calls_exceeded: far above the learned runs; novel_tool: not used in "
      "any learned run",
      CellKind::text, true},
     [](const ReasonRow& row) { return Cell(row.finding.rule); }},
    {{"weight", "", CellKind::integer, true},
     [](const ReasonRow& row) { return Cell(row.reason.weight); }},
    {{"edge.source", "", CellKind::text}, member<&ReasonRow::from>},
    {{"edge.target", "", CellKind::text}, member<&ReasonRow::to>},
    {{"edge.hop_kind", "", CellKind::text}, member<&ReasonRow::kind>},
    {{"path", "the delegation chain, starting with the principal", CellKind::texts},
     member<&ReasonRow::path>},
    {{"tool", "", CellKind::text},
     [](const ReasonRow& row) { return known(row.all.text(row.reason.tool)); }},
    {{"observed", "", CellKind::number},
     [](const ReasonRow& row) { return row.number(row.reason.observed); }},
    {{"baseline_runs", "learned runs that record the figure", CellKind::integer},
     [](const ReasonRow& row) { return some(row.reason.figure.runs); }},
    {{"baseline_min", "minimum of the learned runs", CellKind::number},
     [](const ReasonRow& row) {
       return row.is_of_figure() ? row.number(row.reason.figure.least) : Cell();
     }},
    {{"baseline_median", "", CellKind::number},
     [](const ReasonRow& row) {
       return row.is_of_figure() ? row.number(row.reason.figure.median) : Cell();
     }},
    {{"baseline_p95", "95th percentile of the learned runs", CellKind::number},
     [](const ReasonRow& row) { return row.number(row.reason.expected.p95); }},
    {{"baseline_max", "maximum of the learned runs", CellKind::number},
     [](const ReasonRow& row) { return row.number(row.reason.expected.most); }},
    {{"detail", "", CellKind::text, true},
     [](const ReasonRow& row) { return Cell(row.finding.message); }},
    {{"expected_at", "file and line of the expectation in the baseline", CellKind::text},
     [](const ReasonRow& row) { return known(row.finding.expected_at); }},
    {{"span_ids", "the spans that the reason is based on", CellKind::texts, true},
     [](const ReasonRow& row) { return row.by.span_ids; }},
    {{"at", "file and line of these spans", CellKind::texts, true},
     [](const ReasonRow& row) { return row.by.at; }},
    {{"severity", "severity of the finding: note, warning or error", CellKind::text, true},
     [](const ReasonRow& row) {
       return Cell(Door::own(kSeverityWords[static_cast<size_t>(row.finding.severity)]));
     }},
    {{"line", "line of the first span, even if the file is a single document", CellKind::integer},
     [](const ReasonRow& row) {
       const std::vector<Verdicts::Evidence>& evidence = row.finding.evidence;
       return evidence.empty() || !evidence.back().line ? Cell() : Cell(*evidence.back().line);
     }},
    {always(kCausesColumn), [](const ReasonRow& row) { return row.by.evidence; }},
};

/// What an agent did against its card; without a violation, nothing but that it keeps to it, or
/// that nobody knows.
struct AlignmentRow {
  const Verdicts::Subject& run;
  Text agent, verdict, expected_at;
  Cell from{}, to{}, kind{}, message{};
  ShownBy by{};
};
constexpr Field<AlignmentRow> kAlignment[] = {
    {{"run", "", CellKind::text, true}, [](const AlignmentRow& row) { return Cell(row.run.id); }},
    {{"agent", "", CellKind::text, true}, member<&AlignmentRow::agent>},
    {{"alignment",
      "aligned, overreach, or unknown: the agent has no card, or the input hides whether it "
      "complies",
      CellKind::text, true},
     member<&AlignmentRow::verdict>},
    {{"edge.source", "", CellKind::text}, member<&AlignmentRow::from>},
    {{"edge.target", "the target that the card does not declare", CellKind::text},
     member<&AlignmentRow::to>},
    {{"edge.hop_kind", "", CellKind::text}, member<&AlignmentRow::kind>},
    {{"detail", "", CellKind::text}, member<&AlignmentRow::message>},
    {{"expected_at", "file and line of the card", CellKind::text},
     [](const AlignmentRow& row) { return known(row.expected_at); }},
    {{"span_ids", "", CellKind::texts}, [](const AlignmentRow& row) { return row.by.span_ids; }},
    {{"at", "", CellKind::texts}, [](const AlignmentRow& row) { return row.by.at; }},
    {kCausesColumn, [](const AlignmentRow& row) { return row.by.evidence; }},
};

class AssessTables {
 public:
  AssessTables(const Assessment& assessment, Document& document)
      : of_(assessment), scene_(assessment.scene), document_(document) {}

  void add() {
    Table runs = table_of<kRuns>("runs"), reasons = table_of<kReasons>("reasons"),
          alignment = table_of<kAlignment>("alignment");
    std::shared_ptr<Verdicts> verdicts = std::make_shared<Verdicts>();
    verdicts->kind = "run";
    for (const AssessedRun& one : of_.runs) {
      Verdicts::Subject& run = verdicts->subjects.emplace_back(subject_of(one));
      add_fields(kRuns, {of_, one, run}, runs);
      for (const Reason& reason : one.reasons) add_reason(one, reason, run, reasons);
      for (const CardVerdict& card : one.cards) add_alignment(card, run, alignment);
    }
    document_.add(record_of<kHead>({}, of_));
    for (Table* table : {&runs, &reasons, &alignment}) document_.add(std::move(*table));
    document_.judge(std::move(verdicts));
  }

 private:
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
  /// Reasons weigh by what the run comes to with all of them.
  static Verdicts::Severity severity_of(const AssessedRun& run) {
    if (!run.fails) return Verdicts::Severity::note;
    bool is_high = run.level == kLevelWords[kHigh] || run.level == kLevelWords[kOverreach];
    return is_high ? Verdicts::Severity::error : Verdicts::Severity::warning;
  }

  /// Also fills in the evidence of the finding.
  ShownBy shown_by(const std::vector<HopId>& hops, Verdicts::Finding& finding) const {
    ShownBy by{.span_ids = ids(hops), .at = places(hops)};
    finding.evidence = evidence(hops);
    by.evidence = document_.arena().keep(evidence_table(finding.evidence));
    return by;
  }

  void add_reason(const AssessedRun& of, const Reason& reason, Verdicts::Subject& run,
                  Table& table) const {
    bool fails = of_.limits.fails_by(reason.rule);
    Verdicts::Finding& finding = add_finding(
        Door::own(reason.rule), fails ? Verdicts::Severity::error : severity_of(of), run);
    ReasonRow row{.all = of_,
                  .run = run,
                  .finding = finding,
                  .reason = reason,
                  .from = known(of_.text(reason.edge.from)),
                  .to = known(of_.text(reason.edge.to)),
                  .kind = known(of_.text(reason.edge.kind)),
                  .path = reason.path.empty() ? Cell() : texts(reason.path)};
    finding.message = of_.words(of_.detail(reason));
    finding.expected_at = of_.expected_at(reason);
    row.by = shown_by(reason.hops, finding);
    add_fields(kReasons, row, table);
  }

  void add_alignment(const CardVerdict& card, Verdicts::Subject& run, Table& table) const {
    Text verdict = Door::own(kVerdictWords[static_cast<size_t>(card.verdict)]);
    Text expected = of_.expected_at(card);
    auto make_row = [&] {
      return AlignmentRow{
          .run = run, .agent = of_.text(card.agent), .verdict = verdict, .expected_at = expected};
    };
    if (card.violations.empty()) add_fields(kAlignment, make_row(), table);
    for (const auto& [edge, hops] : card.violations) {
      Verdicts::Finding& finding = add_finding(verdict, Verdicts::Severity::error, run);
      AlignmentRow row = make_row();
      row.from = of_.text(edge.from);
      row.to = of_.text(edge.to);
      row.kind = of_.text(edge.kind);
      row.message = finding.message = of_.words(of_.detail(edge));
      finding.expected_at = expected;
      row.by = shown_by(hops, finding);
      add_fields(kAlignment, row, table);
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
      shape_of_answer({Record{table_of<kHead>({})}, table_of<kRuns>("runs"),
                       table_of<kReasons>("reasons"), table_of<kAlignment>("alignment")});
  return kShape;
}

}  // namespace xtrace
