#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "base/dollars.h"
#include "view/assess/assessment.h"
#include "view/common/words.h"

namespace xtrace {

namespace {

/// One run after the other: what weighs, and what no card declares.
class Lines {
 public:
  Lines(const Assessment& assessment, Outline& outline) : of_(assessment), outline_(outline) {}

  void add(const AssessedRun& one) {
    bool is_scored = of_.standards.baseline && !of_.learned_too_few();
    outline_.lines.push_back(
        {0,
         one.fails ? Tone::error : Tone::heading,
         {is_scored ? of_.words(fmt::format("{}", one.score)) : Text(), Door::own(one.level),
          of_.words(fmt::format("run {}", of_.scene.names.text(one.run->id).view()))}});
    for (const Reason& reason : one.reasons)
      add(Tone::plain, fmt::format("+{}", reason.weight), Door::own(reason.rule),
          reason.path.empty() ? of_.detail(reason) : of_.way(reason.path), reason.hops);
    for (const CardVerdict& card : one.cards)
      for (const auto& [edge, hops] : card.violations)
        add(Tone::error, {}, "overreach", of_.detail(edge), hops);
  }

 private:
  void add(Tone tone, std::string weight, Text rule, std::string what,
           const std::vector<HopId>& hops) {
    std::string at;
    if (!hops.empty()) at = of_.scene.at(of_.scene.hops[hops.front()]).view();
    if (hops.size() > 1) at += fmt::format(" +{}", hops.size() - 1);
    outline_.lines.push_back({1,
                              tone,
                              {of_.words(std::move(weight)), rule, of_.words(std::move(what)),
                               of_.words(std::move(at))}});
  }

  const Assessment& of_;
  Outline& outline_;
};

/// `3 runs: 2 ok, 1 high; held against 40 learned runs and 3 cards`
std::string summary(const Assessment& of) {
  std::string counts;
  for (std::string_view level : kLevelWords) {
    int64_t count = 0;
    for (const AssessedRun& one : of.runs) count += one.level == level;
    if (count > 0) counts += fmt::format("{}{} {}", counts.empty() ? "" : ", ", count, level);
  }
  std::string against;
  if (of.standards.baseline) against = plural(of.standards.baseline->runs, "learned run");
  if (!of.standards.cards.empty())
    against += fmt::format("{}{}", against.empty() ? "" : " and ",
                           plural(static_cast<int64_t>(of.standards.cards.size()), "card"));
  return fmt::format("{}: {}{}{}", plural(static_cast<int64_t>(of.runs.size()), "run"), counts,
                     against.empty() ? "" : "; compared with ", against);
}

/// Is there nothing to say of a run but that?
bool is_quiet(const AssessedRun& one) {
  return !one.fails && one.reasons.empty();
}

}  // namespace

Outline outline_of(const Assessment& assessment) {
  Outline outline;
  outline.columns = {
      {"score", true}, {"rule", false}, {"what", false, true}, {"at", true, false, 1, true}};
  Lines lines(assessment, outline);
  // Of many, those that are like any other would hide the few that are not.
  constexpr int64_t kFew = 10;
  int64_t quiet = std::count_if(assessment.runs.begin(), assessment.runs.end(), is_quiet);
  for (const AssessedRun& one : assessment.runs)
    if (quiet <= kFew || !is_quiet(one)) lines.add(one);
  outline.foot.push_back(assessment.words(summary(assessment)));
  if (quiet > kFew)
    outline.foot.push_back(assessment.words(
        fmt::format("{} without findings not listed; -f json lists them", plural(quiet, "run"))));
  if (std::string agents = assessment.without_card(); !agents.empty())
    outline.foot.push_back(assessment.words(fmt::format("without a card: {}", agents)));
  if (Text note = assessment.note(); !note.empty()) outline.foot.push_back(note);
  return outline;
}

Outline outline_of(const Profile& profile, const HopScene& scene) {
  auto words = [&](std::string composed) {
    return scene.question.door.composed(std::move(composed));
  };
  auto text = [&](const std::string& name) {
    return name.empty() ? std::string_view(kNotOnRecord) : scene.once(name).view();
  };
  Outline outline;
  outline.columns = {
      {"runs", true}, {"calls", true}, {"p95", true}, {"caller -> callee", false, true}};
  for (const auto& [edge, of] : profile.edges)
    outline.lines.push_back({0,
                             Tone::plain,
                             {of.runs, words(fmt::format("{:g}", of.calls.most)),
                              words(fmt::format("{:g}", of.calls.p95)),
                              words(fmt::format("{} -> {}", text(edge.from), text(edge.to)))}});
  outline.foot.push_back(words(fmt::format(
      "{}, {}, {} of at most {:g} hops; calls = maximum per run, p95 = 95th percentile",
      plural(profile.runs, "run"),
      plural(static_cast<int64_t>(profile.resources.size()), "resource"),
      plural(static_cast<int64_t>(profile.paths.size()), "chain"), profile.depth.most)));
  auto range = [&](std::string_view figure, std::string_view what, auto shown) {
    auto found = profile.figures.find(figure);
    if (found == profile.figures.end()) return;
    const Figure& of = found->second;
    outline.foot.push_back(words(fmt::format("{}: {} to {}, median {}", what, shown(of.least),
                                             shown(of.bound.most), shown(of.median))));
  };
  auto count = [](double value) { return fmt::format("{:g}", value); };
  range(kCostFigure, "cost",
        [](double value) { return show_dollars({std::llround(value * 1e9)}); });
  range(kCallsFigure, "model calls", count);
  range(kFailuresFigure, "failures", count);
  if (profile.runs < kFewestRuns)
    outline.foot.push_back(
        words(fmt::format("too few runs for a baseline: {} are needed, and {} to judge cost, "
                          "calls, failures and tools",
                          kFewestRuns, kFewestForFigures)));
  outline.foot.push_back(
      "to compare other runs: add -f json -o baseline.json, then run xtrace assess RUN --baseline "
      "baseline.json");
  return outline;
}

}  // namespace xtrace
