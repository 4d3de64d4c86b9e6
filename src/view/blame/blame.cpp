#include <fmt/format.h>

#include <cmath>

#include "base/text.h"
#include "settings/suite_file.h"
#include "view/blame/blame_answer.h"
#include "view/blame/suite_symptom.h"
#include "view/common/add_face.h"
#include "view/common/field.h"
#include "view/common/preface.h"
#include "view/impact/impact_target.h"
#include "view/query/one_query.h"

namespace xtrace {

namespace {

/// Steps of a path; of longer ones the first, which a reader checks first.
constexpr size_t kLongestPath = 50;

struct HeadRow {
  const Blame& blame;
  CellArena& arena;
};

constexpr Field<HeadRow> kSymptom[] = {
    {{"id", "id of the step at which the failure shows: a call, tool use or span", Role::id, true},
     [](const HeadRow& row) -> Cell { return row.blame.of().id(row.blame.found.symptom); }},
    {{"call", "the call itself, or the call that asked for the tool", Role::node, true},
     [](const HeadRow& row) -> Cell { return row.blame.of().owner(row.blame.found.symptom); }},
    {{"at", "location of its record", Role::place, true},
     [](const HeadRow& row) -> Cell { return row.blame.at(row.blame.found.symptom); }},
    {{"from",
      "given (--symptom), verdict (--suite), error (the last failure that no later success "
      "mended), last (the last step)",
      CellKind::text, true},
     [](const HeadRow& row) -> Cell {
       return Door::own(kSymptomWords[static_cast<size_t>(row.blame.found.from)]);
     }},
};
constexpr Field<HeadRow> kLookedAt[] = {
    {{"steps", "steps that were examined: calls and tool uses, or spans", CellKind::integer, true},
     [](const HeadRow& row) { return Cell(static_cast<int64_t>(row.blame.found.looked_at)); }},
    {{"in_slice", "number of these that lead to the symptom, with the symptom itself",
      CellKind::integer, true},
     [](const HeadRow& row) { return Cell(static_cast<int64_t>(row.blame.found.in_slice)); }},
};
constexpr Field<HeadRow> kLimits[] = {
    {{"omitted", "candidates that are not listed; the list ends after 100", CellKind::integer},
     [](const HeadRow& row) { return some(static_cast<int64_t>(row.blame.omitted)); }},
    {{"not_seen", "what could not be examined, one sentence each", CellKind::texts, true},
     [](const HeadRow& row) { return Cell(row.arena.keep(row.blame.not_seen())); }},
    {{"caveat", "what this output does not claim", CellKind::text, true},
     [](const HeadRow&) -> Cell {
       return Text(
           "Candidates are places where something first looks odd. None is known to be the "
           "cause, and the list may be incomplete.");
     }},
};

struct SignalRowOf {
  const Blame& blame;
  const FoundSignal& signal;

  Cell place(uint32_t step) const { return step == kNoStep ? Cell() : Cell(blame.at(step)); }
};
using SignalRef = const SignalRowOf&;
bool tells_ground(BlameSignal signal) {
  return signal == BlameSignal::near_miss || signal == BlameSignal::unread_evidence;
}
constexpr Field<SignalRowOf> kSignalFields[] = {
    {{"signal",
      "near_miss, contradicts_report, retry_storm, error_unmended, stale_read, diverged, "
      "ungrounded, unread_evidence, verdict, novel, interrupted, assigned, hedged, error, "
      "most_new, "
      "final_value, wrote_code or declined; see `man xtrace`",
      CellKind::text, true},
     [](SignalRef r) -> Cell { return Door::own(word(r.signal.signal)); }},
    {{"argument", "name of the argument; * if it is not a plain name", CellKind::text},
     [](SignalRef r) -> Cell { return known(r.blame.argument(r.signal)); }},
    {{"kind", "kind of the value: number, mail, url, code or path", CellKind::text},
     [](SignalRef r) -> Cell {
       return r.signal.kind ? Cell(Door::own(word(*r.signal.kind))) : Cell();
     }},
    {{"at", "location of the step", CellKind::text, true},
     [](SignalRef r) { return r.place(r.signal.step); }},
    {{"grounded_at", "location of the step that gave the value", CellKind::text},
     [](SignalRef r) { return tells_ground(r.signal.signal) ? r.place(r.signal.other) : Cell(); }},
    {{"related_at",
      "location of another step that the signal is about: the success that mended a failure, the "
      "change of a file, the last repetition, the code that failed",
      CellKind::text},
     [](SignalRef r) { return tells_ground(r.signal.signal) ? Cell() : r.place(r.signal.other); }},
    {{"result_at", "of a failure, location of the tool's result, if it has a record of its own",
      CellKind::text},
     [](SignalRef r) {
       const bool is_failure =
           r.signal.signal == BlameSignal::error || r.signal.signal == BlameSignal::error_unmended;
       const auto result = is_failure ? r.blame.result(r.signal.step) : std::nullopt;
       return result ? Cell(r.blame.of().names().at(*result)) : Cell();
     }},
    {{"count", "number of repetitions or values", Role::count},
     [](SignalRef r) { return some(int64_t{r.signal.times}); }},
};

struct CandidateRow {
  const Blame& blame;
  const BlameCandidate& one;
  size_t rank;
  CellArena& arena;

  Cell ids(const std::vector<uint32_t>& steps) const {
    Texts ids;
    for (uint32_t step : steps) {
      if (ids.size() == kLongestPath) break;
      ids.push_back(blame.of().id(step));
    }
    return arena.keep(std::move(ids));
  }
};
using CandidateRef = const CandidateRow&;

double rounded(double value) {
  constexpr double kSteps = 1e5;
  return std::round(value * kSteps) / kSteps;
}

constexpr Field<CandidateRow> kCandidates[] = {
    {{"rank", "1: the most telling", CellKind::integer, true},
     [](CandidateRef r) { return Cell(static_cast<int64_t>(r.rank)); }},
    {{"id", "id of the call, tool use or span", Role::id, true},
     [](CandidateRef r) -> Cell { return r.blame.of().id(r.one.step); }},
    {{"call", "the call itself, or the call that asked for the tool", Role::node, true},
     [](CandidateRef r) -> Cell { return r.blame.of().owner(r.one.step); }},
    {{"at", "location of its record", Role::place, true},
     [](CandidateRef r) -> Cell { return r.blame.at(r.one.step); }},
    {{"agent", "", Role::agent},
     [](CandidateRef r) -> Cell { return known(r.blame.of().agent(r.one.step)); }},
    {{"what", "the tool; for a call, the tools that it asked for; for a span, its operation",
      Role::name},
     [](CandidateRef r) -> Cell { return known(r.blame.of().name(r.one.step)); }},
    {{"strength", "strong, medium or weak: that of its strongest signal", CellKind::text, true},
     [](CandidateRef r) -> Cell { return Door::own(word(r.one.strength)); }},
    {{"weight", "sum of the weights of its signals; orders candidates of one strength",
      CellKind::number, true},
     [](CandidateRef r) -> Cell { return rounded(r.one.weight); }},
    {{"in_slice", "true if links or reused values lead from it to the symptom", CellKind::boolean,
      true},
     [](CandidateRef r) -> Cell { return bool{r.one.in_slice}; }},
    {{"dominates_symptom", "true if every recorded path to the symptom leads through it",
      CellKind::boolean, true},
     [](CandidateRef r) -> Cell { return bool{r.one.dominates_symptom}; }},
    {{"explains", "later candidates that use a value from it", CellKind::texts, true},
     [](CandidateRef r) { return r.ids(r.one.explains); }},
    {{"explained_by", "the candidate that explains it; null if none does", CellKind::text_or_null,
      true},
     [](CandidateRef r) -> Cell {
       return r.one.explained_by == kNoStep ? Cell(nullptr)
                                            : Cell(r.blame.of().id(r.one.explained_by));
     }},
    {{"path", "steps to the symptom, by the path with the highest confidence; at most 50",
      CellKind::texts, true},
     [](CandidateRef r) { return r.ids(r.one.path); }},
    {{"confidence", "of that path; it says nothing about guilt", Role::confidence, true},
     [](CandidateRef r) -> Cell { return rounded(r.one.confidence); }},
    {{"signals", "what looks odd about it", CellKind::rows, true, columns_of<kSignalFields>()},
     [](CandidateRef r) {
       Table table = table_of<kSignalFields>({});
       for (const FoundSignal& signal : r.one.signals)
         add_fields(kSignalFields, {r.blame, signal}, table);
       return Cell(r.arena.keep(std::move(table)));
     }},
    {{"text", "at level full, the reply of the call or span, or the arguments of the tool",
      CellKind::text},
     [](CandidateRef r) -> Cell { return known(r.blame.text(r.one.step)); }},
    {{"error_text", "what the tool reported when it failed, at level full", Role::error_text},
     [](CandidateRef r) -> Cell { return known(r.blame.error_text(r.one.step)); }},
};

Table candidates_of(const Blame& blame, CellArena& arena) {
  Table table = table_of<kCandidates>("candidates");
  size_t rank = 0;
  for (const BlameCandidate& one : blame.found.candidates) {
    Door::At at(blame.of().door(), blame.of().names().place(blame.of().place(one.step)));
    add_fields(kCandidates, {blame, one, ++rank, arena}, table);
  }
  return table;
}

void add_tables(const Blame& blame, Document& document) {
  const ImpactScene& scene = blame.of();
  add_preface("xtrace.blame/1", scene.question(), scene.names(), scene.hidden(), document,
              Meanings::always, scene.calls() != nullptr ? Covers::calls : Covers::all);
  const HeadRow head{blame, document.arena()};
  document.add(record_of<kSymptom>("symptom", head));
  document.add(candidates_of(blame, document.arena()));
  document.add(record_of<kLookedAt>("looked_at", head));
  document.add(record_of<kLimits>({}, head));
}

/// Where did it go wrong?
class BlameView final : public View {
 public:
  void declare(Options& options) override {
    options.add("--symptom", symptom_, "NAME",
                "step at which the failure shows: call, tool use, span or file:line (default: the "
                "last failure that no later success mended, else the last step)");
    options.add("--suite", suite_file_, "FILE",
                "use the evidence of failed expectations of this suite as the symptom");
    options.add("--scenario", scenario_, "NAME", "scenario of --suite: its id or number");
    options.add("--baseline", baseline_, "FILE",
                "good run of the same task: report the first step that differs");
    options.add("--learned", learned_, "PATH",
                "good runs of other tasks: report tools that they do not use");
    options.add("--unfold", unfold_, "show every candidate (text)");
    filter_.declare(options);
    query_.declare(options);
  }

  Status prepare(Preparation& given) override {
    if (!baseline_.empty() && !learned_.empty())
      return fail(Exit::usage, "--baseline and --learned cannot be combined; choose one");
    if (suite_file_.empty() != scenario_.empty() && suite_file_.empty())
      return fail(Exit::usage, "--scenario requires --suite FILE");
    if (!suite_file_.empty() && !symptom_.empty())
      return fail(Exit::usage, "--symptom and --suite cannot be combined; choose one");
    if (suite_file_.empty()) return {};
    Result<Suite> suite = read_suite(suite_file_);
    if (!suite) return tl::unexpected(suite.error());
    given.read.push_back(suite_file_);
    suite_ = *std::move(suite);
    return {};
  }

  const Filter* filter() const override { return &filter_; }
  std::vector<std::string> inputs_before() const override {
    if (!baseline_.empty()) return {baseline_};
    if (!learned_.empty()) return {learned_};
    return {};
  }

  Result<Document> answer(const Question& question) const override {
    return answer_about(question, std::nullopt);
  }
  Result<Document> answer_query(const Question& question, size_t query) const override {
    return answer_about(question, query);
  }

 private:
  Result<Document> answer_about(const Question& question, std::optional<size_t> asked) const {
    const Result<const Query*> query = query_.find(question, asked);
    if (!query) return tl::unexpected(query.error());
    Document document("blame");
    Result<std::shared_ptr<const ImpactScene>> scene =
        ImpactScene::make(question, filter_, document.arena(), *query);
    if (!scene) return tl::unexpected(scene.error());
    const auto blame = std::make_shared<Blame>();
    blame->scene = *std::move(scene);
    blame->places = std::make_shared<UseRecords>(question.graph.trace(), question.payloads);
    blame->errors = std::make_shared<ErrorWords>(blame->of().question(), blame->of().names());
    blame->note_shared_lines();
    if (Status found = look(question, *blame); !found) return tl::unexpected(found.error());
    document.judge(findings_of(*blame));
    add_face(
        question.face, document, [&] { add_tables(*blame, document); },
        [&] { return drawing_of(*blame); }, [&] { return outline_of(*blame, unfold_); });
    return document;
  }

  /// A place names a call by any of its lines; the line of a tool use is that of the tool use.
  uint32_t step_on_line(const Blame& blame, uint32_t step) const {
    const ImpactScene& scene = *blame.scene;
    if (scene.step(step).kind != GraphStep::Kind::call) return step;
    for (uint32_t use = step + 1; use < scene.steps().size(); ++use) {
      if (scene.step(use).kind != GraphStep::Kind::tool_use) break;
      const uint32_t line = blame.record(use).line;
      if (line != scene.place(step).line && symptom_.ends_with(fmt::format(":{}", line)))
        return use;
    }
    return step;
  }

  Status look(const Question& question, Blame& blame) const {
    const ImpactScene& scene = *blame.scene;
    if (scene.steps().empty()) return fail(Exit::no, "no step matches the filters");
    BlameSources sources{question.graph, question.payloads, scene.graph_of_steps()};
    if (!symptom_.empty()) {
      const Result<ImpactTarget> target = find_impact_target(scene, symptom_);
      if (!target) return tl::unexpected(target.error());
      sources.symptom = step_on_line(blame, target->nodes.back());
    } else if (!suite_file_.empty()) {
      Result<std::vector<uint32_t>> steps = find_failed_steps(scene, suite_, scenario_);
      if (!steps) return tl::unexpected(steps.error());
      sources.verdicts = *std::move(steps);
    }
    std::optional<KnownRuns> known;
    if (question.before != nullptr) {
      known.emplace(
          KnownRuns{question.before->graph, question.before->payloads, !baseline_.empty()});
      sources.known = &*known;
    }
    blame.found = find_candidates(sources);
    std::vector<BlameCandidate>& all = blame.found.candidates;
    if (all.size() > kMostSuspects) {
      blame.omitted = all.size() - kMostSuspects;
      all.resize(kMostSuspects);
    }
    blame.needs_texts = question.payloads == nullptr;
    return {};
  }

  std::string symptom_, suite_file_, scenario_, baseline_, learned_;
  bool unfold_ = false;
  Suite suite_;
  Filter filter_;
  OneQuery query_;
};

std::vector<Shape> shapes() {
  static const std::vector<Section> kShape =
      shape_of_answer({Record{table_of<kSymptom>("symptom")}, table_of<kCandidates>("candidates"),
                       Record{table_of<kLookedAt>("looked_at")}, Record{table_of<kLimits>({})}},
                      Meanings::always);
  return {kShape};
}

}  // namespace

extern constinit const ViewEntry kBlameView = {
    .name = "blame",
    .summary = "find where a run first looks odd: candidates, not culprits",
    .about =
        "Candidates, not culprits: lists the steps at which something first looks odd in a run "
        "that went wrong, most telling first, with the evidence for each. It walks back from the "
        "symptom along links and along values that steps reuse: values with no known origin, "
        "failures that were never fixed, repetitions, stale files, defaults instead of results. "
        "A failure "
        "counts for the step that asked for what failed. A candidate is not known to be the cause, "
        "and a fault may leave no trace in the log.",
    .examples =
        R"(  xtrace blame run.jsonl                            why did the last failure happen?
  xtrace blame run.jsonl --symptom toolu_01Ab       start from this tool use
  xtrace blame run.jsonl --suite suite.yaml --scenario refund   from a failed expectation
  xtrace blame run.jsonl --baseline good.jsonl      also the first step that differs
  xtrace blame run.jsonl --learned good/            also tools that good runs do not use
  xtrace blame run.jsonl -f sarif                   for code scanning
)",
    .make = make_view<BlameView>,
    .shapes = shapes,
    .draws = true,
    .has_page = true,
    .gives_verdicts = true,
    .no_means = "no such symptom",
    .reads_texts = true,
    .rows = "candidates",
};

}  // namespace xtrace
