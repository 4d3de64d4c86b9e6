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

}  // namespace xtrace
