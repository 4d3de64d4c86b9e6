#include <fmt/format.h>

#include <charconv>
#include <cmath>

#include "base/hidden_marker.h"
#include "base/text.h"
#include "settings/standards_file.h"
#include "view/assess/assessment.h"
#include "view/assess/profile.h"
#include "view/common/field.h"
#include "view/common/filter.h"
#include "view/common/preface.h"
#include "view/eval/eval.h"

namespace xtrace {

namespace {

constexpr Field<Profile> kProfile[] = {
    {{"runs", "learned runs", CellKind::integer, true}, member<&Profile::runs>},
    {{"depth_p95", "hops of the longest path: the 95th percentile of the learned runs",
      CellKind::number, true},
     [](const Profile& row) { return Cell(row.depth.p95); }},
    {{"depth_max", "hops of the longest path: the maximum of the learned runs", CellKind::number,
      true},
     [](const Profile& row) { return Cell(row.depth.most); }},
    {{"group_paths",
      "number of leading folders that replace each file; absent: files were not grouped",
      CellKind::integer},
     [](const Profile& row) { return row.group_paths ? Cell(*row.group_paths) : Cell(); }},
    {{"judges", "true if the baseline has enough runs (at least 3) to judge other runs",
      CellKind::boolean, true},
     [](const Profile& row) { return Cell(row.runs >= kFewestRuns); }},
};

/// An entry of a map of the profile: something that runs had, and how often or how much of it.
template <class Name, class Of>
struct LearnedRow {
  const HopScene& scene;
  CellArena& arena;
  const Name& name;
  const Of& of;
};

using EdgeRow = LearnedRow<EdgeName, Profile::Edge>;
constexpr Field<EdgeRow> kEdges[] = {
    {{"source", "", CellKind::text, true},
     [](const EdgeRow& row) { return Cell(row.scene.once(row.name.from)); }},
    {{"target", "", CellKind::text, true},
     [](const EdgeRow& row) { return Cell(row.scene.once(row.name.to)); }},
    {{"hop_kind", "", CellKind::text, true},
     [](const EdgeRow& row) { return Cell(row.scene.once(row.name.kind)); }},
    {{"runs", "number of learned runs in which this occurs", CellKind::integer, true},
     [](const EdgeRow& row) { return Cell(row.of.runs); }},
    {{"calls_p95", "occurrences per run that contains it: 95th percentile", CellKind::number, true},
     [](const EdgeRow& row) { return Cell(row.of.calls.p95); }},
    {{"calls_max", "occurrences per run that contains it: maximum", CellKind::number, true},
     [](const EdgeRow& row) { return Cell(row.of.calls.most); }},
};

using AgentRow = LearnedRow<std::string, Bound>;
constexpr Field<AgentRow> kAgents[] = {
    {{"agent", "", CellKind::text, true},
     [](const AgentRow& row) { return Cell(row.scene.once(row.name)); }},
    {{"fan_out_p95", "targets called per run: 95th percentile", CellKind::number, true},
     [](const AgentRow& row) { return Cell(row.of.p95); }},
    {{"fan_out_max", "targets called per run: maximum", CellKind::number, true},
     [](const AgentRow& row) { return Cell(row.of.most); }},
};

using ResourceRow = LearnedRow<std::string, int64_t>;
constexpr Field<ResourceRow> kResources[] = {
    {{"resource", "", CellKind::text, true},
     [](const ResourceRow& row) { return Cell(row.scene.once(row.name)); }},
    {{"runs", "", CellKind::integer, true}, [](const ResourceRow& row) { return Cell(row.of); }},
};

using PathRow = LearnedRow<PathName, int64_t>;
constexpr Field<PathRow> kPaths[] = {
    {{"path", "", CellKind::texts, true},
     [](const PathRow& row) {
       Texts actors;
       for (const std::string& actor : row.name) actors.push_back(row.scene.once(actor));
       return Cell(row.arena.keep(std::move(actors)));
     }},
    {{"runs", "", CellKind::integer, true}, [](const PathRow& row) { return Cell(row.of); }},
};

/// A sum of fractions ends in digits that mean nothing.
Cell billionths(double value) {
  return std::round(value * 1e9) / 1e9;
}

struct FigureRow {
  const HopScene& scene;
  std::string_view figure;
  const std::string* tool;  ///< nullptr: the figure is not of a tool
  const Figure& of;
};
constexpr Field<FigureRow> kFigures[] = {
    {{"figure", "cost_usd, model_calls, failures (of models and tools) or tool_calls",
      CellKind::text, true},
     [](const FigureRow& row) { return Cell(row.scene.once(row.figure)); }},
    {{"tool", "the tool, for tool_calls", CellKind::text},
     [](const FigureRow& row) {
       return row.tool == nullptr ? Cell() : Cell(row.scene.once(*row.tool));
     }},
    {{"runs",
      "number of learned runs that record the figure; with fewer than 5, the figure is not judged",
      CellKind::integer, true},
     [](const FigureRow& row) { return Cell(row.of.runs); }},
    {{"used", "number of runs in which the figure is greater than 0", CellKind::integer, true},
     [](const FigureRow& row) { return Cell(row.of.used); }},
    {{"min", "", CellKind::number, true},
     [](const FigureRow& row) { return billionths(row.of.least); }},
    {{"median", "", CellKind::number, true},
     [](const FigureRow& row) { return billionths(row.of.median); }},
    {{"mad", "median absolute deviation from the median", CellKind::number, true},
     [](const FigureRow& row) { return billionths(row.of.deviation); }},
    {{"p95", "", CellKind::number, true},
     [](const FigureRow& row) { return billionths(row.of.bound.p95); }},
    {{"max", "", CellKind::number, true},
     [](const FigureRow& row) { return billionths(row.of.bound.most); }},
};

/// Adds a table with a row for each entry of a map.
template <const auto& kFields>
void add_learned(std::string_view name, const auto& entries, const HopScene& scene,
                 Document& document) {
  Table table = table_of<kFields>(name);
  for (const auto& [entry, of] : entries)
    add_fields(kFields, {scene, document.arena(), entry, of}, table);
  document.add(std::move(table));
}

void add_profile(const HopScene& scene, const Profile& profile, Document& document) {
  document.add(record_of<kProfile>("profile", profile));
  add_learned<kEdges>("edges", profile.edges, scene, document);
  add_learned<kAgents>("agents", profile.fan_out, scene, document);
  add_learned<kResources>("resources", profile.resources, scene, document);
  add_learned<kPaths>("paths", profile.paths, scene, document);
  Table figures = table_of<kFigures>("figures");
  for (const auto& [figure, of] : profile.figures)
    add_fields(kFigures, {.scene = scene, .figure = figure, .tool = nullptr, .of = of}, figures);
  for (const auto& [tool, of] : profile.tools)
    add_fields(kFigures, {.scene = scene, .figure = kToolFigure, .tool = &tool, .of = of}, figures);
  document.add(std::move(figures));
}

/// Names that were hidden when a baseline was learned, and no longer are, would all be new.
Status check_redaction(const Profile& baseline, const Door& door) {
  if (baseline.hides >= door.redactor().which()) return {};
  for (const std::string& name : names_in(baseline))
    if (name.find(kHiddenMarker) != std::string::npos)
      return fail(Exit::usage,
                  "the baseline was learned with names redacted that are shown now; remove "
                  "--keep-personal and --no-redact, or learn it again with the same option");
  return {};
}

Profile profile_of(const HopScene& scene, std::optional<int64_t> group_paths) {
  std::vector<RunTraits> runs;
  for (auto& [run, traits] : traits_of(scene, Paths(scene.hops), group_paths))
    runs.push_back(std::move(traits));
  Profile profile = learn(runs);
  profile.group_paths = group_paths;
  return profile;
}

/// A verdict about nothing would be taken for a good one.
tl::unexpected<Error> nothing_to(std::string_view what) {
  return fail(Exit::no, fmt::format("assess: nothing to {}: no selected actor calls another; "
                                    "`xtrace list` shows what the input contains",
                                    what));
}

/// Is a run like those before it, and did its agents do what they declare?
class Assess final : public View {
 public:
  void declare(Options& options) override;
  Status prepare(Preparation& given) override;
  const Filter* filter() const override { return &filter_; }
  Result<Document> answer(const Question& question) const override;

 private:
  /// What --group-paths says, and whether it says what the baseline was learned with.
  Status read_group_paths();

  bool learn_ = false;
  std::string group_text_;
  std::optional<int64_t> group_paths_;
  std::vector<std::string> fail_if_;
  std::string baseline_, cards_, fail_on_ = "warn";
  Filter filter_;
  Standards standards_;
};

void Assess::declare(Options& options) {
  options.add("--learn", learn_, "learn what these runs have in common and write it as a baseline");
  options.add("--baseline", baseline_, "FILE", "compare runs with this baseline");
  options.add("--cards", cards_, "FILE",
              "check agents against their cards: {\"agents\": [{\"agent_id\", "
              "\"dependencies\": [], \"tools\": [], \"resources\": []}]}");
  options.add("--fail-on", fail_on_, "LEVEL",
              "exit with 1 if a run reaches this level (default: warn); undeclared use (--cards) "
              "always counts",
              {"any", "warn", "high"});
  options.add("--fail-if", fail_if_, "RULE",
              "also exit with 1 if this rule applies to a run, at any level (repeatable)",
              {std::begin(kAssessRules), std::end(kAssessRules)});
  options.add("--group-paths", group_text_, "N",
              "with --learn: replace each file by its first N folders, so that files in the same "
              "folder count as one; 0: all files count as one");
  filter_.declare_hops(options);
}

Status Assess::prepare(Preparation& given) {
  if (learn_ && !given.verdict_format.empty())
    return fail(Exit::usage, fmt::format("--format {}: --learn makes no verdicts; use -f json",
                                         given.verdict_format));
  Result<Standards> standards = read_standards(baseline_, cards_, given.read);
  if (!standards) return tl::unexpected(standards.error());
  standards_ = *std::move(standards);
  bool has_any = standards_.baseline || !standards_.cards.empty();
  if (!learn_ && !has_any)
    return fail(Exit::usage,
                cards_.empty()
                    ? "assess: it needs a baseline: first `xtrace assess --learn GOOD_RUNS -f json "
                      "-o baseline.json`, then `xtrace assess RUN --baseline baseline.json`; or "
                      "agent cards: --cards FILE"
                    : fmt::format("--cards: no agent card in {}, and no --baseline either",
                                  printable(cards_)));
  if (!fail_if_.empty() && (learn_ || !standards_.baseline))
    return fail(Exit::usage, "--fail-if requires --baseline FILE");
  return read_group_paths();
}

Status Assess::read_group_paths() {
  if (group_text_.empty()) return {};
  int64_t folders = 0;
  const char* end = group_text_.data() + group_text_.size();
  auto [at, error] = std::from_chars(group_text_.data(), end, folders);
  if (error != std::errc() || at != end || folders < 0)
    return fail(Exit::usage,
                fmt::format("--group-paths: '{}' is not a number of folders, such as 2",
                            printable(group_text_)));
  if (!learn_ && !standards_.baseline)
    return fail(Exit::usage,
                "--group-paths requires --learn; cards name files by their full paths");
  if (!learn_ && standards_.baseline->group_paths != folders)
    return fail(
        Exit::usage,
        fmt::format(
            "--group-paths {}: {} was learned {}; remove the option, or learn again with it",
            folders, printable(baseline_),
            standards_.baseline->group_paths
                ? fmt::format("with {}", *standards_.baseline->group_paths)
                : "without it"));
  group_paths_ = folders;
  return {};
}

Result<Document> Assess::answer(const Question& question) const {
  if (learn_ && (!baseline_.empty() || !cards_.empty()))
    return fail(Exit::usage, "--learn excludes --baseline and --cards");
  if (!learn_ && standards_.baseline)
    if (Status same = check_redaction(*standards_.baseline, question.door); !same)
      return tl::unexpected(same.error());
  Result<std::shared_ptr<HopScene>> scene = hop_scene(question, filter_, HopLinks::chains);
  if (!scene) return tl::unexpected(scene.error());
  Document document("assess");
  if (question.face == Face::tables)
    add_preface("xtrace.assess/1", question, (*scene)->names, (*scene)->selection.hidden, document);
  if (learn_) {
    Profile profile = profile_of(**scene, group_paths_);
    if (profile.runs == 0) return nothing_to("learn from");
    if (question.face == Face::outline)
      document.add(outline_of(profile, **scene));
    else
      add_profile(**scene, profile, document);
    return document;
  }
  Assessment assessment(**scene, standards_, {fail_on_, fail_if_});
  if (assessment.runs.empty()) return nothing_to("judge");
  if (assessment.fails()) document.say_no();
  if (question.face == Face::outline)
    document.add(outline_of(assessment));
  else
    add_assessment(assessment, document);
  return document;
}

std::vector<Shape> shapes() {
  static const std::vector<Section> kLearned =
      shape_of_answer({Record{table_of<kProfile>("profile")}, table_of<kEdges>("edges"),
                       table_of<kAgents>("agents"), table_of<kResources>("resources"),
                       table_of<kPaths>("paths"), table_of<kFigures>("figures")});
  return {shape_of_assessment(), kLearned};
}

}  // namespace

extern constinit const ViewEntry kAssessView = {
    .name = "assess",
    .summary = "detect anomalies and policy violations",
    .about =
        "Compares runs with a learned baseline (new calls, resources and delegation chains; "
        "unusual numbers of calls, cost and failures) and agents with their cards (what they may "
        "call and use). Each reason has a weight and lists the spans that it is based on. A "
        "baseline needs at least 3 runs.",
    .examples = R"(  xtrace assess --learn runs/ -f json -o baseline.json    learn a baseline
  xtrace assess run.json --baseline baseline.json         compare a run with it
  xtrace assess run.json --baseline baseline.json --fail-if retry_storm   also fail for one rule
  xtrace assess --learn logs/shop --group-paths 2 -f json -o baseline.json   group files by folder
  xtrace assess run.json --cards agents.json              check agents against their cards
  xtrace assess run.json --baseline baseline.json -f sarif   for code scanning
)",
    .make = make_view<Assess>,
    .shapes = shapes,
    .has_page = true,
    .needs_input = true,
    .gives_verdicts = true,
};

}  // namespace xtrace
