#pragma once

#include "doc/document.h"
#include "link/activities/steps_taken.h"
#include "view/common/shown_targets.h"
#include "view/hops/hop_scene.h"

namespace xtrace {

/// By which steps it came about, in words: who was told what, who read, ran or edited what.
inline constexpr Column kSteps[] = {
    {"did",
     "kind of step: told (the agent received a prompt), went on (no prompt is recorded), used, "
     "read, searched, wrote, edited, ran, fetched, opened, started, answered, or asked (a model "
     "call that failed or was not answered)",
     CellKind::text, true},
    {"what", "file, URL or tool; for a turn, the agent that received the prompt", CellKind::text},
    kTargetsColumn,
    {"tool", "", CellKind::text},
    {"agent", "agent that performed the step", CellKind::text},
    {"turn", "number of the turn, from 1 in each conversation", CellKind::integer},
    {"start", "", CellKind::moment},
    {"duration_ms", "", CellKind::milliseconds},
    {"failed", "true if the tool reported an error or the call failed", CellKind::boolean},
    {"no_result", "true if no record shows the result of the tool or the reply of the model",
     CellKind::boolean},
    {"text", "text, or the tool's arguments as JSON, at level full", CellKind::text},
    {"call", "", CellKind::text, true},
    {"at", "", CellKind::text},
};

/// Of a call that a subagent began with, of its whole run.
inline constexpr Column kAgentRun[] = {
    {"agent.name", "", CellKind::text},
    {"agent.calls", "", CellKind::integer},
    {"agent.cost_usd", "cost including everything it spawned; absent if unknown", CellKind::number},
    {"agent.unpriced_calls", "number of calls not included in the cost", CellKind::integer},
    {"agent.partly_priced_calls", "number of calls whose cost is only partly included",
     CellKind::integer},
    {"agent.duration_ms", "from its first call to its last", CellKind::milliseconds},
};

Table steps_table(const HopScene& scene, std::span<const StepTaken> steps, CellArena& arena);

/// The same as lines of a page, between what its head says and `links`, which tell by which links
/// it came: who asks why something happened looks for words and deeds first.
void add_steps(const HopScene& scene, std::span<const StepTaken> steps, bool unfold,
               std::span<const Text> links, Outline& outline);

}  // namespace xtrace
