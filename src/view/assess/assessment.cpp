#include "view/assess/assessment.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>

#include "base/dollars.h"
#include "view/common/words.h"

namespace xtrace {

namespace {

bool is_any(const std::vector<CardVerdict>& cards, CardVerdict::Verdict verdict) {
  return std::any_of(cards.begin(), cards.end(),
                     [&](const CardVerdict& one) { return one.verdict == verdict; });
}

}  // namespace

std::vector<std::pair<const Run*, RunTraits>> traits_of(const HopScene& scene, const Paths& paths,
                                                        std::optional<int64_t> group_paths) {
  std::vector<std::pair<const Run*, RunTraits>> runs;
  for (const Run& run : scene.hops.runs)
    if (RunTraits traits = traits_of(scene, paths, run, group_paths); !traits.edges.empty())
      runs.emplace_back(&run, std::move(traits));
  return runs;
}

bool AssessLimits::fails_by(std::string_view rule) const {
  return std::find(fail_if.begin(), fail_if.end(), rule) != fail_if.end();
}

Assessment::Assessment(const HopScene& asked, const Standards& by, AssessLimits set)
    : scene(asked), standards(by), limits(std::move(set)), paths(asked.hops) {
  const int64_t most = limits.fail_on == "any" ? 0 : limits.fail_on == "high" ? kWarn : kOk;
  const std::optional<int64_t> groups =
      standards.baseline ? standards.baseline->group_paths : std::nullopt;
  std::optional<RunJudge> judge;
  if (standards.baseline && !learned_too_few()) judge.emplace(*standards.baseline);
  std::set<std::string> hidden, doubtful;
  for (const auto& [run, traits] : traits_of(scene, paths, groups)) {
    AssessedRun& one = runs.emplace_back(AssessedRun{run});
    if (judge) {
      one.is_cost_incomplete = traits.cost_is_partial || !traits.figures.contains(kCostFigure);
      RunDeviations found = judge->judge(traits);
      one.reasons = std::move(found.reasons);
      hidden.insert(found.alike.begin(), found.alike.end());
      hides_alike |= found.hides_alike;
      doubtful.insert(found.unsure.begin(), found.unsure.end());
    }
    // Cards name files, whatever a baseline takes together.
    if (!standards.cards.empty())
      one.cards = align(groups ? traits_of(scene, paths, *run, {}) : traits, standards.cards);
    for (const CardVerdict& card : one.cards)
      doubtful.insert(card.unsure.begin(), card.unsure.end());
    bool overreaches = is_any(one.cards, CardVerdict::Verdict::overreach);
    one.score = score_of(one.reasons);
    one.level = overreaches                                        ? "overreach"
                : judge                                            ? level_of(one.score)
                : standards.baseline                               ? kLevelWords[kInsufficient]
                : is_any(one.cards, CardVerdict::Verdict::unknown) ? "unknown"
                                                                   : "aligned";
    one.fails = overreaches || one.score > most || learned_too_few() ||
                std::any_of(one.reasons.begin(), one.reasons.end(),
                            [&](const Reason& reason) { return limits.fails_by(reason.rule); });
  }
  alike.assign(hidden.begin(), hidden.end());
  unsure.assign(doubtful.begin(), doubtful.end());
}

bool Assessment::fails() const {
  return std::any_of(runs.begin(), runs.end(), [](const AssessedRun& one) { return one.fails; });
}

bool Assessment::learned_too_few() const {
  return standards.baseline && standards.baseline->runs < kFewestRuns;
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

std::string Assessment::without_card() const {
  std::set<std::string> agents;
  for (const AssessedRun& one : runs)
    for (const CardVerdict& card : one.cards)
      if (card.verdict == CardVerdict::Verdict::unknown && card.unsure.empty())
        agents.insert(card.agent);
  Texts names;
  for (const std::string& agent : agents) names.push_back(text(agent));
  return joined(names, ", ");
}

void Assessment::note_on_baseline(std::vector<std::string>& notes) const {
  if (standards.baseline->is_without_figures)
    notes.emplace_back(
        "the baseline has no cost, calls, failures or tools, so these are not judged; learn it "
        "again");
  else if (!standards.baseline->figures.empty() && standards.baseline->runs < kFewestForFigures)
    notes.push_back(
        fmt::format("cost, calls, failures and tools are judged only with at least {} learned runs",
                    kFewestForFigures));
  else if (int64_t incomplete =
               !standards.baseline->figures.contains(kCostFigure)
                   ? 0
                   : std::count_if(runs.begin(), runs.end(),
                                   [](const AssessedRun& one) { return one.is_cost_incomplete; });
           incomplete > 0)
    notes.push_back(fmt::format("the cost of {} is incomplete", plural(incomplete, "run")));
}

Text Assessment::note() const {
  if (learned_too_few())
    return words(
        fmt::format("the baseline has only {}; at least {} are needed: learn from more runs",
                    plural(standards.baseline->runs, "run"), kFewestRuns));
  std::vector<std::string> notes;
  if (standards.baseline) note_on_baseline(notes);
  auto named = [&](const std::vector<std::string>& hidden) {
    Texts names;
    for (const std::string& name : hidden) names.push_back(text(name));
    return joined(names, ", ");
  };
  if (!alike.empty())
    notes.push_back(
        fmt::format("redacted names cannot be distinguished: {}, here and in the baseline, each "
                    "count as one; to distinguish them, learn and assess{} with --keep-personal",
                    named(alike), hides_alike ? " the original logs" : ""));
  if (!unsure.empty())
    notes.push_back(
        fmt::format("the input hides the names {}: they may have been learned or declared, so they "
                    "count neither as known nor as new; to decide, assess the original log",
                    named(unsure)));
  if (notes.empty()) return {};
  return words(fmt::format("{}", fmt::join(notes, "; ")));
}

std::string Assessment::way(const PathName& path) const {
  Texts names;
  for (const std::string& actor : path) names.push_back(text(actor));
  return joined(names, " -> ");
}

std::string Assessment::figure_words(const Reason& reason) const {
  bool is_cost = reason.rule == "cost_exceeded";
  auto shown = [&](double value) {
    return is_cost ? show_dollars({std::llround(value * 1e9)}) : fmt::format("{:g}", value);
  };
  std::string what = is_cost                           ? ""
                     : reason.rule == "calls_exceeded" ? " model calls"
                     : reason.rule == "failures_exceeded"
                         ? " failures"
                         : " uses of " + std::string(text(reason.tool).view());
  return fmt::format("{}{}; {} {} {} to {}", shown(reason.observed), what,
                     plural(reason.figure.runs, "learned run"), is_cost ? "cost" : "had",
                     shown(reason.figure.least), shown(reason.expected.most));
}

std::string Assessment::detail(const Reason& reason) const {
  std::string to(text(reason.edge.to).view()), from(text(reason.edge.from).view());
  if (from.empty()) from = kNotOnRecord;
  std::string usual = fmt::format("learned runs: maximum {:g}", reason.expected.most);
  if (reason.expected.p95 < reason.expected.most)
    usual += fmt::format(", 95th percentile {:g}", reason.expected.p95);
  std::string_view rule = reason.rule;
  // What this run did goes first: "never called" alone reads as if it had not.
  std::string never = fmt::format(
      "never in {}", plural(standards.baseline ? standards.baseline->runs : 0, "learned run"));
  auto observed = [&](std::string_view noun) {
    return plural(std::llround(reason.observed), noun);
  };
  if (rule == "novel_tool")
    return fmt::format("{} was used {}: {}", text(reason.tool).view(), observed("time"), never);
  if (reason.figure.runs > 0) return figure_words(reason);
  if (rule == "novel_edge") return fmt::format("{} called {}: {}", from, to, never);
  if (rule == "novel_resource_access") return fmt::format("{} was accessed: {}", to, never);
  if (rule == "novel_path") return fmt::format("{}: {}", way(reason.path), never);
  if (rule == "retry_storm")
    return fmt::format("{} called {} {}; {}", from, to, observed("time"), usual);
  if (rule == "fanout_exceeded")
    return fmt::format("{} called {}; {}", to, observed("other"), usual);
  return fmt::format("the longest path has {}; {}", observed("hop"), usual);
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
