#pragma once

#include <unordered_map>
#include <vector>

#include "view/hops/certainty.h"

namespace xtrace {

using PathId = Id<struct Path>;

/// Chains of actors, each stored as its last actor and the chain before that: chains that begin
/// alike share their beginning, and equal ones are one.
class PathTable {
 public:
  /// The chain that `actor` continues; `before` nowhere: it begins with them.
  PathId join(PathId before, ActorId actor);

  std::vector<ActorId> actors(PathId path) const;
  size_t size() const { return paths_.size(); }
  ActorId last_actor(PathId path) const { return paths_[path.index].actor; }
  PathId before(PathId path) const { return paths_[path.index].before; }

  /// A chain without the middle of a long one, so that all chains of an input can be written down
  /// in a time that grows with their number alone.
  struct Ends {
    std::vector<ActorId> first, last;
    size_t omitted = 0;  ///< actors between the two; 0: `first` is the whole chain
  };
  /// More actors than `2 * kEnd`: the first and the last kEnd of them.
  Ends ends(PathId path) const;
  static constexpr size_t kEnd = 50;

 private:
  struct Path {
    PathId before;
    ActorId actor;
    uint32_t length;  ///< actors
    PathId head;      ///< its first kEnd actors, or all of them
  };
  std::vector<ActorId> last_actors(PathId path, size_t count) const;

  std::vector<Path> paths_;
  std::unordered_map<uint64_t, PathId> known_;
};

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
  std::vector<ActorId> actors(PathId path) const { return table_.actors(path); }
  PathTable::Ends ends(PathId path) const { return table_.ends(path); }
  /// How many different chains there are, counting all that others begin with.
  size_t size() const { return table_.size(); }
  ActorId last_actor(PathId path) const { return table_.last_actor(path); }
  /// The chain without its last actor, which has a smaller id; nowhere: it has no other.
  PathId before(PathId path) const { return table_.before(path); }
  const Certainty& certainty(HopId hop) const { return certainty_[hop.index]; }

  /// What leads to a hop beside its main chain, as it records several causes. Those of the hops in
  /// a chain stand at these, so that 2^40 ways through 40 diamonds are 40 rows.
  struct Others {
    std::vector<PathId> paths;  ///< the main chain of each other cause, continued by the hop
    uint64_t ways = 1;          ///< from the beginnings through hops, in all
  };
  const Others& others_of(HopId hop) const;

 private:
  /// The chain of a hop that comes of `path`.
  PathId extend(const Hops& hops, PathId path, const Hop& hop);
  void find_others(const Hops& hops);

  PathTable table_;
  std::vector<PathId> of_;
  std::vector<HopId> callers_;
  std::vector<Certainty> certainty_;
  std::unordered_map<uint32_t, Others> others_;  ///< by hop
};

}  // namespace xtrace
