#include "input/naming.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>
#include <vector>

#include "facts/merge_calls.h"
#include "facts/trace.h"

namespace xtrace {

void merge_copies(Trace& trace) {
  std::vector<CallId> order;
  for (size_t i = 0; i < trace.calls.size(); ++i) order.emplace_back(i);
  std::sort(order.begin(), order.end(), [&](CallId a, CallId b) {
    const Call &x = trace[a], &y = trace[b];
    return std::tie(x.id, x.start, x.digest, a) < std::tie(y.id, y.start, y.digest, b);
  });

  std::vector<CallId> stands_for;
  for (size_t i = 0; i < trace.calls.size(); ++i) stands_for.emplace_back(i);
  bool any = false;
  std::vector<std::pair<CallId, uint32_t>> named;  // renamed last: equal ids must stay side by side
  for (size_t begin = 0, end; begin < order.size(); begin = end) {
    StringId id = trace[order[begin]].id;
    uint32_t nth = 1;
    for (end = begin + 1; end < order.size() && trace[order[end]].id == id; ++end) {
      const Call& before = trace[order[end - 1]];
      Call& call = trace.calls[order[end].index];
      bool copy = before.digest == call.digest && before.start == call.start &&
                  before.source.length == call.source.length;
      if (copy) {
        // The one that stays has links of its own.
        stands_for[order[end].index] = stands_for[order[end - 1].index];
        any = true;
        ++trace.sources[call.source.file].copies;
      } else {
        ++nth;
      }
      named.push_back({order[end], nth});
    }
  }
  for (auto [call, nth] : named)
    if (nth > 1)
      trace.calls[call.index].id =
          trace.strings.intern(fmt::format("{}~{}", trace[trace[call].id], nth));
  if (any) merge_calls(trace, stands_for);
}

}  // namespace xtrace
