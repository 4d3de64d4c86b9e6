#include "view/judge_run.h"

#include <algorithm>

namespace xtrace {

std::vector<Reason> judge(const RunTraits& run, const Profile& baseline) {
  std::vector<Reason> reasons;
  for (const auto& [edge, hops] : run.edges) {
    auto known = baseline.edges.find(edge);
    double calls = static_cast<double>(hops.size());
    if (known == baseline.edges.end())
      reasons.push_back({"novel_edge", 15, edge, {}, -1, -1, hops});
    else if (calls > known->second.calls_p95)
      reasons.push_back({"retry_storm", 15, edge, {}, calls, known->second.calls_p95, hops});
  }
  for (const auto& [resource, hops] : run.resources)
    if (!baseline.resources.contains(resource))
      reasons.push_back({"novel_resource_access", 20, {{}, resource, {}}, {}, -1, -1, hops});
  for (const auto& [path, hops] : run.paths)
    if (!baseline.paths.contains(path))
      reasons.push_back({"novel_path", 10, {}, path, -1, -1, hops});
  if (static_cast<double>(run.depth) > baseline.depth_p95)
    reasons.push_back({"depth_exceeded",
                       10,
                       {},
                       {},
                       static_cast<double>(run.depth),
                       baseline.depth_p95,
                       run.deepest});
  for (const auto& [agent, targets] : run.targets) {
    auto known = baseline.fan_out_p95.find(agent);
    double called = static_cast<double>(targets.size());
    if (known == baseline.fan_out_p95.end() || called <= known->second) continue;
    Reason reason{"fanout_exceeded", 10, {{}, agent, {}}, {}, called, known->second, {}};
    for (const auto& [edge, hops] : run.edges)
      if (edge.from == agent) reason.hops.insert(reason.hops.end(), hops.begin(), hops.end());
    reasons.push_back(std::move(reason));
  }
  return reasons;
}

int64_t score_of(const std::vector<Reason>& reasons) {
  int64_t score = 0;
  for (const Reason& reason : reasons) score += reason.weight;
  return std::min<int64_t>(score, 100);
}

std::string_view level_of(int64_t score) {
  return score <= kOk ? "ok" : score <= 60 ? "warn" : "high";
}

std::vector<CardVerdict> align(const RunTraits& run, const std::vector<AgentCard>& cards) {
  std::vector<CardVerdict> alignments;
  for (const auto& [agent, targets] : run.targets) {
    CardVerdict& alignment = alignments.emplace_back();
    alignment.agent = agent;
    std::string_view label = std::string_view(agent).substr(agent.find(':') + 1);
    auto card = std::find_if(cards.begin(), cards.end(), [&](const AgentCard& one) {
      return one.agent == agent || one.agent == label;
    });
    if (card == cards.end()) continue;
    for (const auto& [edge, hops] : run.edges)
      if (edge.from == agent && !card->may(edge.to)) alignment.violations.emplace_back(edge, hops);
    alignment.verdict = alignment.violations.empty() ? CardVerdict::Verdict::aligned
                                                     : CardVerdict::Verdict::overreach;
  }
  return alignments;
}

}  // namespace xtrace
