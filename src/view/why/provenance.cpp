#include "view/why/provenance.h"

#include <algorithm>
#include <map>
#include <set>
#include <span>
#include <tuple>
#include <unordered_set>

#include "view/hops/run_answers.h"

namespace xtrace {

namespace {

/// The principal whom only a span names: nobody saw how the first agent was called.
void add_delegations(const Paths& paths, HopId access, size_t at, std::vector<Delegation>& found) {
  if (!paths.certainty(access).is_told || at != found.size()) return;
  found.push_back({paths.actors(paths.of(access)).front(), {}});
}

std::vector<Delegation> delegations(const HopScene& scene, const Paths& paths,
                                    std::span<const HopId> accesses) {
  std::vector<Delegation> found;
  std::unordered_set<uint32_t> seen;
  // Chains of one path have the same actors, and often the same calls from some point on.
  for (HopId access : accesses) {
    size_t at = 0;
    for (HopId id = paths.caller_of(access); id && seen.insert(id.index).second;
         id = paths.caller_of(id), ++at) {
      const Hop& hop = scene.hops[id];
      if (!hop.from) break;
      if (at == found.size()) found.push_back({hop.from, hop.kind, hop.start});
      if (hop.start != kNoTime) found[at].first = std::min(found[at].first, hop.start);
    }
    add_delegations(paths, access, at, found);
  }
  return found;
}

CauseGroups causes_of(const HopScene& scene, const Paths& paths, const Meant& target,
                      const Run& run, size_t most) {
  std::map<std::pair<PathId, ActorId>, Cause> by_path;
  std::set<ActorId> accessors;
  for (HopId id : run.hops) {
    const Hop& hop = scene.hops[id];
    if (!scene.selection.shows(id) || !target.is(scene.hops, id)) continue;
    if (hop.from) accessors.insert(hop.from);
    Cause& cause = by_path[{paths.of(id), hop.from}];
    cause.add(scene.hops, id);
    cause.certainty.weaken(paths.certainty(id));
  }
  CauseGroups causes;
  causes.accessors.assign(accessors.begin(), accessors.end());
  for (auto& [key, cause] : by_path) causes.all.push_back(std::move(cause));
  std::ranges::sort(causes.all, {}, [](const Cause& cause) {  // those without a time last
    return std::tuple(cause.first == kNoTime, cause.first, cause.hops.front());
  });
  const size_t listed = std::min(most, causes.all.size());
  causes.omitted = causes.all.size() - listed;
  for (const Cause& cause : std::span(causes.all).subspan(listed))
    causes.accesses_omitted += cause.hops.size();
  causes.all.resize(listed);
  // Chains may be as long as there are hops: those of what is listed alone.
  for (Cause& cause : causes.all) {
    cause.chain = paths.actors(paths.of(cause.hops.front()));
    cause.delegated_by = delegations(scene, paths, cause.hops);
  }
  return causes;
}

ParallelGroups parallel_of(const std::vector<Cause>& causes, Duration window) {
  std::vector<Time> starts;
  starts.reserve(causes.size());
  for (const Cause& cause : causes) starts.push_back(cause.first);
  return parallel_groups(starts, window);
}

}  // namespace

Provenance::Provenance(const HopScene& of, const Paths& paths, const Meant& wanted, const Run& in,
                       Duration window, const std::vector<bool>& shown, size_t most)
    : scene(of),
      target(wanted),
      run(in),
      causes(causes_of(of, paths, wanted, in, most)),
      parallel(parallel_of(causes.all, window)),
      effects(effects_of(of.hops, shown, wanted, in, most)) {}

std::vector<HopId> Provenance::more_causes(const Cause& cause) const {
  std::vector<HopId> more;
  for (HopId id : cause.hops)
    for (const HopEdge& edge : scene.hops.more_edges_into(id)) more.push_back(edge.from);
  std::ranges::sort(more);
  more.erase(std::unique(more.begin(), more.end()), more.end());
  return more;
}

Texts path_of(const Provenance& why, const Cause& cause) {
  Texts names = names_of(why.scene, cause.chain), spans;
  const Hops& hops = why.scene.hops;
  if (!why.target.actor)
    for (HopId id = why.target.hop; id && !hops[id].is_call(); id = hops[id].cause)
      spans.push_back(why.scene.name(id));
  names.insert(names.end(), spans.rbegin(), spans.rend());
  return names;
}

}  // namespace xtrace
