#include <algorithm>

#include "live/group_story.h"

namespace xtrace {

void GroupStory::make_story(const Telling& telling) {
  Story& story = *made_.story;
  story.words = telling.words.pool;
  for (const auto& [node, above] : made_.beside)
    if (node < unmade_) story.nodes[node].above = above;
  made_.beside.clear();
  story.edges.erase(story.edges.begin() + static_cast<std::ptrdiff_t>(made_.part_edges),
                    story.edges.end());
  add_steps();
  add_part_edges(find_changed_slots());
  made_.part_edges = story.edges.size();
  add_order();
  find_parts(story);
  unmade_ = static_cast<uint32_t>(steps_.size());
}

void GroupStory::add_steps() {
  Story& story = *made_.story;
  story.nodes.erase(story.nodes.begin() + unmade_, story.nodes.end());
  made_.ids.resize(unmade_);
  made_.facts.resize(unmade_);
  const auto kept = std::ranges::lower_bound(made_.placed, unmade_);
  made_.places.resize(static_cast<size_t>(kept - made_.placed.begin()));
  made_.placed.erase(kept, made_.placed.end());
  for (uint32_t i = unmade_; i < steps_.size(); ++i) {
    const Step& step = steps_[i];
    slots_[step.slot].places[step.nth] = i;
    story.nodes.push_back(step.node);
    made_.ids.push_back(step.id);
    made_.facts.push_back(step.facts);
    if (!step.place.counts()) continue;
    made_.placed.push_back(i);
    made_.places.push_back(step.place);
  }
}

std::vector<bool> GroupStory::find_changed_slots() const {
  std::vector<bool> changed(slots_.size());
  for (uint32_t i = unmade_; i < steps_.size(); ++i) changed[steps_[i].slot] = true;
  return changed;
}

/// What leads to what in a part, and what is around what, where a step of it has changed or moved.
void GroupStory::add_part_edges(const std::vector<bool>& changed) {
  Story& story = *made_.story;
  std::erase_if(story.edges, [&](const StoryEdge& edge) {
    return std::max(edge.from, edge.to) >= unmade_ || changed[steps_[edge.from].slot];
  });
  for (uint32_t at = 0; at < slots_.size(); ++at) {
    if (!changed[at]) continue;
    const Slot& slot = slots_[at];
    for (const uint32_t place : slot.places) {
      const uint32_t above = steps_[place].node.above;
      story.nodes[place].above = above == StoryNode::kNone ? above : slot.places[above];
    }
    for (const StoryEdge& edge : slot.edges) {
      StoryEdge& added = story.edges.emplace_back(edge);
      added.from = slot.places[edge.from];
      added.to = slot.places[edge.to];
      for (Rival<uint32_t>& rival : added.rivals) rival.from = slot.places[rival.from];
    }
  }
}

/// What only the order of the steps of a task joins.
void GroupStory::add_order() {
  Story& story = *made_.story;
  const std::vector<uint32_t>& nodes = made_.placed;
  TaskOrder order = order_tasks(made_.places);
  for (const auto& [node, beside] : order.beside) {
    uint32_t& above = story.nodes[nodes[node]].above;
    made_.beside.emplace_back(nodes[node], above);
    above = story.nodes[nodes[beside]].above;
  }
  for (TaskEdge& edge : order.edges) {
    for (Rival<uint32_t>& rival : edge.rivals) rival.from = nodes[rival.from];
    const uint32_t to = nodes[edge.to];
    story.edges.push_back({{nodes[edge.from], to, edge.rule},
                           edge.relation,
                           edge.confidence,
                           steps_[to].said->key.empty() ? StringId() : StringId(size_t{0}),
                           0,
                           std::move(edge.rivals)});
  }
}

}  // namespace xtrace
