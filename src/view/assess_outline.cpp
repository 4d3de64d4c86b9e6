#include <fmt/format.h>

#include "view/assessment.h"
#include "view/words.h"

namespace xtrace {

namespace {

/// One run after the other: what weighs, and what no card declares.
class Lines {
 public:
  Lines(const Assessment& assessment, Outline& outline) : of_(assessment), outline_(outline) {}

  void add(const AssessedRun& one) {
    bool is_scored = of_.standards.baseline || of_.is_cold();
    outline_.lines.push_back(
        {0,
         one.fails ? Tone::error : Tone::heading,
         {is_scored ? of_.words(fmt::format("{}", one.score)) : Text(), Door::own(one.level),
          of_.words(fmt::format("run {}", of_.scene.names.text(one.run->id).view()))}});
    for (const Reason& reason : one.reasons)
      add(Tone::plain, fmt::format("+{}", reason.weight), Door::own(reason.rule),
          reason.path.empty() ? of_.detail(reason) : of_.way(reason.path), reason.hops);
    for (const CardVerdict& card : one.cards) {
      if (card.verdict == CardVerdict::Verdict::unknown)
        add(Tone::quiet, {}, "unknown", fmt::format("{} has no card", of_.text(card.agent).view()),
            {});
      for (const auto& [edge, hops] : card.violations)
        add(Tone::error, {}, "overreach", of_.detail(edge), hops);
    }
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
                     against.empty() ? "" : "; held against ", against);
}

}  // namespace

Outline outline_of(const Assessment& assessment) {
  Outline outline;
  outline.columns = {
      {"score", true}, {"rule", false}, {"what", false, true}, {"at", true, false, 1, true}};
  Lines lines(assessment, outline);
  for (const AssessedRun& one : assessment.runs) lines.add(one);
  outline.foot.push_back(assessment.words(summary(assessment)));
  if (Text note = assessment.note(); !note.empty()) outline.foot.push_back(note);
  return outline;
}

}  // namespace xtrace
