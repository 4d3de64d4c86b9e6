#include "link/waste/waste_search.h"

#include <algorithm>
#include <map>
#include <set>

#include "link/activities/own_time.h"
#include "link/graph/queries.h"

namespace xtrace {

WasteSearch::WasteSearch(const WasteSources& sources)
    : from(sources),
      graph(sources.graph),
      steps(sources.graph, sources.payloads),
      claims(sources.graph),
      claimed_(steps.all().size(), false) {
  for (const CarriedResult& one : sources.carried) carried_.try_emplace(one.use.index, &one);
}

const CarriedResult* WasteSearch::carried(ToolUseId use) const {
  auto it = carried_.find(use.index);
  return it == carried_.end() ? nullptr : it->second;
}

Waste& WasteSearch::add_steps(WasteKind kind, double confidence, uint32_t first,
                              const std::vector<uint32_t>& again) {
  Waste waste;
  waste.kind = kind;
  waste.confidence = confidence;
  waste.times = static_cast<int64_t>(again.size());
  const ToolStep& begun = steps[first];
  waste.tool = begun.done->tool;
  waste.target = begun.use().target;
  waste.evidence.push_back({begun.call(), begun.id, "first"});
  for (uint32_t i : again) {
    claimed_[i] = true;
    waste.evidence.push_back({steps[i].call(), steps[i].id, "again"});
  }
  Costs costs;
  costs.waste = found.size();
  costs.calls = wasted_calls(again);
  for (CallId call : costs.calls) claims.claim(call);
  for (uint32_t i : again)
    if (const CarriedResult* result = carried(steps[i].id)) costs.results.push_back(result);
  waste.worked = worked(again, costs.calls);
  costs_.push_back(std::move(costs));
  return found.emplace_back(std::move(waste));
}

void WasteSearch::add_result(Waste waste, const CarriedResult& result) {
  costs_.push_back({found.size(), {}, {&result}});
  found.push_back(std::move(waste));
}

/// Calls that asked for these steps and for nothing else: without them they had not been made.
/// Those that answer a user had been, to say something.
std::vector<CallId> WasteSearch::wasted_calls(const std::vector<uint32_t>& again) const {
  std::map<CallId, size_t> asked;
  for (uint32_t i : again) ++asked[steps[i].call()];
  std::vector<CallId> calls;
  for (const auto& [call, count] : asked)
    if (count == graph.activities().tools_of(call).size() && !answers_a_user(graph, call))
      calls.push_back(call);
  return calls;
}

std::vector<Worked> WasteSearch::worked(const std::vector<uint32_t>& again,
                                        const std::vector<CallId>& calls) const {
  std::vector<Worked> all;
  const auto add = [&](CallId call, Time start, Duration took) {
    if (took != kNoDuration && took >= Duration{0})
      all.push_back({graph.session_of(call).number - 1, start, took});
  };
  for (CallId id : calls) add(id, graph.trace()[id].start, graph.activities().of(id).duration);
  for (uint32_t i : again) {
    const ToolWait wait = wait_for(graph, *steps[i].done);
    add(steps[i].call(), wait.from, wait.took);
  }
  return all;
}

void WasteSearch::reckon() {
  claims.settle();
  for (const Costs& one : costs_) reckon(one);
  for (Waste& one : found)
    if (!one.worked.empty()) one.time = time_of(one.worked);
}

void WasteSearch::reckon(const Costs& costs) {
  Waste& waste = found[costs.waste];
  for (CallId id : costs.calls) {
    const Claims::Left left = claims.left_of(id);
    waste.tokens = sum_of_known({waste.tokens, left.tokens});
    waste.cost = sum_of_known({waste.cost, left.cost});
  }
  for (const CarriedResult* whole : costs.results) {
    const CarriedResult result = claims.left_of(*whole);
    if (result.again < 0) continue;
    int64_t sent = 0;
    if (__builtin_mul_overflow(result.tokens, result.again + 1, &sent)) sent = INT64_MAX;
    waste.tokens = sum_of_known({waste.tokens, sent});
    waste.is_estimated |= result.is_estimated;
    waste.cost = sum_of_known({waste.cost, result.first_cost, result.again_cost});
  }
}

}  // namespace xtrace
