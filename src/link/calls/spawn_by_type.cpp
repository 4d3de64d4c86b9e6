#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>

#include "facts/agent_type.h"
#include "link/calls/linkers.h"
#include "link/calls/spawn_match.h"

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

/// The keys of the types that a tool use requests and that a call records. Links do not depend on
/// what may be shown: a type that is no name by its form is known by its key only.
std::string type_of(const Trace& trace, const ToolUse& use) {
  return use.subagent_type ? agent_type_key(trace[use.subagent_type])
                           : std::string(trace[use.type_key]);
}
std::string type_of(const Trace& trace, const Call& call) {
  return agent_type_key(trace[call.agent_type]);
}

/// Tool uses and conversations of one session and agent type that nothing connects yet, both in
/// order of time.
struct Open {
  SpawnGroup group;
  std::vector<CallId> heads;
};

bool fits(const Timeline& timeline, const Spawn& spawn, CallId head) {
  Duration gap = timeline.gap(spawn.call, head);
  return gap >= Duration{0} && gap <= kLongestWait && in_time(timeline, spawn, head);
}

/// A subagent that the log calls otherwise than the tool use was not started by it.
bool is_other_type(const Timeline& timeline, const Spawn& spawn, CallId head) {
  const Trace& trace = timeline.trace();
  const ToolUse& use = trace.tool_uses[spawn.use.index];
  const Call& call = timeline[head];
  const std::string asked = type_of(trace, use), is = type_of(trace, call);
  return !asked.empty() && !is.empty() && asked != is;
}

/// How many of the next `most` conversations behind a call are so.
template <class Wanted>
size_t count_behind(const Timeline& timeline, const Open& open, CallId call, size_t most,
                    Wanted wanted) {
  auto at = std::upper_bound(open.heads.begin(), open.heads.end(), call,
                             [&](CallId a, CallId b) { return timeline.before(a, b); });
  size_t count = 0;
  for (; most > 0 && at != open.heads.end(); --most, ++at)
    if (wanted(*at)) ++count;
  return count;
}

/// How many other conversations end with the very words of the tool use's result, as `Done.`
size_t others_that_say(const Timeline& timeline, const Open& open, SpawnMatch& spawns, size_t i,
                       CallId head) {
  constexpr size_t kLooked = 64;
  return count_behind(timeline, open, spawns[i].call, kLooked, [&](CallId other) {
    return other != head && spawns.says(other, spawns[i].said) &&
           fits(timeline, spawns[i], other) && !is_other_type(timeline, spawns[i], other);
  });
}

/// How many other conversations could have been started by the tool use as well.
size_t others_of(const Timeline& timeline, const Open& open, const Spawn& spawn, CallId head) {
  constexpr size_t kLooked = 8;
  return count_behind(timeline, open, head, kLooked,
                      [&](CallId other) { return fits(timeline, spawn, other); });
}

void match(const Timeline& timeline, Open& open, Rule rule, SpawnMatch& spawns,
           std::vector<bool>& is_open, Findings& out) {
  auto may = [&](const Spawn& spawn, CallId head) {
    return fits(timeline, spawn, head) && timeline.compatible(spawn.call, head) &&
           !is_other_type(timeline, spawn, head);
  };
  for (CallId head : open.heads)
    if (is_open[head.index] && spawns.take(open.group, head, rule == Rule::result_text, may))
      is_open[head.index] = false;
  for (auto& [link, spawn] : spawns.settle(rule, out)) {
    // Without a type, twins of one answer are distinguished by nothing; but where the subagent came
    // from is the same.
    if (rule == Rule::type_and_time)
      link.rivals = static_cast<uint16_t>(
          std::max<size_t>(link.rivals, others_of(timeline, open, spawns[spawn], link.to)));
    if (rule == Rule::result_text)
      link.rivals = static_cast<uint16_t>(
          std::max<size_t>(link.rivals, others_that_say(timeline, open, spawns, spawn, link.to)));
    out.links.push_back(link);
  }
}

/// What is left may be of one session all the same: nothing was logged for a while.
struct SameUser {
  StringId user;
  uint32_t file;  ///< where no user is named, one log is taken to be of one
  std::string type;
  auto operator<=>(const SameUser&) const = default;
};

SameUser same_user(const Timeline& timeline, CallId call, std::string type) {
  StringId user = timeline[call].user;
  return {user, user ? UINT32_MAX : timeline[call].source.file, std::move(type)};
}

void match_across_sessions(const Timeline& timeline, const auto& typed, SpawnMatch& spawns,
                           std::vector<bool>& is_open, Findings& out) {
  std::map<SameUser, Open> by_user;
  for (const auto& [key, open] : typed) {
    for (CallId head : open.heads)
      if (is_open[head.index]) by_user[same_user(timeline, head, key.second)].heads.push_back(head);
    for (size_t i : open.group.spawns)
      if (!spawns.is_taken(i))
        by_user[same_user(timeline, spawns[i].call, key.second)].group.spawns.push_back(i);
  }
  for (auto& [key, open] : by_user) {
    auto earlier = [&](CallId a, CallId b) { return timeline.before(a, b); };
    std::sort(open.heads.begin(), open.heads.end(), earlier);
    std::sort(open.group.spawns.begin(), open.group.spawns.end());  // they are in order of time
    size_t known = out.links.size();
    match(timeline, open, Rule::type_and_time, spawns, is_open, out);
    for (size_t i = known; i < out.links.size(); ++i) out.links[i].joins_sessions = true;
  }
}

void guess_spawns(const Timeline& timeline, const LinkOptions& linking,
                  std::span<const uint32_t> session_of, Findings& out) {
  std::map<std::pair<uint32_t, std::string>, Open> typed;
  std::map<uint32_t, Open> untyped;  // subagents, as the log says, and nothing records which type
  std::map<uint32_t, Open> all;
  std::vector<bool> is_open = find_heads(timeline, out);
  std::unordered_map<uint32_t, StringId> types = learn_types(timeline, out);
  const Trace& trace = timeline.trace();
  for (CallId call : timeline.in_order()) {
    if (!is_open[call.index]) continue;
    std::string type = type_of(trace, timeline[call]);
    std::unordered_map<uint32_t, StringId>::const_iterator known =
        types.find(timeline[call].system_prompt.index);
    if (!timeline[call].agent_type && known != types.end())
      type = agent_type_key(trace[known->second]);
    const uint32_t session = session_of[call.index];
    all[session].heads.push_back(call);
    if (!type.empty())
      typed[{session, std::move(type)}].heads.push_back(call);
    else if (timeline[call].in_subagent)
      untyped[session].heads.push_back(call);
  }
  const std::set<std::pair<CallId, ToolUseId>> claimed = claimed_spawns(out);
  SpawnMatch spawns(timeline, find_spawns(timeline, linking, out), out);
  for (size_t i = 0; i < spawns.size(); ++i) {
    if (claimed.contains({spawns[i].call, spawns[i].use})) spawns.take(i);
    uint32_t session = session_of[spawns[i].call.index];
    const ToolUse& use = trace.tool_uses[spawns[i].use.index];
    if (std::string type = type_of(trace, use); !type.empty())
      typed[{session, std::move(type)}].group.spawns.push_back(i);
    // What goes on with one that is named started no other.
    if (!use.resume || use.subagent_type) untyped[session].group.spawns.push_back(i);
    all[session].group.spawns.push_back(i);
  }
  auto match_in = [&](auto& groups, Rule rule) {
    for (auto& [key, open] : groups) match(timeline, open, rule, spawns, is_open, out);
  };
  match_in(all, Rule::result_text);
  match_in(typed, Rule::type_and_time);
  match_in(untyped, Rule::time);
  match_across_sessions(timeline, typed, spawns, is_open, out);
}

}  // namespace

extern constinit const Guesser kSpawnByTypeLinker = {
    .name = "spawn-by-type",
    .summary = "the next subagent of the type that a tool use requests",
    .find = guess_spawns,
};

}  // namespace xtrace
