#include "view/diff/run_steps.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <queue>
#include <tuple>

#include "base/hash.h"
#include "base/union_find.h"
#include "link/story/nesting.h"

namespace xtrace {

namespace {

/// Finds the sequences that steps side by side (all nested in one step, or in none) fall into:
///
///     time  ────────────────────────────────────►
///     1     a     b           c                     one after another: one sequence, a b c
///     2        d ─────                              one overlaps another: each is a sequence of
///                e ─────                            its own, free; so is all that one answer asks
///                                                   for at once
///     3     f ──► g ──► i                           edges join: a sequence for each group, in the
///            └──► h ──────┘                         order of the edges, f g h i, free
///
/// In 1 time alone tells the order, so a sequence of it is only as good as the clock; 3 needs none.
class SequenceFinder {
 public:
  /// `is_before`: of two steps of one time.
  SequenceFinder(const Story& story, const std::function<bool(uint32_t, uint32_t)>& is_before,
                 const std::vector<std::vector<uint32_t>>& edges,
                 const std::vector<uint32_t>& siblings)
      : nodes_(story.nodes), edges_(edges), sorted_(siblings), joined_(siblings.size()) {
    // What is seen of steps decides between those of one time: places in a log must not, nor may
    // hashes that depend on a key.
    std::sort(sorted_.begin(), sorted_.end(), [&](uint32_t a, uint32_t b) {
      return nodes_[a].start != nodes_[b].start ? nodes_[a].start < nodes_[b].start
                                                : is_before(a, b);
    });
    for (uint32_t i = 0; i < sorted_.size(); ++i) index_.emplace_back(sorted_[i], i);
    std::sort(index_.begin(), index_.end());
    join();
  }

  std::vector<StepSequence> find() {
    std::vector<StepSequence> sequences;
    add_unjoined(sequences);
    std::vector<std::vector<uint32_t>> groups(sorted_.size());
    for (uint32_t i = 0; i < sorted_.size(); ++i)
      if (is_joined_[i]) groups[joined_.find(i)].push_back(i);
    for (const std::vector<uint32_t>& group : groups)
      if (!group.empty()) sequences.push_back(in_order_of_edges(group));
    // There is nothing beside it that it could come before or after.
    if (sequences.size() == 1) sequences.front().is_free = false;
    return sequences;
  }

 private:
  uint32_t place_of(uint32_t step) const {
    return std::lower_bound(index_.begin(), index_.end(), std::pair(step, 0u))->second;
  }

  void join() {
    ways_in_.resize(sorted_.size());
    is_joined_.resize(sorted_.size());
    for (uint32_t i = 0; i < sorted_.size(); ++i)
      for (uint32_t to : edges_[sorted_[i]]) {
        uint32_t at = place_of(to);
        joined_.join(i, at);
        ++ways_in_[at];
        is_joined_[i] = is_joined_[at] = true;
      }
  }

  /// One answer of a model asks for all that is nested in its call at once, whenever it then ran.
  bool came_at_once() const {
    uint32_t around = sorted_.empty() ? StoryNode::kNone : nodes_[sorted_.front()].above;
    return around != StoryNode::kNone && nodes_[around].call && !nodes_[around].is_query();
  }

  /// Cases 1 and 2, of what no edge joins.
  void add_unjoined(std::vector<StepSequence>& sequences) const {
    const bool at_once = came_at_once();
    StepSequence in_line;
    std::vector<StepSequence> overlapping;
    Time last = kNoTime;
    for (uint32_t i = 0; i < sorted_.size(); ++i) {
      if (is_joined_[i]) continue;
      const StoryNode& node = nodes_[sorted_[i]];
      uint32_t next = i + 1;
      while (next < sorted_.size() && is_joined_[next]) ++next;
      bool overlaps = at_once || (last != kNoTime && node.start < last) ||
                      (next < sorted_.size() && nodes_[sorted_[next]].start < node.end());
      last = std::max(last, node.end());
      if (overlaps)
        overlapping.push_back({{sorted_[i]}, true});
      else
        in_line.steps.push_back(sorted_[i]);
    }
    if (!in_line.steps.empty()) sequences.push_back(std::move(in_line));
    std::move(overlapping.begin(), overlapping.end(), std::back_inserter(sequences));
  }

  /// Case 3: a topological order; of steps between which there is no edge, by time. A ring, which
  /// clocks that differ can make, is entered at its oldest step.
  StepSequence in_order_of_edges(const std::vector<uint32_t>& group) {
    StepSequence sequence;
    sequence.is_free = true;
    std::vector<bool> done(sorted_.size());
    std::priority_queue<uint32_t, std::vector<uint32_t>, std::greater<>> ready;
    size_t oldest = 0;
    for (uint32_t at : group)
      if (ways_in_[at] == 0) ready.push(at);
    while (sequence.steps.size() < group.size()) {
      if (ready.empty()) {
        while (done[group[oldest]]) ++oldest;
        ready.push(group[oldest]);
      }
      uint32_t at = ready.top();
      ready.pop();
      if (done[at]) continue;
      done[at] = true;
      sequence.steps.push_back(sorted_[at]);
      for (uint32_t to : edges_[sorted_[at]])
        if (uint32_t next = place_of(to); --ways_in_[next] == 0) ready.push(next);
    }
    return sequence;
  }

  const std::vector<StoryNode>& nodes_;
  const std::vector<std::vector<uint32_t>>& edges_;  ///< by step: to steps beside it
  std::vector<uint32_t> sorted_;  ///< the steps by time; all else is by place here
  std::vector<std::pair<uint32_t, uint32_t>> index_;  ///< step, place in sorted_
  UnionFind joined_;
  std::vector<uint32_t> ways_in_;  ///< edges from steps that have no place in a sequence yet
  std::vector<bool> is_joined_;
};

}  // namespace

RunSteps::RunSteps(const Graph& graph, const Payloads* payloads, const Story& story,
                   std::vector<std::string> names, std::vector<std::string> ignored,
                   Compared compared)
    : graph_(graph),
      payloads_(payloads),
      story_(story),
      names_(std::move(names)),
      ignored_(std::move(ignored)),
      compared_(compared),
      has_query_(graph.trace().calls.size()),
      hashes_(story_.nodes.size()),
      labels_(story_.nodes.size()),
      below_(story_.nodes.size() + 1) {
  for (const StoryNode& node : story_.nodes)
    if (node.is_query()) has_query_[node.call.index] = true;
  Redactor redactor;
  for (uint32_t i = 0; i < size(); ++i) {
    mark(i);
    hashes_[i].shown = shown_mark(i, redactor);
  }
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

/// Names the sequences, and puts them in order of time; those of one time by what is seen of them.
RunSteps::Closed RunSteps::close(std::vector<StepSequence>& sequences, Closed own) const {
  for (StepSequence& sequence : sequences) {
    sequence.key = sequence.shown = sequence.is_free;
    for (uint32_t step : sequence.steps) {
      sequence.key = chain(sequence.key, hashes_[step].deep);
      sequence.shown = chain(sequence.shown, hashes_[step].shown_deep);
    }
  }
  auto place = [&](const StepSequence& sequence) {
    const uint32_t first = sequence.steps.front();
    return std::tuple(story_.nodes[first].start, seen(first, sequence.shown));
  };
  std::stable_sort(
      sequences.begin(), sequences.end(),
      [&](const StepSequence& a, const StepSequence& b) { return place(a) < place(b); });
  // In which order those came that could have come in any is no part of what happened.
  Closed free;
  for (const StepSequence& sequence : sequences) {
    free.deep += chain(1, sequence.key);
    free.shown += chain(1, sequence.shown);
  }
  return {chain(own.deep, free.deep), chain(own.shown, free.shown)};
}

void RunSteps::order_steps() {
  std::vector<std::vector<uint32_t>> edges = sibling_edges();
  auto is_before = [&](uint32_t a, uint32_t b) {
    return std::tuple(seen(a, hashes_[a].shown_deep), a) <
           std::tuple(seen(b, hashes_[b].shown_deep), b);
  };
  std::vector<std::vector<uint32_t>> members(size() + 1);
  for (uint32_t i = 0; i < size(); ++i)
    members[std::min<size_t>(story_.nodes[i].above, size())].push_back(i);
  const Nesting nesting(story_);
  std::span<const uint32_t> outside_in = nesting.order();
  // What is nested is known before what is around it.
  for (size_t i = outside_in.size(); i-- > 0;) {
    uint32_t step = outside_in[i];
    below_[step] = SequenceFinder(story_, is_before, edges, members[step]).find();
    const Closed closed = close(below_[step], {hashes_[step].whole, hashes_[step].shown});
    hashes_[step].deep = closed.deep;
    hashes_[step].shown_deep = closed.shown;
  }
  below_.back() = SequenceFinder(story_, is_before, edges, members.back()).find();
  const Closed all = close(below_.back(), {});
  key_ = all.deep;
  shown_key_ = all.shown;

  std::vector<uint32_t> open;
  auto push = [&](const std::vector<StepSequence>& sequences) {
    const std::vector<uint32_t> steps = in_time(sequences);
    open.insert(open.end(), steps.rbegin(), steps.rend());
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

std::vector<uint32_t> RunSteps::in_time(const std::vector<StepSequence>& sequences) const {
  static const std::vector<uint32_t> kNone;
  const auto line = std::ranges::find(sequences, false, &StepSequence::is_free);
  const std::vector<uint32_t>& in_line = line == sequences.end() ? kNone : line->steps;
  auto start = [&](uint32_t step) { return story_.nodes[step].start; };
  std::vector<uint32_t> steps;
  size_t taken = 0;
  for (auto at = sequences.begin(); at != sequences.end(); ++at) {
    if (at == line) continue;
    // Of equal times they stay as they are.
    for (; taken < in_line.size(); ++taken) {
      const Time own = start(in_line[taken]), other = start(at->steps.front());
      if (own > other || (own == other && line > at)) break;
      steps.push_back(in_line[taken]);
    }
    steps.insert(steps.end(), at->steps.begin(), at->steps.end());
  }
  steps.insert(steps.end(), in_line.begin() + static_cast<std::ptrdiff_t>(taken), in_line.end());
  return steps;
}

std::vector<bool> RunSteps::reached_from(uint32_t step) const {
  std::vector<std::vector<uint32_t>> next(size());
  for (const StoryEdge& edge : story_.edges) next[edge.from].push_back(edge.to);
  for (uint32_t i = 0; i < size(); ++i)
    if (story_.nodes[i].above != StoryNode::kNone) next[story_.nodes[i].above].push_back(i);
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
    for (uint32_t up = story_.nodes[at].above; up != StoryNode::kNone && !is_left[up];
         up = story_.nodes[up].above) {
      is_left[up] = true;
      for (uint32_t to : next[up])
        if (story_.nodes[to].above != up && !story_.nodes[up].is_query()) reach(to);
    }
  }
  return reached;
}

}  // namespace xtrace
