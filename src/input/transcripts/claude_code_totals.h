#pragma once

#include "input/common/json.h"
#include "input/common/utterance.h"

namespace xtrace {

class Shard;

// What Claude Code tells that all calls so far used up, its own beside (for titles, summaries)
// counted in. It goes on counting while it runs: of several turns of one run the last one tells the
// totals of all (running_totals.h).

/// Totals name a model with the window that was asked for: `claude-opus-5[1m]`. Answers do not.
std::string_view bare_model(std::string_view model);

/// What `claude -p` tells at the end of a turn: {"modelUsage", "total_cost_usd"}, and of the turn
/// alone {"usage"}: `of_turn`, which took so many calls of the model.
void add_result_totals(json::element result, const Utterance& said, const Tokens& of_turn,
                       int64_t calls, Shard& shard);

/// {"type": "cost-state", "modelUsage", "totalCostUSD", "startTime"}: the same, which a session has
/// from time to time; of one run, which `startTime` names, the last has all before it.
void add_cost_state(json::element state, const Utterance& said, Shard& shard);

}  // namespace xtrace
