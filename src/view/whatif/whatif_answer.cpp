#include "view/whatif/whatif_answer.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

namespace xtrace {

namespace {

using Target = ReplayChange::Target;
/// What a change can remove, as it is named on the command line.
using TargetName = std::pair<Target, std::string>;

/// Each target is replayed twice; what is longest on the critical path is worth most, and the rest
/// is bounded by its time there.
constexpr size_t kMostReplayed = 64;
/// Agents within agents, as everywhere where a chain is followed upwards for each of many steps.
constexpr int kDeepest = 1000;

/// Types of agents that are always started by something else: without the others nothing is left.
std::set<std::string_view> removable_agents(const Replay& replay) {
  std::set<std::string_view> types, first;
  for (const ReplayStep& step : replay.steps)
    if (step.kind == ReplayStep::Kind::agent && step.agent != ReplayStep::kNone)
      (step.within == ReplayStep::kNone ? first : types).insert(replay.agents[step.agent].type);
  for (std::string_view type : first) types.erase(type);
  return types;
}

/// All that a step is a part of: its tool, its model, the agents around it.
std::set<TargetName> targets_of(const Replay& replay, uint32_t at) {
  std::set<TargetName> targets;
  const ReplayStep& own = replay.steps[at];
  if (is_call_of_model(own)) targets.emplace(Target::model, own.model);
  for (int i = 0; i < kDeepest && at != ReplayStep::kNone; ++i) {
    const ReplayStep& step = replay.steps[at];
    if (!step.tool.empty()) targets.emplace(Target::tool, step.tool);
    if (step.kind == ReplayStep::Kind::agent && step.agent != ReplayStep::kNone)
      targets.emplace(Target::agent, replay.agents[step.agent].type);
    at = step.within;
  }
  return targets;
}

/// How long each target is on the paths, by what a step is a part of. Time that any of several may
/// have taken counts once for each target.
template <class TargetsOf>
std::map<TargetName, Duration> lengths_on(const ReplayPaths& paths, TargetsOf of) {
  std::map<TargetName, Duration> sums;
  for (const ReplayPath& path : paths.of_run) {
    auto other = path.or_else.begin();
    for (size_t i = 0; i < path.on_path.size(); ++i) {
      const auto& [step, length] = path.on_path[i];
      std::set<TargetName> targets = of(step);
      for (; other != path.or_else.end() && other->first == i; ++other)
        targets.merge(of(other->second));
      for (const TargetName& target : targets) {
        Duration& sum = sums[target];
        sum = plus(sum, length);
      }
    }
  }
  return sums;
}

std::map<TargetName, Duration> on_path_by_target(const Replay& replay, const ReplayPaths& paths) {
  return lengths_on(paths, [&](uint32_t step) { return targets_of(replay, step); });
}

std::string words_of(const TargetName& target) {
  return fmt::format("{}:{}", word(target.first), target.second);
}

/// The tool or model that is longest on the path by itself, without what is within it.
std::string longest_on(const Replay& replay, const ReplayPaths& paths) {
  const std::map<TargetName, Duration> sums = lengths_on(paths, [&](uint32_t at) {
    const ReplayStep& step = replay.steps[at];
    const Target target = !step.tool.empty() ? Target::tool : Target::model;
    const std::string_view name = target == Target::tool ? step.tool : step.model;
    return name.empty() ? std::set<TargetName>() : std::set{TargetName(target, name)};
  });
  const auto longest =
      std::ranges::max_element(sums, {}, [](const auto& one) { return one.second; });
  return longest == sums.end() ? std::string() : words_of(longest->first);
}

/// All that can be removed, with how many steps each is.
std::map<TargetName, int64_t> count_targets(const Replay& replay) {
  std::map<TargetName, int64_t> counts;
  const std::set<std::string_view> agents = removable_agents(replay);
  for (const ReplayStep& step : replay.steps) {
    // What is below the span of a model or a tool is a part of it.
    const ReplayStep* const outer =
        step.hop && step.within != ReplayStep::kNone ? &replay.steps[step.within] : nullptr;
    if (is_call_of_model(step) && (outer == nullptr || outer->model != step.model))
      ++counts[{Target::model, std::string(step.model)}];
    if (!step.tool.empty() && (outer == nullptr || outer->tool != step.tool))
      ++counts[{Target::tool, std::string(step.tool)}];
    if (step.kind != ReplayStep::Kind::agent || step.agent == ReplayStep::kNone) continue;
    if (const std::string& type = replay.agents[step.agent].type; agents.contains(type))
      ++counts[{Target::agent, type}];
  }
  return counts;
}

/// What each costs with the changes.
std::map<TargetName, ReplayCost> costs_by_target(const WhatIf& what) {
  std::map<TargetName, ReplayCost> sums;
  const std::vector<ReplayCost> costs =
      costs_of(what.billed, what.changes, effects_of(what.replay, what.changes),
               what.question.graph.prices());
  for (size_t i = 0; i < costs.size(); ++i)
    if (what.billed[i].step != ReplayStep::kNone)
      for (const TargetName& target : targets_of(what.replay, what.billed[i].step))
        sums[target].add(costs[i]);
  return sums;
}

void find_targets(WhatIf& what) {
  const std::map<TargetName, Duration> on_path = on_path_by_target(what.replay, what.after.paths);
  const std::map<TargetName, ReplayCost> costs = costs_by_target(what);
  for (const auto& [target, matched] : count_targets(what.replay)) {
    RemovedTarget& removed = what.targets.emplace_back();
    removed.change.target = target.first;
    removed.change.name = target.second;
    removed.matched = matched;
    if (const auto found = on_path.find(target); found != on_path.end())
      removed.on_path = found->second;
    if (const auto found = costs.find(target); found != costs.end()) removed.saved = found->second;
  }
  std::ranges::stable_sort(what.targets, std::greater<>(), &RemovedTarget::on_path);
  for (size_t i = 0; i < what.targets.size(); ++i) {
    RemovedTarget& removed = what.targets[i];
    // What is not on the critical path saves no time; with changes, another path may be it.
    if (i >= kMostReplayed || (removed.on_path == Duration{0} && what.changes.empty())) {
      removed.upper = removed.on_path;
      continue;
    }
    std::vector<ReplayChange> changes = what.changes;
    changes.push_back(removed.change);
    const ReplayResult result = replay_with(what, changes);
    removed.lower = std::max(Duration{0}, what.after.lower - result.upper);
    removed.upper = std::max(removed.lower, what.after.upper - result.lower);
    removed.then = longest_on(what.replay, result.paths);
  }
  std::ranges::stable_sort(what.targets, [](const RemovedTarget& a, const RemovedTarget& b) {
    return std::pair(a.upper, a.saved.upper) > std::pair(b.upper, b.saved.upper);
  });
}

}  // namespace

Text WhatIf::id(const ReplayNode& node) const {
  if (node.call) return names.id(node.call);
  return question.door.name_once(hops->name_of(question.graph.trace(), node.hop));
}

Text WhatIf::at(const ReplayNode& node) const {
  return node.call ? names.at(node.call) : names.at((*hops)[node.hop].at);
}

Text WhatIf::agent(const ReplayNode& node) const {
  const uint32_t agent = node.step == ReplayStep::kNone ? node.step : replay.steps[node.step].agent;
  return agent == ReplayStep::kNone ? Text() : names.text(replay.agents[agent].name);
}

ReplayResult replay_with(const WhatIf& what, const std::vector<ReplayChange>& changes) {
  const ReplayEffects effects = effects_of(what.replay, changes);
  const std::vector<Time> upper = play(what.replay, effects, ReplayBound::upper);
  ReplayResult result;
  result.upper = wall_time(what.replay, upper);
  // Only a change separates what nobody knows.
  result.lower = changes.empty()
                     ? result.upper
                     : wall_time(what.replay, play(what.replay, effects, ReplayBound::lower));
  result.paths = find_paths(what.replay, effects, upper);
  for (const ReplayPath& path : result.paths.of_run) {
    for (size_t i = 0; i < path.times.size(); ++i)
      result.parts[i] = plus(result.parts[i], path.times[i]);
  }
  result.cost = cost_of(what.billed, changes, effects, what.question.graph.prices());
  result.cost.add(what.unplaced);
  return result;
}

void find_answers(WhatIf& what) {
  what.before = replay_with(what, {});
  what.after = what.changes.empty() ? what.before : replay_with(what, what.changes);
  find_targets(what);
}

std::string target_words(const ReplayChange& change) {
  return change.target == Target::none ? change.name : words_of({change.target, change.name});
}

}  // namespace xtrace
