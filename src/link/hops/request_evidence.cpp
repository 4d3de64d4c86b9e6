#include "link/hops/request_evidence.h"

#include <algorithm>

#include "base/hash.h"
#include "link/hops/span_linkers.h"

namespace xtrace {

uint64_t RequestEvidence::key(HopId call, SpanId observation) const {
  return chain(hops_[call].run, hash_of(without_zeros(trace_[trace_[observation].trace])));
}

void RequestEvidence::index(const std::vector<HopId>& callers) {
  by_trace_.reserve(callers.size());
  for (HopId id : callers)
    for (SpanId observation : hops_.observations_of(hops_[id]))
      if (trace_[observation].trace) by_trace_.emplace_back(key(id, observation), id);
  std::stable_sort(by_trace_.begin(), by_trace_.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
}

HopId RequestEvidence::first_kin(HopId call) const {
  HopId first;
  for (SpanId observation : hops_.observations_of(hops_[call])) {
    uint64_t wanted = key(call, observation);
    auto at = std::lower_bound(by_trace_.begin(), by_trace_.end(), wanted,
                               [](const auto& one, uint64_t of) { return one.first < of; });
    constexpr size_t kMostLooked = 1024;  // of one trace, made for others
    for (size_t looked = 0; at != by_trace_.end() && at->first == wanted; ++at) {
      if (++looked > kMostLooked) break;
      if (at->second == call || differ_in_principal(at->second, call)) continue;
      if (!first || hops_[at->second].start < hops_[first].start) first = at->second;
      break;
    }
  }
  return first;
}

bool RequestEvidence::share_trace(HopId a, HopId b) const {
  std::span<const SpanId> ours = hops_.observations_of(hops_[a]),
                          others = hops_.observations_of(hops_[b]);
  return std::any_of(ours.begin(), ours.end(), [&](SpanId one) {
    std::string_view trace = without_zeros(trace_[trace_[one].trace]);
    return !trace.empty() && std::any_of(others.begin(), others.end(), [&](SpanId other) {
      return without_zeros(trace_[trace_[other].trace]) == trace;
    });
  });
}

bool RequestEvidence::differ_in_principal(HopId a, HopId b) const {
  ActorId one = hops_[a].principal, other = hops_[b].principal;
  return one && other && one != other;
}

}  // namespace xtrace
