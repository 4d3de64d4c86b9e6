#include "view/assess/assessment.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "view/common/words.h"

namespace xtrace {

namespace {

bool is_any(const std::vector<CardVerdict>& cards, CardVerdict::Verdict verdict) {
  return std::any_of(cards.begin(), cards.end(),
                     [&](const CardVerdict& one) { return one.verdict == verdict; });
}

}  // namespace

std::vector<std::pair<const Run*, RunTraits>> traits_of(const HopScene& scene, const Paths& paths) {
  std::vector<std::pair<const Run*, RunTraits>> runs;
  for (const Run& run : scene.hops.runs)
    if (RunTraits traits = traits_of(scene, paths, run); !traits.edges.empty())
      runs.emplace_back(&run, std::move(traits));
  return runs;
}

Assessment::Assessment(const HopScene& asked, const Standards& by, std::string_view fail_on)
    : scene(asked), standards(by), paths(asked.hops) {
  const int64_t most = fail_on == "any" ? 0 : fail_on == "high" ? kWarn : kOk;
  std::set<std::string> hidden;
  for (const auto& [run, traits] : traits_of(scene, paths)) {
    AssessedRun& one = runs.emplace_back(AssessedRun{run});
    if (standards.baseline) {
      RunDeviations found = judge(traits, *standards.baseline);
      one.reasons = std::move(found.reasons);
      hidden.insert(found.alike.begin(), found.alike.end());
    }
    if (!standards.cards.empty()) one.cards = align(traits, standards.cards);
    bool overreaches = is_any(one.cards, CardVerdict::Verdict::overreach);
    one.score = score_of(one.reasons);
    one.level = overreaches                                        ? "overreach"
                : standards.baseline                               ? level_of(one.score)
                : is_any(one.cards, CardVerdict::Verdict::unknown) ? "unknown"
                                                                   : "aligned";
    one.fails = overreaches || one.score > most;
  }
  alike.assign(hidden.begin(), hidden.end());
}

bool Assessment::fails() const {
  return std::any_of(runs.begin(), runs.end(), [](const AssessedRun& one) { return one.fails; });
}

int64_t Assessment::highest_score() const {
  int64_t highest = 0;
  for (const AssessedRun& one : runs) highest = std::max(highest, one.score);
  return highest;
}

std::string_view Assessment::worst_level() const {
  auto rank = [](std::string_view level) {
    return std::find(std::begin(kLevelWords), std::end(kLevelWords), level) -
           std::begin(kLevelWords);
  };
  std::string_view worst = kLevelWords[0];
  for (const AssessedRun& one : runs)
    if (rank(one.level) > rank(worst)) worst = one.level;
  return worst;
}

Text Assessment::note() const {
  if (alike.empty()) return {};
  Texts names;
  for (const std::string& name : alike) names.push_back(text(name));
  return words(fmt::format(
      "redaction hides who is behind {}, here and in the baseline: all who are shown so "
      "count as one; to tell them apart, learn and assess with --keep-personal",
      joined(names, ", ")));
}

std::string Assessment::way(const PathName& path) const {
  Texts names;
  for (const std::string& actor : path) names.push_back(text(actor));
  return joined(names, " -> ");
}

std::string Assessment::detail(const Reason& reason) const {
  std::string to(text(reason.edge.to).view()), from(text(reason.edge.from).view());
  if (from.empty()) from = "unknown";
  std::string usual = fmt::format("learned runs: at most {:g}", reason.expected.most);
  if (reason.expected.p95 < reason.expected.most)
    usual += fmt::format(", 95 of 100 at most {:g}", reason.expected.p95);
  std::string_view rule = reason.rule;
  // What this run did goes first: "never called" alone reads as if it had not.
  std::string never = fmt::format(
      "never in {}", plural(standards.baseline ? standards.baseline->runs : 0, "learned run"));
  if (rule == "novel_edge") return fmt::format("{} called {}: {}", from, to, never);
  if (rule == "novel_resource_access") return fmt::format("{} was reached: {}", to, never);
  if (rule == "novel_path") return fmt::format("{}: {}", way(reason.path), never);
  if (rule == "retry_storm")
    return fmt::format("{} called {} {:g} times; {}", from, to, reason.observed, usual);
  if (rule == "fanout_exceeded")
    return fmt::format("{} called {:g} others; {}", to, reason.observed, usual);
  return fmt::format("the longest path has {:g} hops; {}", reason.observed, usual);
}

std::string Assessment::detail(const EdgeName& violation) const {
  return fmt::format("{} called {}, which its card does not declare", text(violation.from).view(),
                     text(violation.to).view());
}

Text Assessment::expected_at(const Reason& reason) const {
  if (reason.expected.line == 0) return {};
  return words(fmt::format("{}:{}", text(standards.baseline_path).view(), reason.expected.line));
}

Text Assessment::expected_at(const CardVerdict& card) const {
  if (card.line == 0) return {};
  return words(fmt::format("{}:{}", text(standards.cards_path).view(), card.line));
}

}  // namespace xtrace
