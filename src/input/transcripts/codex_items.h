#pragma once

#include "facts/call.h"
#include "facts/record.h"
#include "input/calls/message_draft.h"
#include "input/common/json.h"
#include "input/common/record_context.h"
#include "input/common/record_pattern.h"
#include "input/common/shard.h"
#include "input/transcripts/part.h"

namespace xtrace {

// What `codex exec --json` prints, which is read as Codex too.

/// Of a call or a turn: `{"input_tokens", "cached_input_tokens", "output_tokens"}`, the cached ones
/// among the input.
Tokens read_codex_usage(json::element usage);

void read_codex_exec(const RecordMatcher& record, const Part& whole, Utterance&,
                     RecordContext& context);
/// What a line says; nothing where it says nothing.
void say_codex_exec(json::element record, Draft& said);

/// Adds what an event of Codex states about a run of a tool; events of other kinds add nothing.
void read_tool_end(json::element event, const Extent& at, Shard& shard);

}  // namespace xtrace
