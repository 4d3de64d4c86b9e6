#pragma once

#include <map>
#include <vector>

#include "link/causes/assignment.h"
#include "link/hops/hops.h"
#include "link/hops/latest_ends.h"
#include "link/hops/request_evidence.h"

namespace xtrace {

/// The calls into one actor, which may be the causes of those it made: by run, as runs do not mix.
class Callers {
 public:
  static constexpr uint32_t kNobody = UINT32_MAX;

  Callers(const Trace& trace, const Hops& hops) : hops_(&hops), evidence_(trace, hops) {}

  /// `ids` in order of time; what they are is said by `parents`, whose times are microseconds.
  /// Everything must outlive this.
  void index(const std::vector<HopId>& ids, const std::vector<AssignmentProblem::Parent>& parents);

  /// Fills `found` with those that `child` may come from and that were open from `from` until
  /// `until`: of many the ones that began last, ascending.
  void open_during(HopId child, double from, double until, std::vector<uint32_t>& found) const;

  /// The one that began last at `start` or before; kNobody: none did.
  uint32_t last_begun(HopId child, double start) const;

  /// The one that began last before `start`, whoever it is.
  uint32_t last_begun_before(HopId child, double start) const;

  /// Does anybody call the actor in the run of `child`, at any time?
  bool is_called_in_run(HopId child) const { return runs_.contains((*hops_)[child].run); }

  /// How many pairs of a caller and a call were looked at.
  size_t weighed() const { return weighed_; }

 private:
  /// Callers in order of time.
  struct Group {
    std::vector<uint32_t> callers;
    LatestEnds latest_end;
    size_t begun_by(double time, const std::vector<AssignmentProblem::Parent>& parents) const;
  };
  /// Those of one run; and, where any of them names a principal, those of each, or of none.
  struct Run {
    Group all;
    std::map<ActorId, Group> of_principal;
  };

  Group group_of(std::vector<uint32_t> callers) const;
  /// Those that have the principal of `child` or none: in a log of many principals few of all.
  std::vector<const Group*> groups_for(HopId child, const Run& run) const;

  /// A hop that follows in the order of the run is none's cause unless clocks differ; that keeps
  /// two that look alike from causing one another.
  bool may_precede(HopId caller, HopId child) const;

  /// What spans record about whose request a call is may leave out callers that time does not.
  class Eligible {
   public:
    /// For one call, and callers that began at `time` or before.
    Eligible(const Callers& of, HopId child, double time);
    bool operator()(HopId caller) const;

   private:
    const Callers& of_;
    HopId child_;
    bool has_kin_ = false;  ///< callers that have a trace in common with it go before others
  };

  const Hops* hops_ = nullptr;
  RequestEvidence evidence_;
  const std::vector<HopId>* ids_ = nullptr;
  const std::vector<AssignmentProblem::Parent>* parents_ = nullptr;
  std::map<uint32_t, Run> runs_;
  mutable size_t weighed_ = 0;
};

}  // namespace xtrace
