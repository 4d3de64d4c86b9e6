#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "input/growing/generation.h"
#include "link/graph/graph.h"
#include "live/group_story.h"

namespace xtrace {

/// A graph of some records, and what of it is in payloads.
struct Linked {
  uint32_t part = 0;
  std::shared_ptr<const Graph> graph;
  std::shared_ptr<const Payloads> payloads;
  std::vector<uint32_t> generations;  ///< by source
  std::shared_ptr<Story> story;       ///< where its tasks go on in other parts
};

/// A part that was linked alone, in words.
struct SaidPart {
  const Linked& linked;
  const Generations& generations;
  GraphRows rows;
  std::vector<TaskSteps::Said> said;  ///< by node
};

/// The names of its nodes; `door` let them through. Requires: `rows` has a node for each.
std::vector<TaskSteps::Said> said_of(const Linked& linked, const GraphRows& rows, Door& door);

/// Names of the nodes of a part, and its edges' own.
class PartNames final : public StoryNames {
 public:
  PartNames(const SaidPart& part, Door& door) : part_(part), door_(door) {}
  Text id_of(uint32_t node) const override { return door_.composed(part_.said[node].id); }
  Text place_of(uint32_t node) const override { return door_.composed(part_.said[node].place); }
  Text key_of(const StoryEdge& edge) const override {
    return door_.name(part_.linked.graph->trace()[edge.key]);
  }
  Cell notes_of(const StoryEdge& /*edge*/, CellArena& /*arena*/) const override { return {}; }

 private:
  const SaidPart& part_;
  Door& door_;
};

/// Adds its edges to its rows, without their words: most of them were shown before, and to write a
/// row costs more than to see that it says the same.
void add_edges(SaidPart& part);

/// A step of a part, for the order among those of its task.
TaskSteps::Step task_step(const SaidPart& part, size_t at);

/// All that a story of its group has to know of a part; takes its rows.
GroupStory::PartStory part_story(SaidPart& part, StoryWords& words, Door& door);

}  // namespace xtrace
