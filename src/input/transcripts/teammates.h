#pragma once

#include "input/common/json.h"
#include "input/common/utterance.h"

namespace xtrace {

class Shard;

// Agents of a team of Claude Code have names, and no result of the tool that started one tells its
// id: `{"status": "teammate_spawned", "agent_id": "NAME@TEAM"}`. Who works in the same process has
// a subagent's file, beside which its name stands; who works in one of its own has a session, each
// line of which tells name and team.

/// Of what a tool's record notes: that it started a teammate.
void note_spawned_teammate(json::element noted, const Utterance& said, StringId tool_use,
                           Shard& shard);
/// That a session is a teammate's, once.
void note_session_of_teammate(const Utterance& said, std::string_view name, std::string_view team,
                              Shard& shard);
/// What stands beside a subagent's file tells its name, and newer versions its team.
StringId teammate_named(json::element about, Shard& shard);

}  // namespace xtrace
