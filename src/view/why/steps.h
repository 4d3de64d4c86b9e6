#pragma once

#include "doc/document.h"
#include "link/activities/history_steps.h"
#include "view/hops/hop_scene.h"

namespace xtrace {

/// By which steps it came about, in words: who was told what, who read, ran or edited what.
Table steps_table(const HopScene& scene, std::span<const HistoryStep> steps, CellArena& arena);
/// The same without rows.
Table steps_table();

/// The same as lines of a page, between what its head says and `links`, which tell by which links
/// it came: who asks why something happened looks for words and deeds first.
void add_steps(const HopScene& scene, std::span<const HistoryStep> steps, bool unfold,
               std::span<const Text> links, Outline& outline);

}  // namespace xtrace
