#pragma once

#include "input/common/record_context.h"
#include "input/common/record_pattern.h"
#include "input/common/utterance.h"
#include "input/transcripts/part.h"

namespace xtrace {

// What Claude Code states that its calls used up, its own for titles and summaries included. A
// program counts on while it runs: the totals of its last turn include those of all before.

/// Totals name a model with the window that was asked for: `claude-opus-5[1m]`. Answers do not.
std::string_view bare_model(std::string_view model);

/// The end of a turn of `claude -p`: {"num_turns", "usage"} of the main model in this turn, and
/// {"modelUsage", "total_cost_usd"} of the program so far; also the answer of the last call, which
/// may be all that is on record of the calls.
void read_claude_result(const RecordMatcher& line, const Part& whole, Utterance& said,
                        RecordContext& context);
/// How an answer comes in, as a run prints it: its counts when it begins, and when it ends.
void read_claude_streamed(const RecordMatcher& line, const Part& whole, Utterance& said,
                          RecordContext& context);
/// {"type": "cost-state", "modelUsage", "totalCostUSD", "startTime"}: totals, which a session keeps
/// from time to time. `startTime` names the program.
void read_claude_cost_state(const RecordMatcher& line, const Part& whole, Utterance& said,
                            RecordContext& context);

}  // namespace xtrace
