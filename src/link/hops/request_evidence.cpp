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
  any_principal_ = std::any_of(callers.begin(), callers.end(),
                               [&](HopId id) { return static_cast<bool>(hops_[id].principal); });
  for (HopId id : callers)
    for (SpanId observation : hops_.observations_of(hops_[id])) {
      if (!trace_[observation].trace) continue;
      const uint64_t of_trace = key(id, observation);
      by_trace_.emplace_back(of_trace, id);
      if (any_principal_) by_trace_.emplace_back(with(hops_[id].principal, of_trace), id);
    }
  std::stable_sort(by_trace_.begin(), by_trace_.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
}

HopId RequestEvidence::first_kin(HopId call) const {
  HopId first;
  const auto look_up = [&](uint64_t wanted) {
    auto at = std::lower_bound(by_trace_.begin(), by_trace_.end(), wanted,
                               [](const auto& one, uint64_t of) { return one.first < of; });
    while (at != by_trace_.end() && at->first == wanted && at->second == call) ++at;
    if (at == by_trace_.end() || at->first != wanted) return;
    if (!first || hops_[at->second].start < hops_[first].start) first = at->second;
  };
  const ActorId principal = hops_[call].principal;
  for (SpanId observation : hops_.observations_of(hops_[call])) {
    const uint64_t of_trace = key(call, observation);
    if (!any_principal_ || !principal) {
      look_up(of_trace);
      continue;
    }
    look_up(with(principal, of_trace));
    look_up(with(ActorId{}, of_trace));
  }
  return first;
}

uint64_t RequestEvidence::with(ActorId principal, uint64_t of_trace) {
  return chain(of_trace, principal.index);
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
