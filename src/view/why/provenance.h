#pragma once

#include "view/hops/paths.h"
#include "view/why/hop_effects.h"
#include "view/why/parallel.h"

namespace xtrace {

/// Somebody on whose word another one acted.
struct Delegation {
  ActorId actor;
  StringId kind;  ///< of the call by which it was done; in Hops::words; nowhere: nobody saw it
  Time first = kNoTime;
};

/// The accesses to a target that came through one chain.
struct Cause : HopGroup {
  std::vector<ActorId> chain;            ///< from the principal to the target
  std::vector<Delegation> delegated_by;  ///< closest first; each with its earliest call
};

/// The causes that an answer lists, and what it only counts.
struct CauseGroups {
  std::vector<Cause> all;          ///< by first access
  std::vector<ActorId> accessors;  ///< of those omitted too, in order of their ids
  size_t omitted = 0;              ///< further ones
  size_t accesses_omitted = 0;     ///< accesses that came through these
};

/// Why a target was accessed in a run. Each access is in one cause.
struct Provenance {
  const HopScene& scene;
  const Meant& target;
  const Run& run;
  CauseGroups causes;
  ParallelGroups parallel;  ///< causes that ran at the same time; groups may overlap
  EffectGroups effects;

  /// Causes that begin less than the window apart ran at the same time (view/why/parallel.h).
  /// `shown`: by hop; of these are the effects. `most`: so many causes and effects are listed.
  Provenance(const HopScene& of, const Paths& paths, const Meant& wanted, const Run& in,
             Duration window, const std::vector<bool>& shown, size_t most);

  /// The first access of a cause; all of them have the same source.
  const Hop& access(const Cause& cause) const { return scene.hops[cause.hops.front()]; }
  /// What the accesses of a cause record beside what led to them (Hops::more_edges_into).
  std::vector<HopId> more_causes(const Cause& cause) const;
};

/// The actors, and behind them the spans inside the last one that lead to a span.
Texts path_of(const Provenance& why, const Cause& cause);

}  // namespace xtrace
