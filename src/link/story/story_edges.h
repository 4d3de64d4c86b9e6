#pragma once

#include "link/story/story.h"

namespace xtrace {

/// Which node of a story a record became.
struct StoryIndex {
  std::vector<uint32_t> of_event, of_hop, query_of_event;  ///< StoryNode::kNone: none
};

/// Finds the edges of a story whose nodes are there, in which task and part each of them is, and
/// what it is nested in; `above` forms no circle.
void connect(const Graph& graph, const StoryIndex& index, Story& story);

}  // namespace xtrace
