#include "link/waste/waste.h"

#include <algorithm>
#include <tuple>

#include "link/waste/waste_search.h"

namespace xtrace {

namespace {

// A finder for each kind. What tells most of a step comes first, as it claims it.
constexpr void (*kStepFinders[])(StepSearch&) = {find_loops, find_failing_retries, find_rereads,
                                                 find_repeated_calls, find_redone_work};
constexpr void (*kFinders[])(WasteSearch&) = {find_unused_results, find_rebuilt_caches,
                                              find_full_contexts, find_unused_tools};
static_assert(std::size(kStepFinders) + std::size(kFinders) == kWasteKinds);

/// Where the parts of a prompt are estimated, they may come to more than was paid for all of it.
void keep_within_paid(const WasteSources& sources, std::vector<Waste>& found) {
  int64_t left = kNoCount;
  for (CallId id : sources.graph.timeline().in_order())
    if (sources.shown.shows(id))
      left = sum_of_known({left, sources.graph.activities().of(id).cost});
  for (Waste& one : found) {
    if (one.cost < 0) continue;
    one.is_estimated |= one.cost > left;
    one.cost = std::min(one.cost, at_least_none(left));
    left -= one.cost;
  }
}

}  // namespace

std::vector<Waste> find_waste(const WasteSources& sources) {
  WasteSearch search(sources);
  search.find_steps(kStepFinders);
  for (const auto find : kFinders) find(search);
  search.reckon();
  const Timeline& timeline = sources.graph.timeline();
  std::stable_sort(search.found.begin(), search.found.end(), [&](const Waste& a, const Waste& b) {
    const auto weight = [](const Waste& one) {
      return std::tuple(one.cost, one.cost < 0 ? one.tokens : 0, one.time);
    };
    if (weight(a) != weight(b)) return weight(a) > weight(b);
    return std::tuple(timeline.rank(a.at()), a.kind) < std::tuple(timeline.rank(b.at()), b.kind);
  });
  keep_within_paid(sources, search.found);
  return std::move(search.found);
}

WasteSum sum_of(std::span<const Waste> found) {
  WasteSum sum;
  std::vector<Worked> worked;
  for (const Waste& one : found) {
    sum.cost = sum_of_known({sum.cost, one.cost});
    sum.is_estimated |= one.is_estimated && one.cost > 0;
    worked.insert(worked.end(), one.worked.begin(), one.worked.end());
  }
  if (!worked.empty()) sum.time = time_of(std::move(worked));
  return sum;
}

}  // namespace xtrace
