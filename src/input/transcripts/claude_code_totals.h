#pragma once

#include "input/common/json.h"
#include "input/common/utterance.h"

namespace xtrace {

class Shard;

// What Claude Code states that all calls so far used up, its own for titles and summaries included.
// A program counts on while it runs: the totals of its last turn include those of all before.

/// Totals name a model with the window that was asked for: `claude-opus-5[1m]`. Answers do not.
std::string_view bare_model(std::string_view model);

/// What `claude -p` states at the end of a turn: {"num_turns", "usage"}, which is `of_turn`, of the
/// main model in this turn, and {"modelUsage", "total_cost_usd"} of the program so far.
void add_result_totals(json::element result, const Utterance& said, const Tokens& of_turn,
                       Shard& shard);

/// {"type": "cost-state", "modelUsage", "totalCostUSD", "startTime"}: the latter, which a session
/// keeps from time to time. `startTime` names the program.
void add_cost_state(json::element state, const Utterance& said, Shard& shard);

}  // namespace xtrace
