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
