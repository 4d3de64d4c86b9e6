#include "link/waste/waste_search.h"

#include <algorithm>
#include <map>
#include <set>

#include "link/activities/permission.h"
#include "link/graph/queries.h"

namespace xtrace {

WasteSearch::WasteSearch(const WasteSources& sources)
    : from(sources),
      graph(sources.graph),
      steps(sources.graph, sources.payloads),
      claimed_(steps.all().size(), false) {
  for (const CarriedResult& one : sources.carried) carried_.try_emplace(one.use.index, &one);
  for (const CacheRebuild& one : sources.rebuilds)
    rebuilt_.try_emplace(one.call.index, std::max<int64_t>(one.cost, 0));
}

const CarriedResult* WasteSearch::carried(ToolUseId use) const {
  auto it = carried_.find(use.index);
  return it == carried_.end() ? nullptr : it->second;
}

void WasteSearch::add_carried(const CarriedResult& result, Waste& waste) {
  int64_t sent = 0;
  if (__builtin_mul_overflow(result.tokens, result.again + 1, &sent)) sent = INT64_MAX;
  waste.tokens = sum_of_known({waste.tokens, sent});
  waste.is_estimated |= result.is_estimated;
  waste.cost = sum_of_known({waste.cost, result.first_cost, result.again_cost});
}

Waste& WasteSearch::add_steps(WasteKind kind, double confidence, uint32_t first,
                              const std::vector<uint32_t>& again) {
  Waste waste;
  waste.kind = kind;
  waste.confidence = confidence;
  waste.times = static_cast<int64_t>(again.size());
  const ToolStep& begun = steps[first];
  waste.tool = begun.done->tool;
  waste.target = begun.use->target;
  waste.evidence.push_back({begun.call, begun.id, "first"});
  for (uint32_t i : again) {
    claimed_[i] = true;
    waste.evidence.push_back({steps[i].call, steps[i].id, "again"});
  }
  price(again, waste);
  return found.emplace_back(std::move(waste));
}

/// Calls that asked for these steps and for nothing else: without them they had not been made.
/// Those that answer a user had been, to say something.
std::vector<CallId> WasteSearch::calls_in_vain(const std::vector<uint32_t>& again) const {
  std::map<CallId, size_t> asked;
  for (uint32_t i : again) ++asked[steps[i].call];
  std::vector<CallId> calls;
  for (const auto& [call, count] : asked)
    if (count == graph.activities().tools_of(call).size() && !answers_a_user(graph, call))
      calls.push_back(call);
  return calls;
}

void WasteSearch::price(const std::vector<uint32_t>& again, Waste& waste) const {
  const std::vector<CallId> calls = calls_in_vain(again);
  auto add_time = [&](Duration took) {
    if (took == kNoDuration || took < Duration{0}) return;
    waste.time = waste.time == kNoDuration ? took : plus(waste.time, took);
  };
  for (CallId id : calls) {
    const Activity& call = graph.activities().of(id);
    waste.tokens = sum_of_known({waste.tokens, total_of(call.tokens)});
    add_time(call.duration);
    if (call.cost < 0) continue;
    auto rebuilt = rebuilt_.find(id.index);  // told as such
    const int64_t cost = call.cost - (rebuilt == rebuilt_.end() ? 0 : rebuilt->second);
    waste.cost = sum_of_known({waste.cost, std::max<int64_t>(cost, 0)});
  }
  std::map<uint32_t, std::vector<uint32_t>> ranks;  // of these calls, by conversation
  for (CallId id : calls)
    ranks[graph.conversation_of(id).number].push_back(graph.timeline().rank(id));
  for (auto& [number, of] : ranks) std::sort(of.begin(), of.end());
  std::set<CallId> counted;
  for (uint32_t i : again) {
    const ToolStep& step = steps[i];
    if (counted.insert(step.call).second || step.done->duration > Duration{0})
      add_time(wait_for(graph, *step.done));
    const CarriedResult* result = carried(step.id);
    if (result == nullptr) continue;
    CarriedResult rest = *result;
    // Of calls that count as a whole, what they sent is in that.
    const std::vector<uint32_t>& in_vain = ranks[graph.conversation_of(rest.reader).number];
    const auto later = std::max<std::ptrdiff_t>(
        std::upper_bound(in_vain.begin(), in_vain.end(), graph.timeline().rank(rest.last)) -
            std::upper_bound(in_vain.begin(), in_vain.end(), graph.timeline().rank(rest.reader)),
        0);
    const bool is_read_in_vain = std::binary_search(calls.begin(), calls.end(), rest.reader);
    if (later > 0 && rest.again > 0) {
      const int64_t kept = std::max<int64_t>(rest.again - later, 0);
      if (rest.again_cost > 0)
        rest.again_cost =
            static_cast<int64_t>(static_cast<double>(rest.again_cost) *
                                 (static_cast<double>(kept) / static_cast<double>(rest.again)));
      rest.again = kept;
      rest.is_estimated = true;
    }
    if (is_read_in_vain) {
      rest.first_cost = std::min<int64_t>(rest.first_cost, 0);
      --rest.again;
    }
    if (rest.again >= 0) add_carried(rest, waste);
  }
}

}  // namespace xtrace
