#include "view/assess.h"

#include <fmt/format.h>

#include <algorithm>

#include "view/field.h"
#include "view/judge_run.h"
#include "view/preface.h"
#include "view/words.h"

namespace xtrace {

namespace {

constexpr Column kHead[] = {
    {"score", "of the run with the highest: the weights of its reasons, 100 at most",
     CellKind::integer, true},
    {"level",
     "ok up to 25, warn up to 60, high above; overreach: an agent did what its card does "
     "not declare",
     CellKind::text, true},
    {"learned_runs", "runs that the baseline was made of", CellKind::integer},
    {"note", "", CellKind::text},
};

constexpr Column kRuns[] = {
    {"run", "", CellKind::text, true},
    {"score", "", CellKind::integer, true},
    {"level", "", CellKind::text, true},
    {"reasons", "how many", CellKind::integer, true},
};

constexpr Column kReasons[] = {
    {"run", "", CellKind::text, true},
    {"rule",
     "novel_edge, novel_resource_access, novel_path: no learned run had it; retry_storm: more "
     "calls "
     "of one to another than 95 of 100 learned runs made; depth_exceeded, fanout_exceeded: a "
     "longer "
     "path, or more that one agent called",
     CellKind::text, true},
    {"weight", "", CellKind::integer, true},
    {"edge.source", "", CellKind::text},
    {"edge.target", "", CellKind::text},
    {"edge.hop_kind", "", CellKind::text},
    {"path", "the chain of delegation, the principal first", CellKind::texts},
    {"observed", "", CellKind::number},
    {"baseline_p95", "what 95 of 100 learned runs do not exceed", CellKind::number},
    {"detail", "", CellKind::text, true},
    {"span_ids", "that decided it", CellKind::texts, true},
    {"at", "where they stand", CellKind::texts, true},
};

constexpr Column kAlignment[] = {
    {"run", "", CellKind::text, true},
    {"agent", "", CellKind::text, true},
    {"alignment", "aligned, overreach, or unknown: it has no card", CellKind::text, true},
    {"edge.source", "", CellKind::text},
    {"edge.target", "what its card does not declare", CellKind::text},
    {"edge.hop_kind", "", CellKind::text},
    {"span_ids", "", CellKind::texts},
    {"at", "", CellKind::texts},
};

constexpr Column kProfile[] = {
    {"runs", "that were learned", CellKind::integer, true},
    {"depth_p95", "hops of the longest path", CellKind::number, true},
};
constexpr Column kEdges[] = {
    {"source", "", CellKind::text, true},
    {"target", "", CellKind::text, true},
    {"hop_kind", "", CellKind::text, true},
    {"runs", "in which it was seen", CellKind::integer, true},
    {"calls_p95", "of how often it was, in those", CellKind::number, true},
};
constexpr Column kAgents[] = {
    {"agent", "", CellKind::text, true},
    {"fan_out_p95", "of how many it called", CellKind::number, true},
};
constexpr Column kResources[] = {
    {"resource", "", CellKind::text, true},
    {"runs", "", CellKind::integer, true},
};
constexpr Column kPaths[] = {
    {"path", "", CellKind::texts, true},
    {"runs", "", CellKind::integer, true},
};

/// One answer, about all runs that are shown.
class Assessing {
 public:
  Assessing(const HopScene& scene, Document& document)
      : scene_(scene), paths_(scene.hops), document_(document) {
    for (const Run& run : scene.hops.runs) {
      RunTraits traits = traits_of(scene, paths_, run);
      if (traits.edges.empty()) continue;
      runs_.push_back(&run);
      traits_.push_back(std::move(traits));
    }
  }

  void add_profile() {
    Profile profile = learn(traits_);
    document_.add(Record{{"profile", kProfile, {profile.runs, profile.depth_p95}}});
    Table edges{"edges", kEdges}, agents{"agents", kAgents}, resources{"resources", kResources},
        paths{"paths", kPaths};
    for (const auto& [edge, of] : profile.edges)
      edges.add({text(edge.from), text(edge.to), text(edge.kind), of.runs, of.calls_p95});
    for (const auto& [agent, most] : profile.fan_out_p95) agents.add({text(agent), most});
    for (const auto& [resource, runs] : profile.resources) resources.add({text(resource), runs});
    for (const auto& [path, runs] : profile.paths) paths.add({texts(path), runs});
    for (Table* table : {&edges, &agents, &resources, &paths}) document_.add(std::move(*table));
  }

  Outline outline(const Standards& standards) const {
    Outline outline;
    outline.columns = {
        {"score", true}, {"rule", false}, {"what", false, true}, {"at", true, false, 1, true}};
    for (size_t i = 0; i < runs_.size(); ++i) {
      std::vector<Reason> found;
      if (standards.baseline) found = judge(traits_[i], *standards.baseline);
      int64_t score = score_of(found);
      std::string title = fmt::format("run {}", scene_.names.text(runs_[i]->id).view());
      outline.lines.push_back({0,
                               Tone::heading,
                               {number_cell("", score), Door::own(level_of(score)),
                                scene_.question.door.composed(std::move(title))}});
      for (const Reason& reason : found) add_line(outline, reason);
      for (const CardVerdict& one : align(traits_[i], standards.cards))
        for (const auto& [edge, hops] : one.violations)
          outline.lines.push_back(
              {1,
               Tone::error,
               {Cell(), Text("overreach"),
                scene_.question.door.composed(fmt::format(
                    "{} may not call {}", text(edge.from).view(), text(edge.to).view())),
                scene_.at(scene_.hops[hops.front()])}});
    }
    if (!standards.baseline && standards.cards.empty())
      outline.foot.push_back(
          "there is neither a baseline nor a card to hold it against; make one: "
          "xtrace assess --learn");
    return outline;
  }

  /// Is anything out of the ordinary?
  bool finds(const Standards& standards) const {
    if (!standards.baseline && standards.cards.empty()) return true;
    return std::any_of(traits_.begin(), traits_.end(), [&](const RunTraits& run) {
      if (standards.baseline && score_of(judge(run, *standards.baseline)) > kOk) return true;
      std::vector<CardVerdict> found = align(run, standards.cards);
      return std::any_of(found.begin(), found.end(), [](const CardVerdict& one) {
        return one.verdict == CardVerdict::Verdict::overreach;
      });
    });
  }

  void add_verdict(const Standards& standards) {
    Table runs{"runs", kRuns}, reasons{"reasons", kReasons}, alignment{"alignment", kAlignment};
    int64_t highest = 0;
    bool overreaches = false;
    for (size_t i = 0; i < runs_.size(); ++i) {
      Text run = scene_.names.text(runs_[i]->id);
      std::vector<Reason> found;
      if (standards.baseline) found = judge(traits_[i], *standards.baseline);
      int64_t score = score_of(found);
      highest = std::max(highest, score);
      for (const Reason& reason : found) add_reason(run, reason, reasons);
      for (const CardVerdict& one : align(traits_[i], standards.cards)) {
        overreaches |= one.verdict == CardVerdict::Verdict::overreach;
        if (!standards.cards.empty()) add_alignment(run, one, alignment);
      }
      if (standards.baseline)
        runs.add({run, score, Door::own(level_of(score)), static_cast<int64_t>(found.size())});
    }
    // With nothing to hold it against, nothing is known to be normal.
    bool is_cold = !standards.baseline && standards.cards.empty();
    std::string_view level = overreaches ? "overreach" : is_cold ? "high" : level_of(highest);
    document_.add(Record{{{},
                          kHead,
                          {is_cold ? int64_t{100} : highest, Door::own(level),
                           standards.baseline ? Cell(standards.baseline->runs) : Cell(),
                           is_cold ? Cell(Text("there is neither a baseline nor a card to hold it "
                                               "against; make one: xtrace assess --learn"))
                                   : Cell()}}});
    for (Table* table : {&runs, &reasons, &alignment}) document_.add(std::move(*table));
  }

 private:
  Text text(const std::string& name) const { return scene_.question.door.name_once(name); }
  Cell texts(const PathName& path) const {
    Texts names;
    for (const std::string& actor : path) names.push_back(text(actor));
    return document_.shelf().keep(std::move(names));
  }
  Cell ids(const std::vector<HopId>& hops) const {
    Texts names;
    for (HopId id : hops) names.push_back(scene_.name(id));
    return document_.shelf().keep(std::move(names));
  }
  Cell places(const std::vector<HopId>& hops) const {
    Texts names;
    for (HopId id : hops) names.push_back(scene_.at(scene_.hops[id]));
    return document_.shelf().keep(std::move(names));
  }

  std::string detail(const Reason& reason) const {
    std::string to(text(reason.edge.to).view()), from(text(reason.edge.from).view());
    if (from.empty()) from = "unknown";
    std::string_view rule = reason.rule;
    if (rule == "novel_edge") return fmt::format("{} never called {}", from, to);
    if (rule == "novel_resource_access") return fmt::format("nobody reached {}", to);
    if (rule == "novel_path") return "no learned run took this way";
    if (rule == "retry_storm")
      return fmt::format("{} called {} {} times; 95 of 100 runs: {:g} at most", from, to,
                         reason.observed, reason.expected);
    if (rule == "fanout_exceeded")
      return fmt::format("{} called {} others; 95 of 100 runs: {:g} at most", to, reason.observed,
                         reason.expected);
    return fmt::format("the longest path has {} hops; 95 of 100 runs: {:g} at most",
                       reason.observed, reason.expected);
  }

  void add_reason(Text run, const Reason& reason, Table& table) const {
    auto number = [](double value) { return value < 0 ? Cell() : Cell(thousandths(value)); };
    table.add({run, Door::own(reason.rule), reason.weight, known(text(reason.edge.from)),
               known(text(reason.edge.to)), known(text(reason.edge.kind)),
               reason.path.empty() ? Cell() : texts(reason.path), number(reason.observed),
               number(reason.expected), scene_.question.door.composed(detail(reason)),
               ids(reason.hops), places(reason.hops)});
  }

  void add_alignment(Text run, const CardVerdict& one, Table& table) const {
    Text verdict = Door::own(kVerdictWords[static_cast<size_t>(one.verdict)]);
    if (one.violations.empty()) table.add({run, text(one.agent), verdict, {}, {}, {}, {}, {}});
    for (const auto& [edge, hops] : one.violations)
      table.add({run, text(one.agent), verdict, text(edge.from), text(edge.to), text(edge.kind),
                 ids(hops), places(hops)});
  }

  void add_line(Outline& outline, const Reason& reason) const {
    Text at = reason.hops.empty() ? Text() : scene_.at(scene_.hops[reason.hops.front()]);
    std::string what = detail(reason);
    if (!reason.path.empty()) {
      Texts names;
      for (const std::string& actor : reason.path) names.push_back(text(actor));
      what = joined(names, " -> ");
    }
    outline.lines.push_back({1,
                             Tone::plain,
                             {number_cell("+", reason.weight), Door::own(reason.rule),
                              scene_.question.door.composed(std::move(what)), at}});
  }
  Cell number_cell(std::string_view before, int64_t number) const {
    return scene_.question.door.composed(fmt::format("{}{}", before, number));
  }

  const HopScene& scene_;
  Paths paths_;
  Document& document_;
  std::vector<const Run*> runs_;
  std::vector<RunTraits> traits_;
};

}  // namespace

void Assess::declare(Options& options) {
  options.add("--learn", learn_, "tell what the runs have in common, as a baseline for others");
  options.add("--baseline", baseline_, "FILE", "hold the runs against what --learn told");
  options.add("--cards", cards_, "FILE",
              "hold agents against what they declare: {\"agents\": [{\"agent_id\", "
              "\"dependencies\": [], \"tools\": [], \"resources\": []}]}");
  filter_.declare_hops(options);
}

Result<Document> Assess::answer(const Question& question) const {
  if (learn_ && (!baseline_.empty() || !cards_.empty()))
    return fail(Exit::usage, "--learn makes a baseline; --baseline and --cards judge by one");
  Result<std::shared_ptr<HopScene>> scene = hop_scene(question, filter_, HopLinks::chains);
  if (!scene) return tl::unexpected(scene.error());
  Document document("assess");
  if (question.face == Face::tables)
    add_preface("xtrace.assess/1", question, (*scene)->names, (*scene)->selection.hidden, document);
  Assessing assessing(**scene, document);
  if (question.face == Face::outline && !learn_)
    document.add(assessing.outline(standards_));
  else if (learn_)
    assessing.add_profile();
  else
    assessing.add_verdict(standards_);
  if (!learn_ && assessing.finds(standards_)) document.say_no();
  return document;
}

std::unique_ptr<View> make_assess() {
  return std::make_unique<Assess>();
}

std::vector<Shape> shapes_of_assess() {
  static const std::vector<Section> kVerdict =
      shape_of_answer({Record{{{}, kHead}}, Table{"runs", kRuns}, Table{"reasons", kReasons},
                       Table{"alignment", kAlignment}});
  static const std::vector<Section> kLearned = shape_of_answer(
      {Record{{"profile", kProfile}}, Table{"edges", kEdges}, Table{"agents", kAgents},
       Table{"resources", kResources}, Table{"paths", kPaths}});
  return {kVerdict, kLearned};
}

}  // namespace xtrace
