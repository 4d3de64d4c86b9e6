#pragma once

#include <utility>
#include <vector>

#include "link/hops/hops.h"

namespace xtrace {

/// What spans record about the request that a call belongs to, which goes before all that time can
/// tell: the principal on whose behalf it was made, and the trace it was reported in.
class RequestEvidence {
 public:
  RequestEvidence(const Trace& trace, const Hops& hops) : trace_(trace), hops_(hops) {}

  /// Takes note of the calls into an actor, in order of time.
  void index(const std::vector<HopId>& callers);

  /// The first of the calls that were noted which has a trace in common with this one; nowhere:
  /// none has.
  HopId first_kin(HopId call) const;
  bool share_trace(HopId a, HopId b) const;
  /// Do both name a principal, and not the same?
  bool differ_in_principal(HopId a, HopId b) const;

 private:
  uint64_t key(HopId call, SpanId observation) const;
  /// The key of the calls of a trace that one principal, or none, is named for.
  static uint64_t with(ActorId principal, uint64_t of_trace);

  const Trace& trace_;
  const Hops& hops_;
  std::vector<std::pair<uint64_t, HopId>> by_trace_;  ///< of each trace in order of time
  bool any_principal_ = false;  ///< of a caller: then also by trace and principal
};

}  // namespace xtrace
