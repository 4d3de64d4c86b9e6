#include <algorithm>
#include <map>
#include <unordered_map>
#include <unordered_set>

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

}  // namespace

void guess_spawns(const Timeline& timeline, const Linking& linking,
                  std::span<const uint32_t> session_of, Findings& out) {
  std::unordered_set<uint64_t> claimed;
  std::vector<bool> open = find_heads(timeline, out);
  for (const Link& link : out.links)
    if (link.kind == LinkKind::subagent_spawn)
      claimed.insert(uint64_t{link.from.index} << 32 | link.tool_use.index);

  // Conversations that nothing explains yet, by session and type, earliest first.
  std::unordered_map<uint32_t, StringId> types = learn_types(timeline, out);
  std::map<std::pair<uint32_t, StringId>, std::vector<EventId>> heads;
  for (EventId call : timeline.in_order()) {
    if (!open[call.index]) continue;
    StringId type = timeline.call(call).agent_type;
    if (!type)
      if (auto known = types.find(timeline.call(call).system_prompt.index); known != types.end())
        type = known->second;
    if (type) heads[{session_of[call.index], type}].push_back(call);
  }

  for (const Spawn& spawn : find_spawns(timeline, linking, out)) {
    if (claimed.contains(uint64_t{spawn.call.index} << 32 | spawn.use.index)) continue;
    StringId type = timeline.trace().tool_uses[spawn.use.index].subagent_type;
    auto same = heads.find({session_of[spawn.call.index], type});
    if (!type || same == heads.end()) continue;
    std::vector<EventId>& calls = same->second;
    std::vector<EventId>::iterator at = std::partition_point(
        calls.begin(), calls.end(), [&](EventId id) { return !timeline.before(spawn.call, id); });
    std::vector<EventId>::iterator nearest = calls.end();
    uint16_t rivals = 0;
    for (constexpr int kRivals = 8; at != calls.end() && rivals < kRivals; ++at) {
      Duration gap = timeline.gap(spawn.call, *at);
      if (gap == kNoDuration || gap > kLongestWait || !in_time(timeline, spawn, *at)) break;
      if (gap < Duration{0}) continue;  // began while the spawning call still ran
      if (nearest == calls.end())
        nearest = at;
      else
        ++rivals;
    }
    if (nearest == calls.end()) continue;
    Link link = spawn_link(timeline, spawn, *nearest, Rule::type_and_time);
    link.rivals = rivals;
    calls.erase(nearest);
    out.links.push_back(link);
  }
}

}  // namespace xtrace
