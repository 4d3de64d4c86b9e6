#include "link/activities/same_failure.h"

#include "facts/error_class.h"
#include "link/graph/graph.h"

namespace xtrace {

namespace {

class FailureFinder {
 public:
  FailureFinder(const Graph& graph, Activities& activities)
      : hops_(graph.hops()), activities_(activities), failed_last_(hops_.all.size()) {}

  void find() {
    for (size_t i = 0; i < hops_.all.size(); ++i) note_in_cause(HopId(i));
    for (size_t i = 0; i < hops_.all.size(); ++i)
      if (has_failed(HopId(i)) && has_role(HopId(i))) tell_around(HopId(i));
    for (size_t i = 0; i < hops_.all.size(); ++i) {
      if (!has_failed(HopId(i))) continue;
      if (!has_role(HopId(i))) tell_below(HopId(i));
      pass_error_up(HopId(i));
    }
  }

 private:
  Activity& of(HopId id) { return activities_.all[activities_.of_hop[id.index].index]; }
  bool has_failed(HopId id) { return of(id).outcome == Outcome::error; }
  bool has_role(HopId id) { return of(id).kind != Activity::Kind::other; }

  /// What failed last in a span that failed too is why it did.
  void note_in_cause(HopId id) {
    const HopId cause = hops_[id].cause;
    if (!cause || !has_failed(id) || !has_failed(cause)) return;
    HopId& last = failed_last_[cause.index];
    if (!last || of(last).end() <= of(id).end()) last = id;
  }

  bool is_why_cause_failed(HopId id) const {
    const HopId cause = hops_[id].cause;
    return cause && failed_last_[cause.index] == id;
  }

  /// Spans without a role around one that has one.
  void tell_around(HopId told) {
    for (HopId at = told; is_why_cause_failed(at); at = hops_[at].cause) {
      const HopId around = hops_[at].cause;
      if (has_role(around) || of(around).same_failure) return;
      of(around).same_failure = activities_.of_hop[told.index];
    }
  }

  /// One without a role is the failure of what is around it.
  void tell_below(HopId id) {
    if (is_why_cause_failed(id) && !of(id).same_failure)
      of(id).same_failure = activities_.of_hop[hops_[id].cause.index];
  }

  void pass_error_up(HopId id) {
    if (of(id).error.empty()) return;
    for (HopId at = id; is_why_cause_failed(at); at = hops_[at].cause) {
      Activity& around = of(hops_[at].cause);
      std::string_view telling = telling_error({around.error, of(id).error});
      if (telling == around.error) return;
      around.error = telling;
    }
  }

  const Hops& hops_;
  Activities& activities_;
  std::vector<HopId> failed_last_;  ///< by hop
};

}  // namespace

void find_same_failures(const Graph& graph, Activities& activities) {
  FailureFinder(graph, activities).find();
}

}  // namespace xtrace
