#include "input/naming.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>
#include <vector>

#include "facts/trace.h"

namespace xtrace {

namespace {

/// Takes out the calls that are marked.
void remove_calls(Trace& trace, const std::vector<bool>& removed) {
  size_t kept = 0;
  std::vector<CallId> moved(trace.calls.size());
  for (size_t i = 0; i < trace.calls.size(); ++i) {
    if (removed[i]) continue;
    moved[i] = CallId(kept);
    trace.calls[kept++] = trace.calls[i];
  }
  trace.calls.resize(kept);
  for (Call& call : trace.calls)
    if (call.previous) call.previous = moved[call.previous.index];
  // The copy that stays has links of its own.
  std::erase_if(trace.converted_links, [&](const ConvertedLink& link) {
    return removed[link.to.index] || (link.from && removed[link.from.index]);
  });
  for (ConvertedLink& link : trace.converted_links) {
    link.to = moved[link.to.index];
    if (link.from) link.from = moved[link.from.index];
  }
}

}  // namespace

void merge_copies(Trace& trace) {
  std::vector<CallId> order;
  for (size_t i = 0; i < trace.calls.size(); ++i) order.emplace_back(i);
  std::sort(order.begin(), order.end(), [&](CallId a, CallId b) {
    const Call &x = trace[a], &y = trace[b];
    return std::tie(x.id, x.start, x.digest, a) < std::tie(y.id, y.start, y.digest, b);
  });

  std::vector<bool> removed(trace.calls.size());
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
        removed[order[end].index] = any = true;
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
  if (any) remove_calls(trace, removed);
}

}  // namespace xtrace
