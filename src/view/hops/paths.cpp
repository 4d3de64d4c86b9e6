#include "view/hops/paths.h"

#include <algorithm>

namespace xtrace {

PathId Paths::join(PathId before, ActorId actor) {
  uint64_t key = uint64_t{before.index} << 32 | actor.index;
  auto [known, is_new] = known_.emplace(key, PathId(paths_.size()));
  if (is_new) paths_.push_back({before, actor});
  return known->second;
}

/// A hop's path is that of its cause and the hop's own ends; causes come first, wherever they
/// stand.
Paths::Paths(const Hops& hops) {
  of_.resize(hops.all.size());
  callers_.resize(hops.all.size());
  certainty_.resize(hops.all.size());
  std::vector<bool> done(hops.all.size());
  std::vector<HopId> way;
  for (size_t i = 0; i < hops.all.size(); ++i) {
    // Where clocks differ a cause may stand behind its effect; chains may be as long as the input.
    for (HopId at(i); at && !done[at.index]; at = hops[at].cause) {
      way.push_back(at);
      done[at.index] = true;
    }
    for (; !way.empty(); way.pop_back()) {
      HopId id = way.back();
      const Hop& hop = hops[id];
      PathId path;
      if (hop.cause) {
        callers_[id.index] = hops[hop.cause].is_call() ? hop.cause : callers_[hop.cause.index];
        certainty_[id.index] = certainty_[hop.cause.index];
        certainty_[id.index].add_link(hop);
        path = of_[hop.cause.index];
      } else if (hops.lacks_cause(hop)) {
        certainty_[id.index].confidence = static_cast<double>(hop.confidence);
        certainty_[id.index].is_incomplete = true;
        // Of its principal, the span that is the first of the chain may know.
        if (hop.principal) path = join({}, hop.principal);
        certainty_[id.index].is_told = static_cast<bool>(hop.principal);
      }
      // A tool does not delegate: what is called while it runs is called by whoever uses it.
      if (path && paths_[path.index].before && paths_[path.index].actor != hop.from &&
          hops[paths_[path.index].actor].type == Actor::Type::resource &&
          paths_[paths_[path.index].before.index].actor == hop.from)
        path = paths_[path.index].before;
      // Parents that spans name may skip an actor that tags tell of.
      bool goes_on = path && paths_[path.index].actor == hop.from;
      if (hop.from && !goes_on) path = join(path, hop.from);
      if (hop.to) path = join(path, hop.to);
      of_[id.index] = path;
    }
  }
}

std::vector<ActorId> Paths::actors(PathId path) const {
  std::vector<ActorId> actors;
  for (; path; path = paths_[path.index].before) actors.push_back(paths_[path.index].actor);
  std::reverse(actors.begin(), actors.end());
  return actors;
}

}  // namespace xtrace
