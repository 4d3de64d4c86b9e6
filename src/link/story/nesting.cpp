#include "link/story/nesting.h"

#include <algorithm>
#include <unordered_map>
#include <utility>

namespace xtrace {

namespace {

/// The outermost nodes of each part, parts by their numbers.
std::vector<std::vector<uint32_t>> tops_of(const Story& story) {
  std::vector<uint32_t> list(story.nodes.size(), StoryNode::kNone);  // by part
  std::vector<std::pair<uint32_t, std::vector<uint32_t>>> tops;
  for (uint32_t i = 0; i < story.nodes.size(); ++i) {
    const StoryNode& node = story.nodes[i];
    if (node.above != StoryNode::kNone) continue;
    uint32_t& at = list[node.part];
    if (at == StoryNode::kNone) {
      at = static_cast<uint32_t>(tops.size());
      tops.emplace_back(node.part, std::vector<uint32_t>());
    }
    tops[at].second.push_back(i);
  }
  std::ranges::sort(tops, {}, [](const auto& one) { return one.first; });
  std::vector<std::vector<uint32_t>> by_part;
  by_part.reserve(tops.size());
  for (auto& [part, nodes] : tops) by_part.push_back(std::move(nodes));
  return by_part;
}

/// Puts those of one task side by side, tasks by their first.
void sort_by_task(const Story& story, std::vector<uint32_t>& tops) {
  const auto task_of = [&](uint32_t top) { return story.nodes[top].task.index; };
  const uint32_t task = task_of(tops.front());
  if (std::ranges::all_of(tops, [&](uint32_t top) { return task_of(top) == task; })) return;
  std::unordered_map<uint32_t, uint32_t> first;
  for (uint32_t top : tops) first.try_emplace(task_of(top), top);
  std::ranges::stable_sort(tops, {}, [&](uint32_t top) { return first[task_of(top)]; });
}

}  // namespace

Nesting::Nesting(const Story& story)
    : tops_(tops_of(story)),
      below_(story.nodes.size(), story.nodes.size(),
             [&](uint32_t node) { return story.nodes[node].above; }),
      place_(story.nodes.size()),
      end_(story.nodes.size()),
      depth_(story.nodes.size()) {
  static_assert(StoryNode::kNone == EdgeIndex<uint32_t>::kNowhere);
  order_.reserve(story.nodes.size());
  for (std::vector<uint32_t>& tops : tops_) {
    sort_by_task(story, tops);
    walk(tops);
  }
}

void Nesting::walk(std::span<const uint32_t> tops) {
  // Nodes, and how many of those below them are behind.
  std::vector<std::pair<uint32_t, size_t>> open;
  const auto enter = [&](uint32_t node) {
    place_[node] = static_cast<uint32_t>(order_.size());
    depth_[node] = static_cast<uint32_t>(open.size());
    order_.push_back(node);
    open.emplace_back(node, 0);
  };
  for (uint32_t top : tops) {
    enter(top);
    while (!open.empty()) {
      auto& [node, next] = open.back();
      if (next < below(node).size()) {
        enter(below(node)[next++]);
        continue;
      }
      end_[node] = static_cast<uint32_t>(order_.size());
      open.pop_back();
    }
  }
}

}  // namespace xtrace
