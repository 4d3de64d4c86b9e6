#include "input/naming.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "facts/merge_calls.h"
#include "facts/trace.h"

namespace xtrace {

namespace {

bool are_copies(const Call& a, const Call& b) {
  return a.digest == b.digest && a.start == b.start && a.source.length == b.source.length;
}

/// Behind the first of them, whose place decides. Digests do not: they are other ones in parts that
/// were made with another key.
void put_copies_together(const Trace& trace, std::vector<CallId>& order) {
  auto is_of = [&](CallId a, CallId b) {
    return trace[a].id == trace[b].id && trace[a].start == trace[b].start;
  };
  for (auto begin = order.begin(); begin != order.end();) {
    auto end = std::find_if(begin + 1, order.end(), [&](CallId id) { return !is_of(id, *begin); });
    if (end - begin > 2) {
      std::unordered_map<uint64_t, uint32_t> first;  // by digest
      for (auto at = begin; at != end; ++at) first.try_emplace(trace[*at].digest, at->index);
      std::stable_sort(begin, end, [&](CallId a, CallId b) {
        const Call &x = trace[a], &y = trace[b];
        return std::pair(first[x.digest], x.source.length) <
               std::pair(first[y.digest], y.source.length);
      });
    }
    begin = end;
  }
}

}  // namespace

void merge_copies(Trace& trace) {
  std::vector<CallId> order;
  for (size_t i = 0; i < trace.calls.size(); ++i) order.emplace_back(i);
  std::sort(order.begin(), order.end(), [&](CallId a, CallId b) {
    const Call &x = trace[a], &y = trace[b];
    return std::tie(x.id, x.start, a) < std::tie(y.id, y.start, b);
  });
  put_copies_together(trace, order);

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
      if (are_copies(before, call)) {
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
