#include "view/stats/repeats.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace xtrace {

std::vector<RetryChain> retry_chains(const CallScene& scene) {
  std::map<uint32_t, size_t> chain_of;  // by the last attempt
  std::vector<RetryChain> chains;
  for (uint32_t i : scene.selection.links) {  // by the start of the retry
    const Link& link = scene.links()[i];
    if (link.kind != LinkKind::retry) continue;
    auto found = chain_of.find(link.from.index);
    size_t chain = found == chain_of.end() ? chains.size() : found->second;
    auto attempt = [&](CallId id, Duration waited, Duration was_asked) {
      const Call& call = scene.timeline()[id];
      return RetryChain::Attempt{{id, {}},
                                 scene.timeline()[id].outcome,
                                 scene.graph.trace()[call.error],
                                 waited,
                                 was_asked};
    };
    const Call& before = scene.timeline()[link.from];
    if (chain == chains.size())
      chains.push_back(
          {scene.graph.trace()[before.model], {attempt(link.from, kNoDuration, kNoDuration)}});
    Duration asked = before.asked_to_wait == Call::kNoWait
                         ? kNoDuration
                         : Duration(std::chrono::milliseconds(before.asked_to_wait));
    chains[chain].attempts.push_back(attempt(link.to, link.gap, asked));
    chain_of[link.to.index] = chain;
  }
  return chains;
}

std::vector<RetryChain> retry_chains(const HopScene& scene) {
  const Activities& activities = scene.question.graph.activities();
  std::map<uint32_t, size_t> chain_of;  // by the last attempt
  std::vector<RetryChain> chains;
  auto attempt = [&](const Activity& done, Duration waited) {
    return RetryChain::Attempt{{{}, done.hop}, done.outcome, done.error, waited, kNoDuration};
  };
  for (size_t i = 0; i < scene.hops.all.size(); ++i) {
    const Activity& again = activities.of(HopId(i));
    if (!again.retry_of || !scene.selection.shows(HopId(i))) continue;
    const Activity& failed = activities[again.retry_of];
    if (!scene.selection.shows(failed.hop)) continue;
    auto found = chain_of.find(failed.hop.index);
    size_t chain = found == chain_of.end() ? chains.size() : found->second;
    std::string_view name = !again.model.empty()  ? again.model
                            : !again.tool.empty() ? again.tool
                                                  : again.operation;
    if (chain == chains.size()) chains.push_back({name, {attempt(failed, kNoDuration)}});
    chains[chain].attempts.push_back(attempt(again, again.waited));
    chain_of[again.hop.index] = chain;
  }
  return chains;
}

namespace {

/// As far as logs are kept of what makes one request the same as another.
using RequestKey = std::tuple<uint32_t, uint32_t, uint32_t, double, int64_t, std::string_view>;

RequestKey key_of(const CallScene& scene, CallId id) {
  const Call& call = scene.timeline()[id];
  return {call.request.index, call.model.index, call.system_prompt.index,
          call.temperature,   call.max_tokens,  scene.graph.trace()[call.user]};
}

using Same = Repeated::Same;
using ToolKey = std::tuple<uint32_t, uint32_t, Same, uint64_t>;  // session, name, what, that

struct RepeatedUse {
  Repeated told;
  uint64_t arguments = 0;  ///< of the first
  bool all_equal = true;
};

ToolKey key_of(const CallScene& scene, CallId call, const ToolUse& use) {
  const auto [what, that] = use.command  ? std::pair(Same::command, uint64_t{use.command.index})
                            : use.target ? std::pair(Same::target, uint64_t{use.target.index})
                                         : std::pair(Same::arguments, use.arguments);
  return {scene.graph.session_of(call).number, use.name.index, what, that};
}

}  // namespace

std::vector<Repeated> repeated_calls(const CallScene& scene) {
  const Trace& trace = scene.graph.trace();
  std::map<RequestKey, std::vector<CallId>> requests;
  std::map<ToolKey, RepeatedUse> tools;
  std::vector<bool> is_retry(trace.calls.size(), false);
  for (uint32_t i : scene.selection.links)
    if (scene.links()[i].kind == LinkKind::retry) is_retry[scene.links()[i].to.index] = true;
  for (CallId id : scene.timeline().in_order()) {
    if (!scene.selection.shows(id)) continue;
    const Call& call = scene.timeline()[id];
    bool has_request = call.request && !call.in_transcript;
    if (has_request && !is_retry[id.index]) requests[key_of(scene, id)].push_back(id);
    for (const ToolUse* use : scene.graph.tool_uses_of(id)) {
      if (use->arguments == 0 && !use->command && !use->target) continue;
      const ToolKey key = key_of(scene, id, *use);
      RepeatedUse& same = tools[key];
      same.told.same = std::get<Same>(key);
      same.told.name = trace[use->name];
      same.told.target = use->target;
      if (same.told.times++ == 0) {
        same.told.first.call = id;
        same.arguments = use->arguments;
      }
      same.all_equal &= use->arguments == same.arguments;
    }
  }
  std::vector<Repeated> all;
  for (auto& [key, calls] : requests) {
    if (calls.size() < 2) continue;
    Repeated same;
    same.name = trace[scene.timeline()[calls.front()].model];
    for (CallId id : std::span(calls).subspan(1)) same.again.add(scene.spending.own(id));
    same.first.call = calls.front();
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
    if (a.first.call != b.first.call) return scene.timeline().before(a.first.call, b.first.call);
    return std::pair(a.name, trace[a.target]) < std::pair(b.name, trace[b.target]);
  });
  return all;
}

}  // namespace xtrace
