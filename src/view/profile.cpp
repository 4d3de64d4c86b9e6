#include "view/profile.h"

#include <algorithm>
#include <cmath>

namespace xtrace {

RunTraits traits_of(const HopScene& scene, const Paths& paths, const Run& run) {
  RunTraits traits;
  auto name = [&](ActorId actor) { return std::string(scene.actor(actor).view()); };
  for (HopId id : run.hops) {
    const Hop& hop = scene.hops[id];
    if (!scene.selection.shows(id) || !hop.is_call()) continue;
    std::string to = name(hop.to), from = hop.from ? name(hop.from) : std::string();
    traits.edges[{from, to, std::string(scene.kind(hop.kind).view())}].push_back(id);
    if (scene.hops[hop.to].type == Actor::Type::resource) traits.resources[to].push_back(id);
    if (hop.from && scene.hops[hop.from].type == Actor::Type::agent)
      traits.targets[from].insert(to);
    PathName path;
    for (ActorId actor : paths.actors(paths.of(id))) path.push_back(name(actor));
    size_t depth = path.empty() ? 0 : path.size() - 1;
    if (depth > traits.depth) traits.deepest.clear();
    traits.depth = std::max(traits.depth, depth);
    if (depth == traits.depth) traits.deepest.push_back(id);
    traits.paths[std::move(path)].push_back(id);
  }
  return traits;
}

Profile learn(const std::vector<RunTraits>& runs) {
  Profile profile;
  profile.runs = static_cast<int64_t>(runs.size());
  std::vector<double> depths;
  std::map<EdgeName, std::vector<double>> calls;
  std::map<std::string, std::vector<double>> fan_outs;
  for (const RunTraits& run : runs) {
    depths.push_back(static_cast<double>(run.depth));
    for (const auto& [edge, hops] : run.edges)
      calls[edge].push_back(static_cast<double>(hops.size()));
    for (const auto& [agent, targets] : run.targets)
      fan_outs[agent].push_back(static_cast<double>(targets.size()));
    for (const auto& [resource, hops] : run.resources) ++profile.resources[resource];
    for (const auto& [path, hops] : run.paths) ++profile.paths[path];
  }
  profile.depth_p95 = percentile(depths, 0.95);
  for (const auto& [edge, counts] : calls)
    profile.edges[edge] = {static_cast<int64_t>(counts.size()), percentile(counts, 0.95)};
  for (const auto& [agent, counts] : fan_outs)
    profile.fan_out_p95[agent] = percentile(counts, 0.95);
  return profile;
}

double percentile(std::vector<double> values, double share) {
  if (values.empty()) return 0;
  std::sort(values.begin(), values.end());
  double place = share * static_cast<double>(values.size() - 1);
  size_t below = static_cast<size_t>(place);
  double rest = place - std::floor(place);
  if (below + 1 == values.size()) return values[below];
  return values[below] + rest * (values[below + 1] - values[below]);
}

bool AgentCard::may(std::string_view actor) const {
  auto declares = [&](std::string_view name) { return may_use.contains(std::string(name)); };
  // `resource:tool:Read` may be called so, `tool:Read` or `Read`.
  for (;;) {
    if (declares(actor)) return true;
    size_t colon = actor.find(':');
    if (colon == std::string_view::npos) return false;
    actor.remove_prefix(colon + 1);
  }
}

}  // namespace xtrace
