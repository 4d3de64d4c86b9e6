#include "link/activities/distinct_spans.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "link/activities/same_use.h"
#include "link/graph/graph.h"

namespace xtrace {

std::vector<SpanId> uncovered_spans(const Graph& graph) {
  std::vector<SpanId> spans;
  for (size_t i = 0; i < graph.trace().spans.size(); ++i)
    if (SpanId id(i); !graph.partners().covers_run[graph.hops()[graph.activities().of(id).hop].run])
      spans.push_back(id);
  return spans;
}

DistinctSpans distinct_spans(const Graph& graph, std::span<const SpanId> spans,
                             std::span<const CallId> calls) {
  const Trace& trace = graph.trace();
  const Activities& activities = graph.activities();
  const std::set<SpanId> chosen(spans.begin(), spans.end());
  std::set<CallId> asked;
  // A subagent that only a report records made no call that is on record.
  for (CallId call : calls)
    if (activities.of(call).is_recorded()) asked.insert(call);
  auto is_chosen = [&](ActivityId id) {
    if (!id) return false;
    const Activity& other = activities[id];
    return other.call ? asked.contains(other.call) : chosen.contains(graph.hops()[other.hop].span);
  };
  std::vector<SpanId> in_order(spans.begin(), spans.end());
  std::ranges::stable_sort(in_order, {}, [&](SpanId id) { return trace[id].start; });

  DistinctSpans found;
  std::map<std::tuple<StringId, StringId, GenAi::Role>, SameUse> seen;
  std::set<const Activity*> told;
  for (SpanId id : in_order) {
    const Span& span = trace[id];
    if (!span.gen_ai) continue;
    const GenAi& gen_ai = trace[span.gen_ai];
    const Activity& done = activities.of(id);
    const bool is_tool = gen_ai.role == GenAi::Role::tool;
    // Of a hop that both sides observed, the one that represents it.
    const bool stands = graph.hops()[done.hop].span == id && !is_chosen(done.same_as);
    // What looks like a call and is the sum of several is none (link/ledger).
    if (!is_tool && done.kind != Activity::Kind::model_call) continue;
    if (is_tool ? is_chosen(done.same_as) : !stands) continue;
    // The caller's and the receiver's span of one use of a tool are one use.
    if (gen_ai.tool_call) {
      const bool is_told = !told.insert(&done).second;  // clocks may differ
      auto [at, is_new] = seen.try_emplace({span.trace, gen_ai.tool_call, gen_ai.role}, span);
      if (!is_new && (at->second.is_joined_by(span) || is_told)) continue;
    }
    (is_tool ? found.tools : found.models).push_back(id);
  }
  return found;
}

}  // namespace xtrace
