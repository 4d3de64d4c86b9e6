#pragma once

#include "facts/trace.h"
#include "link/story/story.h"

namespace xtrace {

/// What measurements say of the steps of a story: a measurement is of the steps that ran at its
/// time and are its component's, or its service's where it names no component, or anybody's where
/// it names neither. Of several of one kind the highest counts. Fills Story::measured.
void add_measured(const Graph& graph, Story& story);

}  // namespace xtrace
