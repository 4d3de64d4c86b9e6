#include "view/assess/judge_run.h"

#include <algorithm>
#include <set>

namespace xtrace {

namespace {

/// All that a run did decides a figure; its first calls are where to begin to look.
std::vector<HopId> first_hops(const RunTraits& run) {
  HopId first;
  for (const auto& [edge, hops] : run.edges)
    if (!first || hops.front() < first) first = hops.front();
  return {first};
}

struct FigureRule {
  std::string_view figure, rule;
  int64_t weight;
  double least_step;  ///< less is no difference: a cent, a call
};
constexpr FigureRule kFigureRules[] = {
    {kCostFigure, "cost_exceeded", 15, 0.01},
    {kCallsFigure, "calls_exceeded", 15, 1},
    {kFailuresFigure, "failures_exceeded", 15, 0.5},
};
constexpr FigureRule kToolRule = {kToolFigure, "tool_calls_exceeded", 15, 1};

void judge_figure(const FigureRule& by, double value, const Figure& learned, std::string tool,
                  const RunTraits& run, std::vector<Reason>& reasons) {
  if (!learned.is_exceeded_by(value, by.least_step)) return;
  int64_t weight =
      value > 3 * std::max(learned.bound.most, by.least_step) ? 2 * by.weight : by.weight;
  reasons.push_back(
      {by.rule, weight, {}, {}, value, learned.bound, first_hops(run), learned, std::move(tool)});
}

void judge_figures(const RunTraits& run, const Profile& baseline, std::vector<Reason>& reasons) {
  if (baseline.figures.empty()) return;  // none were learned
  for (const FigureRule& by : kFigureRules) {
    auto value = run.figures.find(by.figure);
    auto learned = baseline.figures.find(by.figure);
    if (value != run.figures.end() && learned != baseline.figures.end())
      judge_figure(by, value->second, learned->second, {}, run, reasons);
  }
  for (const auto& [tool, count] : run.tools) {
    auto learned = baseline.tools.find(tool);
    if (learned != baseline.tools.end())
      judge_figure(kToolRule, count, learned->second, tool, run, reasons);
    else
      reasons.push_back({"novel_tool", 10, {}, {}, count, {}, first_hops(run), {}, tool});
  }
}

std::vector<Reason> reasons_of(const RunTraits& run, const Profile& baseline) {
  std::vector<Reason> reasons;
  for (const auto& [edge, hops] : run.edges) {
    auto known = baseline.edges.find(edge);
    double calls = static_cast<double>(hops.size());
    if (known == baseline.edges.end())
      reasons.push_back({"novel_edge", 15, edge, {}, -1, {}, hops});
    else if (known->second.calls.is_exceeded_by(calls))
      reasons.push_back({"retry_storm", 15, edge, {}, calls, known->second.calls, hops});
  }
  for (const auto& [resource, hops] : run.resources)
    if (!baseline.resources.contains(resource))
      reasons.push_back({"novel_resource_access", 20, {{}, resource, {}}, {}, -1, {}, hops});
  for (const auto& [path, hops] : run.paths)
    if (!baseline.paths.contains(path))
      reasons.push_back({"novel_path", 10, {}, path, -1, {}, hops});
  if (double depth = static_cast<double>(run.depth); baseline.depth.is_exceeded_by(depth))
    reasons.push_back({"depth_exceeded", 10, {}, {}, depth, baseline.depth, run.deepest});
  for (const auto& [agent, targets] : run.targets) {
    auto known = baseline.fan_out.find(agent);
    double called = static_cast<double>(targets.size());
    if (known == baseline.fan_out.end() || !known->second.is_exceeded_by(called)) continue;
    Reason reason{"fanout_exceeded", 10, {{}, agent, {}}, {}, called, known->second, {}};
    for (const auto& [edge, hops] : run.edges)
      if (edge.from == agent) reason.hops.insert(reason.hops.end(), hops.begin(), hops.end());
    std::sort(reason.hops.begin(), reason.hops.end());
    reasons.push_back(std::move(reason));
  }
  judge_figures(run, baseline, reasons);
  return reasons;
}

}  // namespace

RunDeviations judge(const RunTraits& run, const Profile& baseline) {
  if (run.replaced.empty()) return {reasons_of(run, baseline), {}};
  // A baseline that was learned without redaction has the names themselves.
  const std::set<std::string> learned = names_in(baseline);
  std::map<std::string, std::string> names;
  std::set<std::string> alike;
  for (const auto& [name, shown] : run.replaced) {
    if (learned.contains(name)) continue;
    names.emplace(name, shown);
    if (learned.contains(shown)) alike.insert(shown);
  }
  return {reasons_of(renamed(run, names), baseline), {alike.begin(), alike.end()}};
}

int64_t score_of(const std::vector<Reason>& reasons) {
  int64_t score = 0;
  for (const Reason& reason : reasons) score += reason.weight;
  return std::min<int64_t>(score, 100);
}

std::string_view level_of(int64_t score) {
  return score <= kOk ? "ok" : score <= kWarn ? "warn" : "high";
}

std::vector<CardVerdict> align(const RunTraits& run, const std::vector<AgentCard>& cards) {
  std::vector<CardVerdict> alignments;
  for (const auto& [agent, targets] : run.targets) {
    CardVerdict& alignment = alignments.emplace_back();
    alignment.agent = agent;
    std::string_view label = std::string_view(agent).substr(agent.find(':') + 1);
    auto card = std::find_if(cards.begin(), cards.end(), [&, &agent = agent](const AgentCard& one) {
      return one.agent == agent || one.agent == label;
    });
    if (card == cards.end()) continue;
    alignment.line = card->line;
    for (const auto& [edge, hops] : run.edges)
      if (edge.from == agent && !card->may(edge.to)) alignment.violations.emplace_back(edge, hops);
    alignment.verdict = alignment.violations.empty() ? CardVerdict::Verdict::aligned
                                                     : CardVerdict::Verdict::overreach;
  }
  return alignments;
}

}  // namespace xtrace
