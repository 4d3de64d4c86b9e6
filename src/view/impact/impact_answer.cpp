#include "view/impact/impact_answer.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "view/common/words.h"

namespace xtrace {

namespace {

/// What every node of a set could not have happened without, the set itself aside.
std::vector<uint32_t> dominators_of(const CauseGraph& causes, const std::vector<uint32_t>& nodes) {
  const Dominators tree(causes);
  uint32_t common = nodes.front();
  for (uint32_t node : nodes)
    if (common != CauseGraph::kNone) common = tree.common(common, node);
  if (common == CauseGraph::kNone) return {};
  std::vector<uint32_t> chain = tree.chain(common);
  chain.push_back(common);
  const std::set<uint32_t> own(nodes.begin(), nodes.end());
  std::erase_if(chain, [&](uint32_t node) { return own.contains(node); });
  return chain;
}

/// The steps of all sessions that these are part of.
std::vector<uint32_t> steps_of_sessions(const ImpactScene& scene,
                                        const std::vector<uint32_t>& target,
                                        const std::vector<uint32_t>& reached) {
  std::set<uint32_t> sessions;
  for (const std::vector<uint32_t>* nodes : {&target, &reached})
    for (uint32_t node : *nodes) sessions.insert(scene.session(node));
  std::vector<uint32_t> all;
  for (uint32_t i = 0; i < scene.steps().size(); ++i)
    if (sessions.contains(scene.session(i))) all.push_back(i);
  return all;
}

/// ` (Explore#2)`: the subagent that a tool use started; empty: none.
std::string started_by(const Impact& impact) {
  for (uint32_t link : impact.scene->causes().effects_of(impact.target.nodes.front())) {
    const CauseLink& cause = impact.scene->causes()[link];
    const Link* found = impact.step_link(cause).link;
    if (found != nullptr && found->kind == LinkKind::subagent_spawn)
      return fmt::format(" ({})", impact.scene->agent(cause.to).view());
  }
  return {};
}

}  // namespace

Impact find_impact(std::shared_ptr<const ImpactScene> scene, ImpactTarget target) {
  const CauseGraph& causes = scene->causes();
  Impact impact;
  impact.scene = std::move(scene);
  impact.target = std::move(target);
  const std::vector<uint32_t>& from = impact.target.nodes;
  impact.reached = find_reached(causes, from);
  impact.only_through = find_only_through(causes, impact.reached, from);
  impact.dominators = dominators_of(causes, from);
  impact.possible = find_possible(causes, impact.reached, impact.scene->graph_of_steps().rivals);
  impact.all = impact.reached.nodes;
  std::ranges::sort(impact.all);
  for (uint32_t node : impact.all)
    if (impact.only_through[node]) impact.only.push_back(node);
  const ImpactScene& shown = *impact.scene;
  impact.blasts = {blast_of(shown, from), blast_of(shown, impact.all), blast_of(shown, impact.only),
                   blast_of(shown, steps_of_sessions(shown, from, impact.all))};
  return impact;
}

std::string words_of_target(const Impact& impact) {
  const ImpactTarget& target = impact.target;
  const bool is_one = target.nodes.size() == 1;
  const Text name = is_one ? impact.scene->name(target.nodes.front()) : Text();
  std::string type(target.type);
  std::ranges::replace(type, '_', ' ');
  if (target.type == "tool_use" && !name.empty())
    return fmt::format("{} {}{}", name.view(), target.name.view(), started_by(impact));
  // `turn 9` and `agent:main` say what they are.
  if (target.name.view().starts_with(target.type)) return std::string(target.name.view());
  return fmt::format("{} {}", type, target.name.view());
}

}  // namespace xtrace
