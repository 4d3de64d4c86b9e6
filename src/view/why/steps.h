#pragma once

#include "doc/document.h"
#include "link/activities/steps_taken.h"
#include "view/common/shown_targets.h"
#include "view/hops/hop_scene.h"

namespace xtrace {

/// By which steps it came about, in words: who was told what, who read, ran or edited what.
inline constexpr Column kSteps[] = {
    {"did",
     "told, went on (no prompt is on record), used, read, searched, wrote, edited, ran, "
     "fetched, opened, started, answered, "
     "or asked: of a model, which failed or did not answer",
     CellKind::text, true},
    {"what", "the file, address or tool; of a turn, who was told", CellKind::text},
    kTargetsColumn,
    {"tool", "", CellKind::text},
    {"agent", "who did it", CellKind::text},
    {"turn", "of the user, from 1 in each conversation", CellKind::integer},
    {"start", "", CellKind::moment},
    {"duration_ms", "", CellKind::milliseconds},
    {"failed", "the tool reported an error, or the call failed", CellKind::boolean},
    {"no_result", "no record tells whether the tool did it, or what the model answered",
     CellKind::boolean},
    {"text", "the words, or what the tool was given as JSON, at level full", CellKind::text},
    {"call", "", CellKind::text, true},
    {"at", "", CellKind::text},
};

/// Of a call that a subagent began with, of its whole run.
inline constexpr Column kAgentRun[] = {
    {"agent.name", "", CellKind::text},
    {"agent.calls", "", CellKind::integer},
    {"agent.cost_usd", "with all that it spawned; absent where it is not known", CellKind::number},
    {"agent.unpriced_calls", "calls that the cost is without", CellKind::integer},
    {"agent.partly_priced_calls", "calls of whose cost it has a part", CellKind::integer},
    {"agent.duration_ms", "from its first call to its last", CellKind::milliseconds},
};

Table steps_table(const HopScene& scene, std::span<const StepTaken> steps, CellArena& arena);

/// The same as lines of a page, between what its head says and `links`, which tell by which links
/// it came: who asks why something happened looks for words and deeds first.
void add_steps(const HopScene& scene, std::span<const StepTaken> steps, bool unfold,
               std::span<const Text> links, Outline& outline);

}  // namespace xtrace
