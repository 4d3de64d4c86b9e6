#include "input/transcripts/teammates.h"

#include <fmt/format.h>

#include <string_view>

#include "base/hash.h"
#include "input/common/shard.h"
#include "input/transcripts/utterance_reader.h"

namespace xtrace {

void note_spawned_teammate(json::element noted, const Utterance& said, StringId tool_use,
                           Shard& shard) {
  if (!tool_use || json::text_at(noted, "status") != "teammate_spawned") return;
  AgentRelation spawn = relation_of(said, AgentRelation::Kind::started);
  spawn.tool_use = tool_use;
  spawn.path = shard.intern(json::text_at(noted, "agent_id"));
  spawn.agent_type = shard.intern(json::text_at(noted, "agent_type"));
  if (spawn.path) shard.add(spawn);
}

void note_session_of_teammate(const Utterance& said, std::string_view name, std::string_view team,
                              Shard& shard) {
  constexpr std::string_view kLead = "team-lead";
  if (name.empty() || team.empty() || name == kLead || said.in_subagent || !said.session) return;
  bool is_new = false;
  const uint64_t key = chain(hash_of(shard[said.session]), chain(hash_of(name), hash_of(team)));
  const StringId id = shard.made_once(key, [&] {
    is_new = true;
    return fmt::format("{}@{}", name, team);
  });
  if (!is_new) return;
  AgentRelation teammate = relation_of(said, AgentRelation::Kind::started, said.session);
  teammate.path = id;
  shard.add(teammate);
}

StringId teammate_named(json::element about, Shard& shard) {
  const std::string_view name = json::text_at(about, "name");
  if (name.empty()) return {};
  return shard.intern(fmt::format("{}@{}", name, json::text_at(about, "teamName")));
}

}  // namespace xtrace
