#include <fmt/format.h>

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
    {"runs", "that were learned", CellKind::integer, true},
    {"depth_p95", "hops of the longest path, which 95 of 100 runs do not exceed", CellKind::number,
     true},
    {"depth_max", "of all runs", CellKind::number, true},
};
constexpr Column kEdges[] = {
    {"source", "", CellKind::text, true},
    {"target", "", CellKind::text, true},
    {"hop_kind", "", CellKind::text, true},
    {"runs", "in which it was seen", CellKind::integer, true},
    {"calls_p95", "of how often it was, in those", CellKind::number, true},
    {"calls_max", "likewise", CellKind::number, true},
};
constexpr Column kAgents[] = {
    {"agent", "", CellKind::text, true},
    {"fan_out_p95", "of how many it called", CellKind::number, true},
    {"fan_out_max", "likewise", CellKind::number, true},
};
constexpr Column kResources[] = {
    {"resource", "", CellKind::text, true},
    {"runs", "", CellKind::integer, true},
};
constexpr Column kPaths[] = {
    {"path", "", CellKind::texts, true},
    {"runs", "", CellKind::integer, true},
};

void add_profile(const HopScene& scene, const Profile& profile, Document& document) {
  auto text = [&](const std::string& name) { return scene.once(name); };
  document.add(
      Record{{"profile", kProfile, {profile.runs, profile.depth.p95, profile.depth.most}}});
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
  for (Table* table : {&edges, &agents, &resources, &paths}) document.add(std::move(*table));
}

/// Names that were hidden when a baseline was learned, and no longer are, would all be new.
Status check_redaction(const Profile& baseline, const Door& door) {
  if (baseline.hides >= door.redactor().which()) return {};
  for (const std::string& name : names_in(baseline))
    if (name.find("[REDACTED:") != std::string::npos)
      return fail(Exit::usage,
                  "the baseline was learned with names hidden that are shown now; assess without "
                  "--keep-personal and --no-redact, or learn again with the same option");
  return {};
}

Profile profile_of(const HopScene& scene) {
  std::vector<RunTraits> runs;
  for (auto& [run, traits] : traits_of(scene, Paths(scene.hops))) runs.push_back(std::move(traits));
  return learn(runs);
}

/// A verdict about nothing would be taken for a good one.
tl::unexpected<Error> nothing_to(std::string_view what) {
  return fail(Exit::no, fmt::format("assess: there is nothing to {}: nobody who is shown calls "
                                    "anybody; `xtrace list` names what is in there",
                                    what));
}

/// Is a run like those before it, and did its agents do what they declare?
class Assess final : public View {
 public:
  void declare(Options& options) override;
  Status prepare(Preparation& given) override;
  Result<Document> answer(const Question& question) const override;

 private:
  bool learn_ = false;
  std::string baseline_, cards_, fail_on_ = "warn";
  Filter filter_;
  Standards standards_;
};

void Assess::declare(Options& options) {
  options.add("--learn", learn_, "tell what the runs have in common, as a baseline for others");
  options.add("--baseline", baseline_, "FILE", "hold the runs against what --learn told");
  options.add("--cards", cards_, "FILE",
              "hold agents against what they declare: {\"agents\": [{\"agent_id\", "
              "\"dependencies\": [], \"tools\": [], \"resources\": []}]}");
  options.add("--fail-on", fail_on_, "LEVEL",
              "exit with 1 from this level on: any (of reasons), warn (the default) or high; what "
              "a card does not declare always counts",
              {"any", "warn", "high"});
  filter_.declare_hops(options);
}

Status Assess::prepare(Preparation& given) {
  if (learn_ && !given.verdict_format.empty())
    return fail(Exit::usage, fmt::format("--format {}: --learn gives no verdicts; try -f json",
                                         given.verdict_format));
  Result<Standards> standards = read_standards(baseline_, cards_, given.read);
  if (!standards) return tl::unexpected(standards.error());
  standards_ = *std::move(standards);
  bool has_any = standards_.baseline || !standards_.cards.empty();
  if (!learn_ && !has_any)
    return fail(Exit::usage,
                cards_.empty()
                    ? "assess: there is nothing to hold the runs against: --baseline FILE takes "
                      "what --learn told of others, --cards FILE what agents declare"
                    : fmt::format("--cards: {} holds no card of an agent, and there is no "
                                  "--baseline either",
                                  printable(cards_)));
  return {};
}

Result<Document> Assess::answer(const Question& question) const {
  if (learn_ && (!baseline_.empty() || !cards_.empty()))
    return fail(Exit::usage, "--learn makes a baseline; --baseline and --cards judge by one");
  if (!learn_ && standards_.baseline)
    if (Status same = check_redaction(*standards_.baseline, question.door); !same)
      return tl::unexpected(same.error());
  Result<std::shared_ptr<HopScene>> scene = hop_scene(question, filter_, HopLinks::chains);
  if (!scene) return tl::unexpected(scene.error());
  Document document("assess");
  if (question.face == Face::tables)
    add_preface("xtrace.assess/1", question, (*scene)->names, (*scene)->selection.hidden, document);
  if (learn_) {
    Profile profile = profile_of(**scene);
    if (profile.runs == 0) return nothing_to("learn from");
    if (question.face == Face::outline)
      document.add(outline_of(profile, **scene));
    else
      add_profile(**scene, profile, document);
    return document;
  }
  Assessment assessment(**scene, standards_, fail_on_);
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
       Table{"resources", kResources}, Table{"paths", kPaths}});
  return {shape_of_assessment(), kLearned};
}

}  // namespace

extern constinit const ViewEntry kAssessView = {
    .name = "assess",
    .summary = "is this run normal, and within what its agents declare",
    .about =
        "Holds runs against others that were learned: calls between two that never called "
        "each other, resources and chains of delegation that are new, more calls, more "
        "others called and longer paths than 95 of 100 runs had. Each reason has a weight "
        "and names the spans that decided it; and against the cards of agents: whom they "
        "may call and what they may use. Exits with 1 where a run is not ok or oversteps "
        "a card; --fail-on says from which level on. Who is hidden by redaction cannot be "
        "told from another, and that is said. Without a baseline and without cards there is "
        "nothing to judge by, and no verdict.",
    .examples = R"(  xtrace assess --learn runs/ -f json -o baseline.json    what is normal
  xtrace assess run.json --baseline baseline.json         is this run like those?
  xtrace assess run.json --cards agents.json              did agents do what they declare?
  xtrace assess run.json --baseline baseline.json -f sarif   for code scanning; junit for build servers
)",
    .make = make_view<Assess>,
    .shapes = shapes,
    .gives_verdicts = true,
};

}  // namespace xtrace
