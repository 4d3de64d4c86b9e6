#pragma once

#include <set>
#include <string>
#include <vector>

#include "redact/clearance.h"
#include "view/calls/call_sum.h"
#include "view/query/parallel_steps.h"
#include "view/query/query_steps.h"
#include "view/query/visited.h"

namespace xtrace {

/// Sums over the steps that count; -1 or unknown if no step records them.
struct TraceTotals {
  Moment started;
  Duration latency = kNoDuration;
  Duration wall = kNoDuration;  ///< from the first start to the last end
  CallSum sum;                  ///< of model calls, each once; its usage is counted in steps
  int64_t failed = 0, retried = 0, repeated = 0;
};

/// Everything that is on record of one query, before limits.
struct QueryTrace {
  const Query& query;
  std::vector<Step> steps;  ///< in order
  OrderedBy ordered_by = OrderedBy::time;
  Visited visited;  ///< the subgraph
  std::vector<EvidenceRef> citations;
  std::vector<std::string> modes, graph_versions, snapshots;  ///< as the steps name them
  int64_t texts_untold = 0;  ///< said by records of the query as a whole
  Omitted omitted;           ///< by stored traces of it
  TraceTotals totals;
  std::vector<ParallelSteps> parallel;

  QueryTrace(const Question& question, const Query& of);

  /// Where it says what the answer rests on: in its citations, Step::kNone; where it cites nothing,
  /// in the last step that names evidence.
  size_t resting_step() const;
  /// The ids of that.
  std::set<std::string> cited() const;
};

}  // namespace xtrace
