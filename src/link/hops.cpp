#include "link/hops.h"

#include "link/span_linkers.h"

namespace xtrace {

Hops find_hops(const Trace& trace, const Linking& linking) {
  Hops hops;
  observe_hops(trace, hops);
  sort_into_runs(trace, hops);
  follow_parents(trace, hops);
  name_services(trace, hops);
  backtrack(trace, linking, hops);
  if (!trace.spans.empty() && !trace.calls.empty())
    hops.complaints.push_back({trace.spans.front().source,
                               "spans beside model calls are not shown; give them alone",
                               Complaint::Kind::field});
  return hops;
}

}  // namespace xtrace
