#include "view/diff/run_steps.h"

#include <algorithm>
#include <queue>
#include <tuple>

#include "base/hash.h"
#include "base/union_find.h"
#include "link/story/nesting.h"

namespace xtrace {

namespace {
constexpr uint32_t kNone = StoryNode::kNone;
}

RunSteps::RunSteps(const Graph& graph, const Payloads* payloads, const Story& story,
                   std::vector<std::string> names, std::vector<std::string> ignored)
    : graph_(graph),
      payloads_(payloads),
      story_(story),
      names_(std::move(names)),
      ignored_(std::move(ignored)),
      has_query_(graph.trace().events.size()),
      hashes_(story_.nodes.size()),
      below_(story_.nodes.size() + 1) {
  for (const StoryNode& node : story_.nodes)
    if (node.is_query) has_query_[node.call.index] = true;
  for (uint32_t i = 0; i < size(); ++i) mark(i);
  order_steps();
}

/// Edges between steps side by side: those of the story, lifted to where its ends part.
std::vector<std::vector<uint32_t>> RunSteps::sibling_edges() const {
  const std::vector<StoryNode>& nodes = story_.nodes;
  const std::vector<uint32_t> depths = Nesting(story_).depths();
  std::vector<std::vector<uint32_t>> edges(size());
  for (const StoryEdge& edge : story_.edges) {
    uint32_t from = edge.from, to = edge.to;
    while (depths[from] > depths[to]) from = nodes[from].above;
    while (depths[to] > depths[from]) to = nodes[to].above;
    while (from != to && nodes[from].above != nodes[to].above) {
      from = nodes[from].above;
      to = nodes[to].above;
    }
    if (from != to) edges[from].push_back(to);
  }
  return edges;
}

/// Names the sequences, and puts them in order of time; those of one time by what they are.
uint64_t RunSteps::close(std::vector<StepSequence>& sequences, uint64_t key) const {
  for (StepSequence& sequence : sequences) {
    sequence.key = sequence.is_free;
    for (uint32_t step : sequence.steps) sequence.key = chain(sequence.key, hashes_[step].deep);
  }
  auto place = [&](const StepSequence& sequence) {
    return std::tuple(story_.nodes[sequence.steps.front()].start, sequence.key);
  };
  std::stable_sort(
      sequences.begin(), sequences.end(),
      [&](const StepSequence& a, const StepSequence& b) { return place(a) < place(b); });
  // In which order those came that could have come in any is no part of what happened.
  uint64_t free = 0;
  for (const StepSequence& sequence : sequences) free += chain(1, sequence.key);
  return chain(key, free);
}

std::vector<StepSequence> RunSteps::sequences_of(
    const std::vector<uint32_t>& siblings, const std::vector<std::vector<uint32_t>>& edges) const {
  const std::vector<StoryNode>& nodes = story_.nodes;
  // One answer asks for all that is nested in a call at once.
  const uint32_t around = siblings.empty() ? kNone : nodes[siblings.front()].above;
  const bool at_once = around != kNone && nodes[around].call && !nodes[around].is_query;
  std::vector<uint32_t> sorted = siblings;
  auto earlier = [&](uint32_t a, uint32_t b) {
    return std::tuple(nodes[a].start, hashes_[a].deep, a) <
           std::tuple(nodes[b].start, hashes_[b].deep, b);
  };
  std::sort(sorted.begin(), sorted.end(), earlier);
  std::vector<std::pair<uint32_t, uint32_t>> index;  // step, place in `sorted`
  for (uint32_t i = 0; i < sorted.size(); ++i) index.emplace_back(sorted[i], i);
  std::sort(index.begin(), index.end());
  auto place_of = [&](uint32_t step) {
    return std::lower_bound(index.begin(), index.end(), std::pair(step, 0u))->second;
  };
  UnionFind joined(sorted.size());
  std::vector<uint32_t> ways_in(sorted.size());
  std::vector<bool> is_joined(sorted.size());
  for (uint32_t i = 0; i < sorted.size(); ++i)
    for (uint32_t to : edges[sorted[i]]) {
      uint32_t at = place_of(to);
      joined.join(i, at);
      ++ways_in[at];
      is_joined[i] = is_joined[at] = true;
    }

  // What nothing joins stands one after another, unless it overlaps.
  std::vector<StepSequence> sequences(1);
  Time last = kNoTime;
  for (uint32_t i = 0; i < sorted.size(); ++i) {
    if (is_joined[i]) continue;
    const StoryNode& node = nodes[sorted[i]];
    uint32_t next = i + 1;
    while (next < sorted.size() && is_joined[next]) ++next;
    bool overlaps = at_once || (last != kNoTime && node.start < last) ||
                    (next < sorted.size() && nodes[sorted[next]].start < node.end());
    last = std::max(last, node.end());
    if (overlaps)
      sequences.push_back({{sorted[i]}, true});
    else
      sequences.front().steps.push_back(sorted[i]);
  }
  if (sequences.front().steps.empty()) sequences.erase(sequences.begin());

  // The others in the order of their edges, those between which there is none by time.
  std::vector<std::vector<uint32_t>> members(sorted.size());
  for (uint32_t i = 0; i < sorted.size(); ++i)
    if (is_joined[i]) members[joined.find(i)].push_back(i);
  std::vector<bool> done(sorted.size());
  for (const std::vector<uint32_t>& group : members) {
    if (group.empty()) continue;
    StepSequence sequence;
    sequence.is_free = true;
    std::priority_queue<uint32_t, std::vector<uint32_t>, std::greater<>> ready;
    size_t oldest = 0;
    for (uint32_t at : group)
      if (ways_in[at] == 0) ready.push(at);
    while (sequence.steps.size() < group.size()) {
      if (ready.empty()) {  // a ring, which clocks that differ can make
        while (done[group[oldest]]) ++oldest;
        ready.push(group[oldest]);
      }
      uint32_t at = ready.top();
      ready.pop();
      if (done[at]) continue;
      done[at] = true;
      sequence.steps.push_back(sorted[at]);
      for (uint32_t to : edges[sorted[at]])
        if (uint32_t next = place_of(to); --ways_in[next] == 0) ready.push(next);
    }
    sequences.push_back(std::move(sequence));
  }
  if (sequences.size() == 1) sequences.front().is_free = false;
  return sequences;
}

void RunSteps::order_steps() {
  std::vector<std::vector<uint32_t>> edges = sibling_edges();
  std::vector<std::vector<uint32_t>> members(size() + 1);
  for (uint32_t i = 0; i < size(); ++i)
    members[std::min<size_t>(story_.nodes[i].above, size())].push_back(i);
  const Nesting nesting(story_);
  std::span<const uint32_t> outside_in = nesting.order();
  // What is nested is known before what is around it.
  for (size_t i = outside_in.size(); i-- > 0;) {
    uint32_t step = outside_in[i];
    below_[step] = sequences_of(members[step], edges);
    hashes_[step].deep = close(below_[step], hashes_[step].whole);
  }
  below_.back() = sequences_of(members.back(), edges);
  key_ = close(below_.back(), 0);

  std::vector<uint32_t> open;
  auto push = [&](const std::vector<StepSequence>& sequences) {
    for (size_t i = sequences.size(); i-- > 0;)
      open.insert(open.end(), sequences[i].steps.rbegin(), sequences[i].steps.rend());
  };
  push(tops());
  place_.resize(size());
  while (!open.empty()) {
    uint32_t step = open.back();
    open.pop_back();
    place_[step] = static_cast<uint32_t>(order_.size());
    order_.push_back(step);
    push(below_[step]);
  }
}

std::vector<bool> RunSteps::reached_from(uint32_t step) const {
  std::vector<std::vector<uint32_t>> next(size());
  for (const StoryEdge& edge : story_.edges) next[edge.from].push_back(edge.to);
  for (uint32_t i = 0; i < size(); ++i)
    if (story_.nodes[i].above != kNone) next[story_.nodes[i].above].push_back(i);
  std::vector<bool> reached(size()), is_left(size());
  std::vector<uint32_t> open = {step};
  auto reach = [&](uint32_t to) {
    if (reached[to] || to == step) return;
    reached[to] = true;
    open.push_back(to);
  };
  while (!open.empty()) {
    uint32_t at = open.back();
    open.pop_back();
    for (uint32_t to : next[at]) reach(to);
    // Whoever started a subagent goes on with what that found out.
    for (uint32_t up = story_.nodes[at].above; up != kNone && !is_left[up];
         up = story_.nodes[up].above) {
      is_left[up] = true;
      for (uint32_t to : next[up])
        if (story_.nodes[to].above != up && !story_.nodes[up].is_query) reach(to);
    }
  }
  return reached;
}

}  // namespace xtrace
