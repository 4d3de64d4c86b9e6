#include "link/story/nesting.h"

#include <algorithm>
#include <unordered_map>

namespace xtrace {

Nesting::Nesting(const Story& story) : below_(story.nodes.size()) {
  std::vector<std::vector<uint32_t>> roots(story.nodes.size());  // by part
  for (uint32_t i = 0; i < story.nodes.size(); ++i) {
    const StoryNode& node = story.nodes[i];
    if (node.above == StoryNode::kNone)
      roots[node.part].push_back(i);
    else
      below_[node.above].push_back(i);
  }
  place_.resize(story.nodes.size());
  end_.resize(story.nodes.size());
  depth_.resize(story.nodes.size());
  for (std::vector<uint32_t>& tops : roots) {
    if (tops.empty()) continue;
    // Those of one task side by side, tasks by their first.
    std::unordered_map<uint32_t, uint32_t> first;
    for (uint32_t top : tops) first.try_emplace(story.nodes[top].task.index, top);
    std::stable_sort(tops.begin(), tops.end(), [&](uint32_t a, uint32_t b) {
      return first[story.nodes[a].task.index] < first[story.nodes[b].task.index];
    });
    for (uint32_t top : tops) walk(top);
    tops_.push_back(std::move(tops));
  }
}

void Nesting::walk(uint32_t top) {
  std::vector<std::pair<uint32_t, bool>> open = {{top, false}};
  while (!open.empty()) {
    auto [at, left] = open.back();
    open.pop_back();
    if (left) {
      end_[at] = static_cast<uint32_t>(order_.size());
      continue;
    }
    place_[at] = static_cast<uint32_t>(order_.size());
    order_.push_back(at);
    open.emplace_back(at, true);
    for (size_t i = below_[at].size(); i-- > 0;) {
      depth_[below_[at][i]] = depth_[at] + 1;
      open.emplace_back(below_[at][i], false);
    }
  }
}

}  // namespace xtrace
