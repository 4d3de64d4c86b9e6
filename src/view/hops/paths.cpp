#include "view/hops/paths.h"

#include <algorithm>
#include <unordered_set>

#include "base/walk_up.h"

namespace xtrace {

PathId PathTable::join(PathId before, ActorId actor) {
  uint64_t key = uint64_t{before.index} << 32 | actor.index;
  const PathId path(paths_.size());
  auto [known, is_new] = known_.emplace(key, path);
  if (!is_new) return known->second;
  const uint32_t length = before ? paths_[before.index].length + 1 : 1;
  const PathId head = length <= kEnd ? path : paths_[before.index].head;
  paths_.push_back({before, actor, length, head});
  return path;
}

std::vector<ActorId> PathTable::last_actors(PathId path, size_t count) const {
  std::vector<ActorId> actors;
  for (; path && actors.size() < count; path = before(path)) actors.push_back(last_actor(path));
  std::ranges::reverse(actors);
  return actors;
}

std::vector<ActorId> PathTable::actors(PathId path) const {
  return last_actors(path, SIZE_MAX);
}

PathTable::Ends PathTable::ends(PathId path) const {
  const size_t length = path ? paths_[path.index].length : 0;
  if (length <= 2 * kEnd) return {actors(path), {}, 0};
  return {actors(paths_[path.index].head), last_actors(path, kEnd), length - 2 * kEnd};
}

/// A hop's path is that of its cause and the hop's own ends; causes come first, wherever they
/// stand.
Paths::Paths(const Hops& hops) {
  of_.resize(hops.all.size());
  callers_.resize(hops.all.size());
  certainty_.resize(hops.all.size());
  visit_top_down(
      hops.all.size(), [&](size_t i) { return hops.all[i].cause.index; },
      [&](size_t i) {
        const Hop& hop = hops.all[i];
        Certainty& own = certainty_[i];
        PathId path;
        if (hop.cause) {
          callers_[i] = hops[hop.cause].is_call() ? hop.cause : callers_[hop.cause.index];
          own = certainty_[hop.cause.index];
          own.add_link(hop);
          path = of_[hop.cause.index];
        } else if (hops.lacks_cause(hop)) {
          own.confidence = hop.confidence;
          own.is_incomplete = true;
          // Of its principal, the span that is the first of the chain may know.
          if (hop.principal) path = table_.join({}, hop.principal);
          own.is_told = static_cast<bool>(hop.principal);
        }
        of_[i] = extend(hops, path, hop);
      });
  find_others(hops);
}

PathId Paths::extend(const Hops& hops, PathId path, const Hop& hop) {
  // A tool does not delegate: its user calls what is called while it runs.
  if (path && before(path) && last_actor(path) != hop.from &&
      hops[last_actor(path)].type == Actor::Type::resource && last_actor(before(path)) == hop.from)
    path = before(path);
  // Parents that spans name may skip an actor that tags tell of.
  bool goes_on = path && last_actor(path) == hop.from;
  if (hop.from && !goes_on) path = table_.join(path, hop.from);
  return hop.to ? table_.join(path, hop.to) : path;
}

const Paths::Others& Paths::others_of(HopId hop) const {
  static const Others kNone;
  const auto found = others_.find(hop.index);
  return found == others_.end() ? kNone : found->second;
}

/// Hops stand in order of time: a cause that stands behind its effect adds nothing, so that no
/// circle of references is walked.
void Paths::find_others(const Hops& hops) {
  for (size_t i = 0; i < hops.all.size(); ++i) {
    const HopId id(i), main = hops[id].cause;
    Others others;
    if (main && main < id) others.ways = others_of(main).ways;
    std::unordered_set<uint32_t> seen = {of(id).index};
    for (const HopEdge& edge : hops.more_edges_into(id)) {
      const HopId cause = edge.from;
      if (id < cause) continue;
      const uint64_t ways = others_of(cause).ways;
      others.ways = ways > UINT64_MAX - others.ways ? UINT64_MAX : others.ways + ways;
      const PathId path = extend(hops, of(cause), hops[id]);
      if (seen.insert(path.index).second) others.paths.push_back(path);
    }
    if (others.ways > 1) others_.emplace(id.index, std::move(others));
  }
}

}  // namespace xtrace
