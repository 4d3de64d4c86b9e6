#include "link/activities/repeated.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "link/graph/graph.h"

namespace xtrace {

namespace {

/// As far as logs are kept of what makes one request the same as another.
using RequestKey = std::tuple<uint32_t, uint32_t, uint32_t, double, int64_t, std::string_view>;

RequestKey key_of(const Graph& graph, CallId id) {
  const Call& call = graph.timeline()[id];
  return {call.request.index, call.model.index, call.system_prompt.index,
          call.temperature,   call.max_tokens,  graph.trace()[call.user]};
}

using Same = Repeated::Same;
using ToolKey = std::tuple<uint32_t, uint32_t, Same, uint64_t>;  // session, name, what, that

struct RepeatedUse {
  Repeated told;
  uint64_t arguments = 0;  ///< of the first
  bool all_equal = true;
};

ToolKey key_of(const Graph& graph, CallId call, const ToolUse& use) {
  const auto [what, that] = use.command  ? std::pair(Same::command, uint64_t{use.command.index})
                            : use.target ? std::pair(Same::target, uint64_t{use.target.index})
                                         : std::pair(Same::arguments, use.arguments);
  return {graph.session_of(call).number, use.name.index, what, that};
}

}  // namespace

std::vector<Repeated> find_repeated(const Graph& graph, const ShownCalls& shown) {
  const Trace& trace = graph.trace();
  std::map<RequestKey, std::vector<CallId>> requests;
  std::map<ToolKey, RepeatedUse> tools;
  std::vector<bool> is_retry(trace.calls.size(), false);
  for (uint32_t i : shown.links)
    if (graph.links()[i].kind == LinkKind::retry) is_retry[graph.links()[i].to.index] = true;
  for (CallId id : graph.timeline().in_order()) {
    if (!shown.shows(id)) continue;
    const Call& call = graph.timeline()[id];
    bool has_request = call.request && !call.in_transcript;
    if (has_request && !is_retry[id.index]) requests[key_of(graph, id)].push_back(id);
    for (const ToolUse* use : graph.tool_uses_of(id)) {
      if (use->arguments == 0 && !use->command && !use->target) continue;
      const ToolKey key = key_of(graph, id, *use);
      RepeatedUse& same = tools[key];
      same.told.same = std::get<Same>(key);
      same.told.name = trace[use->name];
      same.told.target = use->target;
      if (same.told.times++ == 0) {
        same.told.first = id;
        same.arguments = use->arguments;
      }
      same.all_equal &= use->arguments == same.arguments;
    }
  }
  std::vector<Repeated> all;
  for (auto& [key, calls] : requests) {
    if (calls.size() < 2) continue;
    Repeated same;
    same.name = trace[graph.timeline()[calls.front()].model];
    same.again.assign(calls.begin() + 1, calls.end());
    same.first = calls.front();
    same.times = calls.size();
    all.push_back(same);
  }
  for (auto& [key, same] : tools) {
    if (same.told.times < 2) continue;
    if (same.all_equal && same.arguments != 0) same.told.same = Same::arguments;
    all.push_back(same.told);
  }
  std::sort(all.begin(), all.end(), [&](const Repeated& a, const Repeated& b) {
    if (a.same != b.same) return a.same < b.same;
    if (a.times != b.times) return a.times > b.times;
    if (a.first != b.first) return graph.timeline().before(a.first, b.first);
    return std::pair(a.name, trace[a.target]) < std::pair(b.name, trace[b.target]);
  });
  return all;
}

}  // namespace xtrace
