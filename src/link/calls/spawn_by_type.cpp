#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>

#include "link/calls/linkers.h"
#include "link/calls/spawn.h"

namespace xtrace {

namespace {

/// How long after the tool use a subagent may start: others that run long may come before it.
constexpr Duration kLongestWait = std::chrono::hours(1);

/// For each system prompt the type of the subagents that are known to have it.
std::unordered_map<uint32_t, StringId> learn_types(const Timeline& timeline,
                                                   const Findings& findings) {
  std::unordered_map<uint32_t, StringId> types;
  for (const Link& link : findings.links) {
    if (link.kind != LinkKind::subagent_spawn) continue;
    StringId prompt = timeline[link.to].system_prompt;
    StringId type = timeline.trace().tool_uses[link.tool_use.index].subagent_type;
    if (prompt && type) types.emplace(prompt.index, type);
  }
  return types;
}

std::set<std::pair<CallId, ToolUseId>> claimed_spawns(const Findings& findings) {
  std::set<std::pair<CallId, ToolUseId>> claimed;
  for (const Link& link : findings.links)
    if (link.kind == LinkKind::subagent_spawn) claimed.emplace(link.from, link.tool_use);
  return claimed;
}

/// Tool uses and conversations of one session and agent type that nothing connects yet, both in
/// order of time.
struct Open {
  std::vector<Spawn> spawns;
  std::vector<CallId> heads;
};

bool fits(const Timeline& timeline, const Spawn& spawn, CallId head) {
  Duration gap = timeline.gap(spawn.call, head);
  return gap >= Duration{0} && gap <= kLongestWait && in_time(timeline, spawn, head);
}

/// How many other conversations could have been started by the tool use as well.
size_t others_of(const Timeline& timeline, const Open& open, size_t spawn, CallId head) {
  constexpr size_t kLooked = 8;
  std::vector<CallId>::const_iterator at =
      std::upper_bound(open.heads.begin(), open.heads.end(), head,
                       [&](CallId a, CallId b) { return timeline.before(a, b); });
  size_t others = 0;
  for (size_t i = 0; i < kLooked && at != open.heads.end(); ++i, ++at)
    if (fits(timeline, open.spawns[spawn], *at)) ++others;
  return others;
}

/// Each conversation in turn gets the nearest tool use that is left; of several in one answer, the
/// first.
void match(const Timeline& timeline, const Open& open, Rule rule, Findings& out) {
  constexpr size_t kLooked = 64, kShown = 8;
  std::vector<bool> claimed(open.spawns.size());
  for (CallId head : open.heads) {
    size_t end =
        static_cast<size_t>(std::partition_point(open.spawns.begin(), open.spawns.end(),
                                                 [&](const Spawn& spawn) {
                                                   return timeline.before(spawn.call, head);
                                                 }) -
                            open.spawns.begin());
    std::vector<size_t> fitting;  // the nearest first
    for (size_t i = end, looked = 0; i-- > 0 && looked < kLooked && fitting.size() <= kShown;
         ++looked)
      if (!claimed[i] && fits(timeline, open.spawns[i], head)) fitting.push_back(i);
    if (fitting.empty()) continue;
    std::stable_sort(fitting.begin(), fitting.end(), [&](size_t a, size_t b) {
      uint32_t x = timeline.rank(open.spawns[a].call), y = timeline.rank(open.spawns[b].call);
      return x != y ? x > y : a < b;
    });
    claimed[fitting.front()] = true;
    Link link = spawn_link(timeline, open.spawns[fitting.front()], head, rule);
    size_t elsewhere = 0;
    for (size_t i = 1; i < fitting.size(); ++i) {
      const Spawn& rival = open.spawns[fitting[i]];
      out.name_rival(link, rival.call, rival.use, fitting.size());
      if (rival.call != link.from) ++elsewhere;
    }
    // Without a type, twins of one answer are told apart by nothing; but where the subagent came
    // from is the same.
    link.rivals = static_cast<uint16_t>(
        rule == Rule::time ? elsewhere
                           : std::max<size_t>(link.alternatives,
                                              others_of(timeline, open, fitting.front(), head)));
    out.links.push_back(link);
  }
}

void guess_spawns(const Timeline& timeline, const LinkOptions& linking,
                  std::span<const uint32_t> session_of, Findings& out) {
  std::map<std::pair<uint32_t, StringId>, Open> groups;
  std::map<uint32_t, Open> untyped;  // subagents, as the log says, and nothing tells of which type
  std::vector<bool> is_open = find_heads(timeline, out);
  std::unordered_map<uint32_t, StringId> types = learn_types(timeline, out);
  for (CallId call : timeline.in_order()) {
    if (!is_open[call.index]) continue;
    StringId type = timeline[call].agent_type;
    std::unordered_map<uint32_t, StringId>::const_iterator known =
        types.find(timeline[call].system_prompt.index);
    if (!type && known != types.end()) type = known->second;
    if (type)
      groups[{session_of[call.index], type}].heads.push_back(call);
    else if (timeline[call].in_subagent)
      untyped[session_of[call.index]].heads.push_back(call);
  }
  std::set<std::pair<CallId, ToolUseId>> claimed = claimed_spawns(out);
  for (const Spawn& spawn : find_spawns(timeline, linking, out)) {
    StringId type = timeline.trace().tool_uses[spawn.use.index].subagent_type;
    if (type && !claimed.contains({spawn.call, spawn.use}))
      groups[{session_of[spawn.call.index], type}].spawns.push_back(spawn);
  }
  for (auto& [key, open] : groups) match(timeline, open, Rule::type_and_time, out);
  if (untyped.empty()) return;
  claimed = claimed_spawns(out);
  for (const Spawn& spawn : find_spawns(timeline, linking, out))
    if (!claimed.contains({spawn.call, spawn.use}))
      untyped[session_of[spawn.call.index]].spawns.push_back(spawn);
  for (auto& [session, open] : untyped) match(timeline, open, Rule::time, out);
}

}  // namespace

extern constinit const Guesser kSpawnByTypeLinker = {
    .name = "spawn-by-type",
    .summary = "the next subagent of the type a tool use asks for",
    .find = guess_spawns,
};

}  // namespace xtrace
