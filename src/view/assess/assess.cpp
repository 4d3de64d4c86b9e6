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

constexpr Column kProfile[] = {
    {"runs", "learned runs", CellKind::integer, true},
    {"depth_p95", "hops of the longest path: the 95th percentile of the learned runs",
     CellKind::number, true},
    {"depth_max", "hops of the longest path: the maximum of the learned runs", CellKind::number,
     true},
    {"group_paths",
     "number of leading folders that replace each file; absent: files were not grouped",
     CellKind::integer},
    {"judges", "true if the baseline has enough runs (at least 3) to judge other runs",
     CellKind::boolean, true},
};
constexpr Column kEdges[] = {
    {"source", "", CellKind::text, true},
    {"target", "", CellKind::text, true},
    {"hop_kind", "", CellKind::text, true},
    {"runs", "number of learned runs that contain it", CellKind::integer, true},
    {"calls_p95", "occurrences per run that contains it: 95th percentile", CellKind::number, true},
    {"calls_max", "occurrences per run that contains it: maximum", CellKind::number, true},
};
constexpr Column kAgents[] = {
    {"agent", "", CellKind::text, true},
    {"fan_out_p95", "targets called per run: 95th percentile", CellKind::number, true},
    {"fan_out_max", "targets called per run: maximum", CellKind::number, true},
};
constexpr Column kResources[] = {
    {"resource", "", CellKind::text, true},
    {"runs", "", CellKind::integer, true},
};
constexpr Column kPaths[] = {
    {"path", "", CellKind::texts, true},
    {"runs", "", CellKind::integer, true},
};

constexpr Column kFigures[] = {
    {"figure", "cost_usd, model_calls, failures (of models and tools) or tool_calls",
     CellKind::text, true},
    {"tool", "the tool, for tool_calls", CellKind::text},
    {"runs",
     "number of learned runs that record the figure; with fewer than 5, the figure is not judged",
     CellKind::integer, true},
    {"used", "number of runs in which the figure is greater than 0", CellKind::integer, true},
    {"min", "", CellKind::number, true},
    {"median", "", CellKind::number, true},
    {"mad", "median absolute deviation from the median", CellKind::number, true},
    {"p95", "", CellKind::number, true},
    {"max", "", CellKind::number, true},
};

void add_profile(const HopScene& scene, const Profile& profile, Document& document) {
  auto text = [&](const std::string& name) { return scene.once(name); };
  document.add(Record{
      {"profile",
       kProfile,
       {profile.runs, profile.depth.p95, profile.depth.most,
        profile.group_paths ? Cell(*profile.group_paths) : Cell(), profile.runs >= kFewestRuns}}});
  Table edges{"edges", kEdges}, agents{"agents", kAgents}, resources{"resources", kResources},
      paths{"paths", kPaths};
  for (const auto& [edge, of] : profile.edges)
    edges.add(
        {text(edge.from), text(edge.to), text(edge.kind), of.runs, of.calls.p95, of.calls.most});
  for (const auto& [agent, of] : profile.fan_out) agents.add({text(agent), of.p95, of.most});
  for (const auto& [resource, runs] : profile.resources) resources.add({text(resource), runs});
  for (const auto& [path, runs] : profile.paths) {
    Texts actors;
    for (const std::string& actor : path) actors.push_back(text(actor));
    paths.add({document.arena().keep(std::move(actors)), runs});
  }
  Table figures{"figures", kFigures};
  auto add_figure = [&](std::string_view figure, Cell tool, const Figure& of) {
    // A sum of fractions ends in digits that mean nothing.
    auto billionths = [](double value) { return std::round(value * 1e9) / 1e9; };
    figures.add({scene.once(figure), tool, of.runs, of.used, billionths(of.least),
                 billionths(of.median), billionths(of.deviation), billionths(of.bound.p95),
                 billionths(of.bound.most)});
  };
  for (const auto& [figure, of] : profile.figures) add_figure(figure, {}, of);
  for (const auto& [tool, of] : profile.tools) add_figure(kToolFigure, text(tool), of);
  for (Table* table : {&edges, &agents, &resources, &paths, &figures})
    document.add(std::move(*table));
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
  static const std::vector<Section> kLearned = shape_of_answer(
      {Record{{"profile", kProfile}}, Table{"edges", kEdges}, Table{"agents", kAgents},
       Table{"resources", kResources}, Table{"paths", kPaths}, Table{"figures", kFigures}});
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
    .gives_verdicts = true,
};

}  // namespace xtrace
