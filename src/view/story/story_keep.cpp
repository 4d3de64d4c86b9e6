#include <algorithm>
#include <map>
#include <tuple>
#include <unordered_map>

#include "view/common/field.h"
#include "view/story/story_filter.h"

namespace xtrace {

namespace {

/// For each node that is not kept, the nearest kept ones that led to it.
class HiddenPaths {
 public:
  struct Way {
    uint32_t from = 0, hidden = 0;
    double confidence = 1;
  };

  HiddenPaths(const Story& story, const std::vector<bool>& kept, double min_confidence)
      : story_(story),
        kept_(kept),
        min_confidence_(min_confidence),
        causes_(kept.size(), story.edges.size(), [&](uint32_t i) { return story.edges[i].to; }),
        ways_(kept.size()),
        state_(kept.size(), State::unknown) {}

  bool is_sure(const StoryEdge& edge) const {
    return thousandths(edge.confidence) >= min_confidence_;
  }

  /// Of a node that is not kept.
  const std::vector<Way>& to(uint32_t node) {
    std::vector<uint32_t> open = {node};
    while (!open.empty()) {
      uint32_t at = open.back();
      if (state_[at] == State::unknown) {
        state_[at] = State::open;
        for (uint32_t i : causes_.of(at)) {
          uint32_t from = story_.edges[i].from;
          if (!kept_[from] && state_[from] == State::unknown) open.push_back(from);
        }
      } else {
        open.pop_back();
        if (state_[at] == State::open) gather(at);
        state_[at] = State::known;
      }
    }
    return ways_[node];
  }

 private:
  enum class State : uint8_t { unknown, open, known };

  void gather(uint32_t at) {
    // More ways than this into one hidden step no reader follows.
    constexpr size_t kMostWays = 64;
    std::map<uint32_t, Way> nearest;
    for (uint32_t i : causes_.of(at)) {
      const StoryEdge& edge = story_.edges[i];
      if (!is_sure(edge)) continue;
      if (kept_[edge.from]) {
        note({edge.from, edge.hidden + 1, edge.confidence}, nearest);
        continue;
      }
      for (const Way& way : ways_[edge.from])
        note({way.from, way.hidden + edge.hidden + 1, way.confidence * edge.confidence}, nearest);
    }
    for (const auto& [from, way] : nearest)
      if (ways_[at].size() < kMostWays) ways_[at].push_back(way);
  }

  static void note(Way way, std::map<uint32_t, Way>& nearest) {
    auto [known, is_new] = nearest.emplace(way.from, way);
    if (!is_new && way.hidden < known->second.hidden) known->second = way;
  }

  const Story& story_;
  const std::vector<bool>& kept_;
  double min_confidence_;
  EdgeIndex<> causes_;  ///< into each node: indices into Story::edges
  std::vector<std::vector<Way>> ways_;
  std::vector<State> state_;
};

}  // namespace

Story keep(const Story& story, const std::vector<bool>& kept, double min_confidence,
           Hidden& hidden) {
  Story of;
  of.words = story.words;
  std::vector<uint32_t> place(kept.size(), StoryNode::kNone);
  for (uint32_t i = 0; i < kept.size(); ++i) {
    if (!kept[i]) {
      ++hidden.nodes;
      continue;
    }
    place[i] = static_cast<uint32_t>(of.nodes.size());
    of.nodes.push_back(story.nodes[i]);
    StoryNode& node = of.nodes.back();
    while (node.above != StoryNode::kNone && !kept[node.above])
      node.above = story.nodes[node.above].above;
  }
  std::unordered_map<uint32_t, uint32_t> part;  // is called by the first of its nodes
  for (uint32_t i = 0; i < of.nodes.size(); ++i) {
    StoryNode& node = of.nodes[i];
    if (node.above != StoryNode::kNone) node.above = place[node.above];
    node.part = part.try_emplace(node.part, i).first->second;
  }

  HiddenPaths hidden_paths(story, kept, min_confidence);
  for (const StoryEdge& edge : story.edges) {
    bool shown = kept[edge.from] && kept[edge.to] && hidden_paths.is_sure(edge);
    if (!shown) ++hidden.edges;
    if (!kept[edge.to] || !hidden_paths.is_sure(edge)) continue;
    StoryEdge copy = edge;
    copy.to = place[edge.to];
    std::erase_if(copy.rivals,
                  [&](const Rival<uint32_t>& other) { return !shown || !kept[other.from]; });
    for (Rival<uint32_t>& other : copy.rivals) other.from = place[other.from];
    if (shown) {
      copy.from = place[edge.from];
      of.edges.push_back(copy);
      continue;
    }
    for (const HiddenPaths::Way& way : hidden_paths.to(edge.from)) {
      if (way.from == edge.to) continue;
      copy.from = place[way.from];
      copy.hidden = way.hidden + edge.hidden;
      copy.confidence = edge.confidence * way.confidence;
      copy.rule = Rule::adjusted;
      copy.key = {};
      of.edges.push_back(copy);
    }
  }
  // A direct edge says more than one over others, and a short way more than a long one.
  std::stable_sort(of.edges.begin(), of.edges.end(), [](const StoryEdge& a, const StoryEdge& b) {
    return std::tuple(a.from, a.to, a.hidden) < std::tuple(b.from, b.to, b.hidden);
  });
  of.edges.erase(std::unique(of.edges.begin(), of.edges.end(),
                             [](const StoryEdge& a, const StoryEdge& b) {
                               return a.from == b.from && a.to == b.to;
                             }),
                 of.edges.end());
  return of;
}

}  // namespace xtrace
