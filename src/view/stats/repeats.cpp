#include "view/stats/repeats.h"

#include <map>
#include <utility>

namespace xtrace {

namespace {

/// The last attempt at what failed, whether it is shown or not.
CallId last_attempt(const Graph& graph, CallId call) {
  for (bool goes_on = true; std::exchange(goes_on, false);)
    for (uint32_t i : graph.effects_of(call)) {
      const Link& link = graph.links()[i];
      if (link.kind != LinkKind::retry || !graph.timeline().before(call, link.to)) continue;
      call = link.to;
      goes_on = true;
      break;
    }
  return call;
}

/// By hop: the next attempt at what failed; nowhere: it was the last one.
std::vector<HopId> next_attempts(const HopScene& scene) {
  const Activities& activities = scene.question.graph.activities();
  std::vector<HopId> next(scene.hops.all.size());
  for (size_t i = 0; i < next.size(); ++i)
    if (const Activity& again = activities.of(HopId(i)); again.retry_of)
      if (const HopId failed = activities[again.retry_of].hop; failed && failed != HopId(i))
        next[failed.index] = HopId(i);
  return next;
}

}  // namespace

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
          {scene.graph.trace()[before.model], {attempt(link.from, kNoDuration, kNoDuration)}, {}});
    Duration asked = before.asked_to_wait == Call::kNoWait
                         ? kNoDuration
                         : Duration(std::chrono::milliseconds(before.asked_to_wait));
    chains[chain].attempts.push_back(
        attempt(link.to, scene.graph.activities().of(link.to).waited, asked));
    chain_of[link.to.index] = chain;
  }
  for (RetryChain& chain : chains)
    chain.ended =
        scene.timeline()[last_attempt(scene.graph, chain.attempts.back().node.call)].outcome;
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
    if (chain == chains.size()) chains.push_back({name, {attempt(failed, kNoDuration)}, {}});
    chains[chain].attempts.push_back(attempt(again, again.waited));
    chain_of[again.hop.index] = chain;
  }
  const std::vector<HopId> next = next_attempts(scene);
  for (RetryChain& chain : chains) {
    HopId last = chain.attempts.back().node.hop;
    for (size_t steps = 0; next[last.index] && steps < next.size(); ++steps)
      last = next[last.index];
    chain.ended = activities.of(last).outcome;
  }
  return chains;
}

}  // namespace xtrace
