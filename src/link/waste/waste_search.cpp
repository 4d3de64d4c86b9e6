#include "link/waste/waste_search.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>

#include "base/parallel.h"
#include "base/union_find.h"
#include "link/activities/own_time.h"
#include "link/graph/queries.h"

namespace xtrace {

namespace {

/// Indices of conversations: those together that share sessions.
std::vector<std::vector<uint32_t>> find_groups(const Graph& graph) {
  const auto session_of = [&](CallId call) { return graph.session_of(call).number - 1; };
  const std::vector<Conversation>& conversations = graph.conversations();
  UnionFind sessions(graph.sessions().size());
  for (const Conversation& one : conversations)
    for (CallId call : one.calls) sessions.join(session_of(one.calls.front()), session_of(call));
  std::map<uint32_t, std::vector<uint32_t>> groups;
  for (uint32_t i = 0; i < conversations.size(); ++i)
    groups[sessions.find(session_of(conversations[i].calls.front()))].push_back(i);
  std::vector<std::vector<uint32_t>> found;
  found.reserve(groups.size());
  for (auto& [session, group] : groups) found.push_back(std::move(group));
  return found;
}

}  // namespace

WasteSearch::WasteSearch(const WasteSources& sources)
    : from(sources),
      graph(sources.graph),
      steps(sources.graph, sources.payloads),
      claims(sources.graph),
      claimed_(steps.all().size(), 0) {
  for (const CarriedResult& one : sources.carried) carried_.try_emplace(one.use.index, &one);
}

const CarriedResult* WasteSearch::carried(ToolUseId use) const {
  auto it = carried_.find(use.index);
  return it == carried_.end() ? nullptr : it->second;
}

void WasteSearch::find_steps(std::span<void (*const)(StepSearch&)> finders) {
  const std::vector<std::vector<uint32_t>> groups = find_groups(graph);
  std::vector<StepSearch> searches;
  searches.reserve(groups.size());
  for (const std::vector<uint32_t>& group : groups) searches.emplace_back(*this, group);
  for_each_on(from.jobs, searches.size(), [&] {
    return [&](size_t i) {
      for (const auto find : finders) find(searches[i]);
    };
  });
  for (StepSearch& search : searches) {
    for (Costs& one : search.costs_) {
      for (CallId call : one.calls) claims.claim(call);
      one.waste += found.size();
      costs_.push_back(std::move(one));
    }
    std::move(search.found.begin(), search.found.end(), std::back_inserter(found));
  }
}

Waste& StepSearch::add_steps(WasteKind kind, double confidence, uint32_t first,
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
    all_.claimed_[i] = 1;
    waste.evidence.push_back({steps[i].call(), steps[i].id, "again"});
  }
  WasteSearch::Costs costs;
  costs.waste = found.size();
  costs.calls = wasted_calls(again);
  for (uint32_t i : again)
    if (const CarriedResult* result = all_.carried(steps[i].id)) costs.results.push_back(result);
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
std::vector<CallId> StepSearch::wasted_calls(const std::vector<uint32_t>& again) const {
  std::map<CallId, size_t> asked;
  for (uint32_t i : again) ++asked[steps[i].call()];
  std::vector<CallId> calls;
  for (const auto& [call, count] : asked)
    if (count == graph.activities().tools_of(call).size() && !answers_a_user(graph, call))
      calls.push_back(call);
  return calls;
}

std::vector<Worked> StepSearch::worked(const std::vector<uint32_t>& again,
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
