#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>

#include "link/linkers.h"
#include "link/spawn.h"

namespace xtrace {

namespace {

/// Design 001, level 2: how long after the tool use a subagent may start.
constexpr Duration kLongestWait = std::chrono::hours(1);

/// For each system prompt the type of the subagents that are known to have it.
std::unordered_map<uint32_t, StringId> learn_types(const Timeline& timeline,
                                                   const Findings& findings) {
  std::unordered_map<uint32_t, StringId> types;
  for (const Link& link : findings.links) {
    if (link.kind != LinkKind::subagent_spawn) continue;
    StringId prompt = timeline.call(link.to).system_prompt;
    StringId type = timeline.trace().tool_uses[link.tool_use.index].subagent_type;
    if (prompt && type) types.emplace(prompt.index, type);
  }
  return types;
}

/// Tool uses and conversations of one session and agent type that nothing connects yet, both in
/// order of time.
struct Open {
  std::vector<Spawn> spawns;
  std::vector<EventId> heads;
};

bool fits(const Timeline& timeline, const Spawn& spawn, EventId head) {
  Duration gap = timeline.gap(spawn.call, head);
  return gap >= Duration{0} && gap <= kLongestWait && in_time(timeline, spawn, head);
}

/// Each tool use in turn gets the nearest conversation that is left.
void match(const Timeline& timeline, Open& open, Findings& out) {
  constexpr size_t kLooked = 8;
  for (size_t i = 0; i < open.spawns.size(); ++i) {
    const Spawn& spawn = open.spawns[i];
    std::vector<EventId>::iterator at =
        std::partition_point(open.heads.begin(), open.heads.end(),
                             [&](EventId id) { return !timeline.before(spawn.call, id); });
    std::vector<EventId> fitting;
    for (; at != open.heads.end() && fitting.size() < kLooked; ++at) {
      if (Duration gap = timeline.gap(spawn.call, *at); gap > kLongestWait) break;
      if (fits(timeline, spawn, *at)) fitting.push_back(*at);
    }
    if (fitting.empty()) continue;
    EventId head = fitting.front();
    Link link = spawn_link(timeline, spawn, head, Rule::type_and_time);
    link.first_alternative = static_cast<uint32_t>(out.alternatives.size());
    for (size_t j = i + 1; j < open.spawns.size() && link.alternatives < kLooked; ++j) {
      if (!fits(timeline, open.spawns[j], head)) break;
      out.alternatives.push_back({open.spawns[j].call, open.spawns[j].use, 0});
      ++link.alternatives;
    }
    for (size_t k = 0; k < link.alternatives; ++k)
      out.alternatives[link.first_alternative + k].confidence = 1.0 / (link.alternatives + 1.0);
    link.rivals = static_cast<uint16_t>(std::max<size_t>(fitting.size() - 1, link.alternatives));
    open.heads.erase(std::find(open.heads.begin(), open.heads.end(), head));
    out.links.push_back(link);
  }
}

}  // namespace

void guess_spawns(const Timeline& timeline, const Linking& linking,
                  std::span<const uint32_t> session_of, Findings& out) {
  std::set<std::pair<EventId, ToolUseId>> claimed;
  std::vector<bool> is_open = find_heads(timeline, out);
  for (const Link& link : out.links)
    if (link.kind == LinkKind::subagent_spawn) claimed.emplace(link.from, link.tool_use);

  std::map<std::pair<uint32_t, StringId>, Open> groups;
  std::unordered_map<uint32_t, StringId> types = learn_types(timeline, out);
  for (EventId call : timeline.in_order()) {
    if (!is_open[call.index]) continue;
    StringId type = timeline.call(call).agent_type;
    std::unordered_map<uint32_t, StringId>::const_iterator known =
        types.find(timeline.call(call).system_prompt.index);
    if (!type && known != types.end()) type = known->second;
    if (type) groups[{session_of[call.index], type}].heads.push_back(call);
  }
  for (const Spawn& spawn : find_spawns(timeline, linking, out)) {
    StringId type = timeline.trace().tool_uses[spawn.use.index].subagent_type;
    if (type && !claimed.contains({spawn.call, spawn.use}))
      groups[{session_of[spawn.call.index], type}].spawns.push_back(spawn);
  }
  for (auto& [key, open] : groups) match(timeline, open, out);
}

}  // namespace xtrace
