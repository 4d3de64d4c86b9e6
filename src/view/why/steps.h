#pragma once

#include "doc/document.h"
#include "link/activities/history_steps.h"
#include "view/hops/hop_scene.h"

namespace xtrace {

/// The steps that led to it, in words: who was asked what, who read, ran or edited what.
Table steps_table(const HopScene& scene, std::span<const HistoryStep> steps, CellArena& arena);
/// The same without rows.
Table steps_table();

/// The same as lines of a page, between its head and `links`, which lists the links that led to it:
/// a reader who asks why something happened looks for words and actions first.
void add_steps(const HopScene& scene, std::span<const HistoryStep> steps, bool unfold,
               std::span<const Text> links, Outline& outline);

}  // namespace xtrace
