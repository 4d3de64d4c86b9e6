#pragma once

#include <string_view>

#include "input/common/json.h"
#include "input/common/utterance.h"

namespace xtrace {

class Shard;
struct Answer;
struct Part;
struct RecordContext;

/// What Claude Code notes of a subagent when its result is there, or when it went to work in the
/// background: `{"agentId", "content", "usage", "totalDurationMs", …}` beside the result of the
/// tool use, in the line that says `said`. `line`: that line; without a text, it is part of
/// a record.
void read_subagent_report(json::element noted, const Part& line, const Utterance& said,
                          StringId tool_use, RecordContext& context);

/// Interns the prompt of a subagent under the name that Prompt gives it.
StringId intern_prompt(std::string_view prompt, Shard& shard);

/// Is the count of the output the one that a stream opens with?
bool has_first_count(const Answer& answer);

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
