#pragma once

#include <unordered_map>
#include <vector>

#include "view/hops/certainty.h"

namespace xtrace {

using PathId = Id<struct Path>;

/// The chains of delegation of all hops: who acted for whom, from the first known actor to a hop's
/// target. Equal chains are one, so that hops are grouped by theirs without comparing chains.
class Paths {
 public:
  explicit Paths(const Hops& hops);

  /// Of a hop that is work inside an actor: the chain of the hop around it.
  PathId of(HopId hop) const { return of_[hop.index]; }
  /// The call that led to a hop: its cause, passing over work inside actors; nowhere: none is
  /// known.
  HopId caller_of(HopId hop) const { return callers_[hop.index]; }
  std::vector<ActorId> actors(PathId path) const;
  /// How many different chains there are, counting all that others begin with.
  size_t size() const { return paths_.size(); }
  ActorId last_actor(PathId path) const { return paths_[path.index].actor; }
  /// The chain without its last actor, which has a smaller id; nowhere: it has no other.
  PathId before(PathId path) const { return paths_[path.index].before; }
  const Certainty& certainty(HopId hop) const { return certainty_[hop.index]; }

 private:
  struct Path {
    PathId before;
    ActorId actor;
  };
  PathId join(PathId before, ActorId actor);

  std::vector<Path> paths_;
  std::unordered_map<uint64_t, PathId> known_;
  std::vector<PathId> of_;
  std::vector<HopId> callers_;
  std::vector<Certainty> certainty_;
};

}  // namespace xtrace
