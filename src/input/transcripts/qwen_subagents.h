#pragma once

#include "input/common/raw_trace.h"
#include "input/common/record_context.h"

namespace xtrace {

// What a chat of Qwen Code notes of each answer of its API, for its statistics:
//
//   {…, "type": "system", "subtype": "ui_telemetry", "systemPayload": {"uiEvent": {
//    "event.name": "qwen-code.api_response", "response_id", "model", "duration_ms",
//    "input_token_count" with "cached_content_token_count", "output_token_count",
//    "thoughts_token_count", "total_token_count", "prompt_id"}}}
//
// Those of the chat itself are told by their messages as well. A subagent's are told by nothing
// else, unless it has a transcript (`subagents/SESSION/agent-ID.jsonl`); their prompts are called
// `SESSION#AGENT#N`, and the agent `TYPE-…`.

/// Adds the call of a subagent that the line tells, if it does.
void read_qwen_telemetry(json::element line, const Extent& at, Shard& shard);

/// Removes calls of telemetry of subagents that have a transcript. An id may differ there, so a
/// transcript of the same type counts too.
void drop_duplicate_qwen_calls(RawTrace& trace);

}  // namespace xtrace
