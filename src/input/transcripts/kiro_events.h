#pragma once

#include "input/common/record_context.h"
#include "input/transcripts/part.h"

namespace xtrace {

struct Draft;

// What Kiro's IDE keeps since 1.0, and its CLI as version 3, in a folder for each session: an event
// a line (`messages.jsonl`; those of its subagents in `sub-executions`),
//
//   {"id", "timestamp", "payload": {"type": "session_start"|"user"|"assistant", "content",
//    "modelId"}}
//   {…, "payload": {"type": "tool_call", "toolCallId", "toolName", "args"}}
//   {…, "payload": {"type": "tool_result", "toolCallId", "content", "success"}}
//
// and what the session is (`session.json`): {"schemaVersion", "id", "title", "workspacePaths"}.
// Usage is told in credits alone. No event names the answer that it is a piece of: what is said
// until a tool gives something or the user says more is one answer.

bool fits_kiro_event(json::element record);
bool fits_kiro_session(json::element record);
void read_kiro_event(json::element record, const Part& whole, RecordContext& context);
void note_kiro_session(json::element record, const Extent& at, Shard& shard);
void say_kiro_event(json::element record, Draft& said);

}  // namespace xtrace
