#include <algorithm>

#include "view/assess/assessment.h"
#include "view/common/evidence.h"
#include "view/common/field.h"
#include "view/common/preface.h"

namespace xtrace {

namespace {

constexpr Column kHead[] = {
    {"score",
     "of the run with the highest: the weights of its reasons, 100 at most, and 100 with "
     "neither a baseline nor cards; absent: there are cards alone",
     CellKind::integer},
    {"worst_level",
     "of all runs: ok up to 25, warn up to 60, high above; overreach: an agent did what its "
     "card does not declare; of cards alone also aligned, or unknown: an agent has none",
     CellKind::text, true},
    {"learned_runs", "runs that the baseline was made of", CellKind::integer},
    {"note", "", CellKind::text},
};

constexpr Column kRuns[] = {
    {"run", "", CellKind::text, true},
    {"status", "passed, or failed: more than --fail-on lets pass, or overreach", CellKind::text,
     true},
    {"score", "", CellKind::integer},
    {"level", "", CellKind::text, true},
    {"reasons", "how many", CellKind::integer, true},
    {"message", "why nothing could be judged", CellKind::text},
    {"duration_ms", "from its first start to its last end", CellKind::milliseconds},
    {"at", "where its first call stands", CellKind::text, true},
};

constexpr Column kReasons[] = {
    {"run", "", CellKind::text, true},
    {"rule",
     "novel_edge, novel_resource_access, novel_path: no learned run had it; retry_storm: one "
     "called another more often than 95 of 100 learned runs, and more often than any or than twice "
     "as often as those 95; depth_exceeded, fanout_exceeded: likewise the longest path, and how "
     "many one agent called",
     CellKind::text, true},
    {"weight", "", CellKind::integer, true},
    {"edge.source", "", CellKind::text},
    {"edge.target", "", CellKind::text},
    {"edge.hop_kind", "", CellKind::text},
    {"path", "the chain of delegation, the principal first", CellKind::texts},
    {"observed", "", CellKind::number},
    {"baseline_p95", "what 95 of 100 learned runs do not exceed", CellKind::number},
    {"baseline_max", "what none of them exceeds", CellKind::number},
    {"detail", "", CellKind::text, true},
    {"expected_at", "where the baseline says so", CellKind::text},
    {"span_ids", "that decided it", CellKind::texts, true},
    {"at", "where they stand", CellKind::texts, true},
    {"evidence", "what led to the first of them, causes first", CellKind::rows, true, kEvidence},
};

constexpr Column kAlignment[] = {
    {"run", "", CellKind::text, true},
    {"agent", "", CellKind::text, true},
    {"alignment", "aligned, overreach, or unknown: it has no card", CellKind::text, true},
    {"edge.source", "", CellKind::text},
    {"edge.target", "what its card does not declare", CellKind::text},
    {"edge.hop_kind", "", CellKind::text},
    {"detail", "", CellKind::text},
    {"expected_at", "where its card stands", CellKind::text},
    {"span_ids", "", CellKind::texts},
    {"at", "", CellKind::texts},
    {"evidence", "what led to the first of them, causes first", CellKind::rows, false, kEvidence},
};

class Tables {
 public:
  Tables(const Assessment& assessment, Document& document)
      : of_(assessment), scene_(assessment.scene), document_(document) {}

  void add() {
    Table runs{"runs", kRuns}, reasons{"reasons", kReasons}, alignment{"alignment", kAlignment};
    for (const AssessedRun& one : of_.runs) {
      Text run = scene_.names.text(one.run->id);
      TimeRange stretch = scene_.stretch_of(*one.run);
      runs.add({run, Door::own(one.fails ? "failed" : "passed"), score(one.score),
                Door::own(one.level), static_cast<int64_t>(one.reasons.size()),
                of_.is_cold() ? known(of_.note()) : Cell(),
                known(elapsed(stretch.start, stretch.end)), first_place(*one.run)});
      for (const Reason& reason : one.reasons) add_reason(run, reason, reasons);
      for (const CardVerdict& card : one.cards) add_alignment(run, card, alignment);
    }
    const std::optional<Profile>& baseline = of_.standards.baseline;
    document_.add(Record{{{},
                          kHead,
                          {score(of_.highest_score()), Door::own(of_.worst_level()),
                           baseline ? Cell(baseline->runs) : Cell(), known(of_.note())}}});
    for (Table* table : {&runs, &reasons, &alignment}) document_.add(std::move(*table));
  }

 private:
  Cell score(int64_t score) const {
    return of_.standards.baseline || of_.is_cold() ? Cell(score) : Cell();
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
  Cell evidence(const std::vector<HopId>& hops) const {
    constexpr size_t kLongest = 50;  // hops; people read the last few
    std::vector<HopId> chain;
    for (HopId at = hops.front(); at && chain.size() < kLongest; at = of_.paths.caller_of(at))
      chain.push_back(at);
    std::reverse(chain.begin(), chain.end());
    Table table{{}, kEvidence};
    for (HopId id : chain) {
      const Hop& hop = scene_.hops[id];
      std::string what = std::string(scene_.actor(hop.from).view());
      what += (what.empty() ? "" : " -> ") + std::string(scene_.actor(hop.to).view());
      add_evidence(scene_.names, hop.at, scene_.name(id), of_.words(std::move(what)), table);
    }
    return document_.arena().keep(std::move(table));
  }

  void add_reason(Text run, const Reason& reason, Table& table) const {
    auto number = [&](double value) {
      return reason.observed < 0 ? Cell() : Cell(thousandths(value));
    };
    table.add({run, Door::own(reason.rule), reason.weight, known(of_.text(reason.edge.from)),
               known(of_.text(reason.edge.to)), known(of_.text(reason.edge.kind)),
               reason.path.empty() ? Cell() : texts(reason.path), number(reason.observed),
               number(reason.expected.p95), number(reason.expected.most),
               of_.words(of_.detail(reason)), known(of_.expected_at(reason)), ids(reason.hops),
               places(reason.hops), evidence(reason.hops)});
  }

  void add_alignment(Text run, const CardVerdict& card, Table& table) const {
    Text verdict = Door::own(kVerdictWords[static_cast<size_t>(card.verdict)]);
    Cell expected = known(of_.expected_at(card));
    if (card.violations.empty())
      table.add({run, of_.text(card.agent), verdict, {}, {}, {}, {}, expected, {}, {}, {}});
    for (const auto& [edge, hops] : card.violations)
      table.add({run, of_.text(card.agent), verdict, of_.text(edge.from), of_.text(edge.to),
                 of_.text(edge.kind), of_.words(of_.detail(edge)), expected, ids(hops),
                 places(hops), evidence(hops)});
  }

  const Assessment& of_;
  const HopScene& scene_;
  Document& document_;
};

}  // namespace

void add_assessment(const Assessment& assessment, Document& document) {
  Tables(assessment, document).add();
}

Shape shape_of_assessment() {
  static const std::vector<Section> kShape =
      shape_of_answer({Record{{{}, kHead}}, Table{"runs", kRuns}, Table{"reasons", kReasons},
                       Table{"alignment", kAlignment}});
  return kShape;
}

}  // namespace xtrace
