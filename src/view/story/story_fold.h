#pragma once

#include <functional>

#include "link/story/story.h"
#include "view/story/story_options.h"

namespace xtrace {

/// Nodes of a story that are shown as one.
struct Summary {
  enum class Why : uint8_t {
    routine,    ///< all went well, fast and cheaply (below StoryLimits::latency and ::cost)
    depth,      ///< they are nested deeper than is shown (maxCoTDepth)
    aged,       ///< they ended long ago, and nothing newer has to do with them (nodeTTLMinutes)
    truncated,  ///< the oldest of a task with too many (maxNodesPerTask)
  };
  Why why = Why::routine;
  uint32_t first = 0;             ///< the first of its members in the order of the story; names it
  std::vector<uint32_t> members;  ///< in that order, two or more
};

/// A story as it is shown: nodes and summaries, and what of the one led to what of the other. It is
/// a function of the story alone, each part of it by itself, and has no circle that the story does
/// not have, because members are neighbours in an order in which causes come first.
struct FoldedStory {
  static constexpr uint32_t kNone = UINT32_MAX;
  std::vector<Summary> summaries;
  std::vector<uint32_t> summary_of;  ///< by node; kNone: it is shown
  /// All nodes, what is nested in one right behind it.
  std::vector<uint32_t> order;
  std::vector<uint32_t> depth;  ///< by node: how many are around it
  /// Edges between what is shown: `from` and `to` of a summary are those of its first member.
  std::vector<StoryEdge> edges;
};

/// `expanded`: is the summary that a node names first to be shown member by member?
FoldedStory fold(const Story& story, const StoryLimits& limits,
                 const std::function<bool(const Summary&)>& expanded);
/// Nothing folds.
FoldedStory unfolded(const Story& story);

}  // namespace xtrace
