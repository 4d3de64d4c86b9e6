#include "view/assess/profile.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/hidden_marker.h"
#include "view/assess/group_paths.h"

namespace xtrace {

RunTraits traits_of(const HopScene& scene, const Paths& paths, const Run& run,
                    std::optional<int64_t> group_paths) {
  constexpr std::string_view kFile = "resource:file:";
  RunTraits traits;
  std::string_view source;  // of the hop at hand
  auto name = [&](ActorId actor) {
    std::string actor_name(scene.hops[actor].id);
    Text shown_name = scene.actor(actor);
    if (group_paths && actor_name.starts_with(kFile)) {
      actor_name = fmt::format(
          "{}{}", kFile,
          group_path(std::string_view(actor_name).substr(kFile.size()), source, *group_paths));
      shown_name = scene.once(actor_name);
    }
    if (std::string_view shown = shown_name.view(); shown.find(kHiddenMarker) != shown.npos)
      traits.replaced.emplace(actor_name, without_numbers(shown));
    return actor_name;
  };
  for (HopId id : run.hops) {
    const Hop& hop = scene.hops[id];
    if (!scene.selection.shows(id) || !hop.is_call()) continue;
    source = scene.question.graph.trace().sources[hop.at.file].path;
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
  add_figures(scene, run, traits);
  return traits;
}

RunTraits renamed(const RunTraits& run, const std::map<std::string, std::string>& names) {
  if (names.empty()) return run;
  auto other = [&](const std::string& name) {
    auto found = names.find(name);
    return found == names.end() ? name : found->second;
  };
  auto join = [](std::vector<HopId>& all, const std::vector<HopId>& more) {
    all.insert(all.end(), more.begin(), more.end());
    std::sort(all.begin(), all.end());
  };
  RunTraits traits;
  traits.deepest = run.deepest;
  traits.depth = run.depth;
  traits.figures = run.figures;
  traits.tools = run.tools;
  traits.first_uses = run.first_uses;
  traits.cost_is_partial = run.cost_is_partial;
  for (const auto& [edge, hops] : run.edges)
    join(traits.edges[{other(edge.from), other(edge.to), edge.kind}], hops);
  for (const auto& [resource, hops] : run.resources) join(traits.resources[other(resource)], hops);
  for (const auto& [path, hops] : run.paths) {
    PathName actors;
    for (const std::string& actor : path) actors.push_back(other(actor));
    join(traits.paths[std::move(actors)], hops);
  }
  // How many an agent called does not change with their names.
  for (const auto& [agent, called] : run.targets)
    if (std::set<std::string>& most = traits.targets[other(agent)]; called.size() > most.size())
      most = called;
  return traits;
}

namespace {

Bound bound_of(const std::vector<double>& counts) {
  return {percentile(counts, 0.95),
          counts.empty() ? 0 : *std::max_element(counts.begin(), counts.end()), 0};
}

}  // namespace

Figure figure_of(const std::vector<double>& values) {
  Figure figure;
  figure.runs = static_cast<int64_t>(values.size());
  figure.used = std::count_if(values.begin(), values.end(), [](double value) { return value > 0; });
  if (values.empty()) return figure;
  figure.least = *std::min_element(values.begin(), values.end());
  figure.median = percentile(values, 0.5);
  std::vector<double> apart;
  apart.reserve(values.size());
  for (double value : values) apart.push_back(std::abs(value - figure.median));
  figure.deviation = percentile(apart, 0.5);
  figure.bound = bound_of(values);
  return figure;
}

Profile learn(const std::vector<RunTraits>& runs) {
  Profile profile;
  profile.runs = static_cast<int64_t>(runs.size());
  std::vector<double> depths;
  std::map<EdgeName, std::vector<double>> calls;
  std::map<std::string, std::vector<double>> fan_outs;
  std::map<std::string, std::vector<double>> figures, tools;
  for (const RunTraits& raw : runs) {
    for (const auto& [figure, value] : raw.figures)
      if (figure != kCostFigure || !raw.cost_is_partial) figures[figure].push_back(value);
    for (const auto& [tool, count] : raw.tools) tools[tool].push_back(count);
    RunTraits other;  // paths may be as long as the run, each with a name for every hop
    if (!raw.replaced.empty()) other = renamed(raw, raw.replaced);
    const RunTraits& run = raw.replaced.empty() ? raw : other;
    depths.push_back(static_cast<double>(run.depth));
    for (const auto& [edge, hops] : run.edges)
      calls[edge].push_back(static_cast<double>(hops.size()));
    for (const auto& [agent, targets] : run.targets)
      fan_outs[agent].push_back(static_cast<double>(targets.size()));
    for (const auto& [resource, hops] : run.resources) ++profile.resources[resource];
    for (const auto& [path, hops] : run.paths) ++profile.paths[path];
  }
  for (const auto& [figure, values] : figures) profile.figures[figure] = figure_of(values);
  for (auto& [tool, counts] : tools) {
    counts.resize(runs.size());  // the others did not use it
    profile.tools[tool] = figure_of(counts);
  }
  profile.depth = bound_of(depths);
  for (const auto& [edge, counts] : calls)
    profile.edges[edge] = {static_cast<int64_t>(counts.size()), bound_of(counts)};
  for (const auto& [agent, counts] : fan_outs) profile.fan_out[agent] = bound_of(counts);
  return profile;
}

std::set<std::string> names_in(const Profile& profile) {
  std::set<std::string> names;
  for (const auto& [edge, of] : profile.edges) names.insert({edge.from, edge.to});
  for (const auto& [path, runs] : profile.paths) names.insert(path.begin(), path.end());
  return names;
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

}  // namespace xtrace
