#include "link/reach/cause_graph.h"

#include <algorithm>
#include <tuple>
#include <utility>

namespace xtrace {

namespace {

/// Of links between the same two nodes, the surest one with the strongest evidence of all.
void merge_equal(std::vector<CauseLink>& links) {
  std::ranges::sort(links, {}, [](const CauseLink& link) {
    return std::tuple(link.to, link.from, -link.confidence, 255 - link.strength, link.row);
  });
  size_t kept = 0;
  for (const CauseLink& link : links) {
    if (link.from == link.to) continue;
    if (kept > 0 && links[kept - 1].to == link.to && links[kept - 1].from == link.from) {
      links[kept - 1].strength = std::max(links[kept - 1].strength, link.strength);
      continue;
    }
    links[kept++] = link;
  }
  links.resize(kept);
}

}  // namespace

CauseGraph::CauseGraph(size_t nodes, std::vector<CauseLink> links)
    : size_(nodes), links_(std::move(links)) {
  merge_equal(links_);
  index_links();
  put_in_order();
}

void CauseGraph::index_links() {
  in_ = EdgeIndex<>(size_, links_.size(), [&](uint32_t i) { return links_[i].to; });
  out_ = EdgeIndex<>(size_, links_.size(), [&](uint32_t i) { return links_[i].from; });
}

/// In depth first from the beginnings; a link to a node whose effects are being looked at closes a
/// circle.
void CauseGraph::put_in_order() {
  enum State : uint8_t { unseen, open, done };
  std::vector<uint8_t> state(size_, unseen);
  std::vector<bool> closes(links_.size());
  struct Visit {
    uint32_t node;
    size_t next;
  };
  std::vector<Visit> stack;
  order_.reserve(size_);
  const auto visit_from = [&](uint32_t first) {
    if (state[first] != unseen) return;
    state[first] = open;
    stack.push_back({first, 0});
    while (!stack.empty()) {
      Visit& at = stack.back();
      const std::span<const uint32_t> out = out_.of(at.node);
      if (at.next == out.size()) {
        state[at.node] = done;
        order_.push_back(at.node);
        stack.pop_back();
        continue;
      }
      const uint32_t link = out[out.size() - ++at.next];  // backwards, as the order is reversed
      const uint32_t to = links_[link].to;
      if (state[to] == open) closes[link] = true;
      if (state[to] != unseen) continue;
      state[to] = open;
      stack.push_back({to, 0});
    }
  };
  // The last ones first: the order is reversed afterwards. Circles that no beginning leads into
  // come at the end, from their first node on.
  for (size_t i = size_; i-- > 0;)
    if (in_.of(static_cast<uint32_t>(i)).empty()) visit_from(static_cast<uint32_t>(i));
  for (size_t i = 0; i < size_; ++i) visit_from(static_cast<uint32_t>(i));
  std::ranges::reverse(order_);
  left_out_ = static_cast<size_t>(std::ranges::count(closes, true));
  if (left_out_ == 0) return;
  std::vector<CauseLink> kept;
  kept.reserve(links_.size() - left_out_);
  for (size_t i = 0; i < links_.size(); ++i)
    if (!closes[i]) kept.push_back(links_[i]);
  links_ = std::move(kept);
  index_links();
}

Dominators::Dominators(const CauseGraph& graph) : at_(graph.size() + 1) {
  for (uint32_t node : graph.order()) {
    const std::span<const uint32_t> causes = graph.causes_of(node);
    uint32_t above = causes.empty() ? 0 : graph[causes.front()].from + 1;
    for (uint32_t link : causes.subspan(std::min<size_t>(causes.size(), 1)))
      above = meet(above, graph[link].from + 1);
    put_below(node + 1, above);
  }
}

/// Jumps are as long as those of the two above, added, where these are equal: the numbers of a skew
/// binary system.
void Dominators::put_below(uint32_t node, uint32_t above) {
  const Place& over = at_[above];
  const Place& jumped = at_[over.jump];
  const bool doubles = over.depth - jumped.depth == jumped.depth - at_[jumped.jump].depth;
  at_[node] = {above, doubles ? jumped.jump : above, over.depth + 1};
}

uint32_t Dominators::meet(uint32_t a, uint32_t b) const {
  if (at_[a].depth < at_[b].depth) std::swap(a, b);
  while (at_[a].depth > at_[b].depth)
    a = at_[at_[a].jump].depth >= at_[b].depth ? at_[a].jump : at_[a].above;
  // Of one depth, both have jumps of one length.
  while (a != b) {
    const bool jumps = at_[a].jump != at_[b].jump;
    a = jumps ? at_[a].jump : at_[a].above;
    b = jumps ? at_[b].jump : at_[b].above;
  }
  return a;
}

std::vector<uint32_t> Dominators::chain(uint32_t node) const {
  std::vector<uint32_t> all;
  for (uint32_t at = above(node); at != CauseGraph::kNone; at = above(at)) all.push_back(at);
  std::ranges::reverse(all);
  return all;
}

Reached find_reached(const CauseGraph& graph, std::span<const uint32_t> from) {
  constexpr uint32_t kNone = CauseGraph::kNone;
  Reached found;
  found.distance.assign(graph.size(), kNone);
  found.best.assign(graph.size(), 0);
  found.upper.assign(graph.size(), 0);
  found.last_link.assign(graph.size(), kNone);
  std::vector<uint32_t> queue(from.begin(), from.end());
  for (uint32_t node : queue) found.distance[node] = 0;
  for (size_t i = 0; i < queue.size(); ++i)
    for (uint32_t link : graph.effects_of(queue[i])) {
      const uint32_t to = graph[link].to;
      if (found.distance[to] != kNone) continue;
      found.distance[to] = found.distance[queue[i]] + 1;
      queue.push_back(to);
    }
  for (uint32_t node : graph.order()) {
    if (found.begins_at(node)) found.best[node] = found.upper[node] = 1;
    if (!found.has(node)) continue;
    found.nodes.push_back(node);
    double miss = 1;
    for (uint32_t link : graph.causes_of(node)) {
      const CauseLink& cause = graph[link];
      if (found.distance[cause.from] == kNone) continue;
      miss *= 1 - cause.confidence * found.upper[cause.from];
      const double sure = cause.confidence * found.best[cause.from];
      const uint32_t last = found.last_link[node];
      // Of equally sure ones, the one with the stronger evidence, then the shorter one.
      const auto rank = [&](double confidence, const CauseLink& one) {
        return std::tuple(-confidence, 255 - one.strength, found.distance[one.from], one.from);
      };
      if (last != kNone && rank(found.best[node], graph[last]) <= rank(sure, cause)) continue;
      found.best[node] = sure;
      found.last_link[node] = link;
    }
    found.upper[node] = 1 - miss;
  }
  return found;
}

std::vector<bool> find_causes(const CauseGraph& graph, std::span<const uint32_t> to) {
  std::vector<bool> found(graph.size());
  std::vector<uint32_t> queue(to.begin(), to.end());
  for (uint32_t node : queue) found[node] = true;
  while (!queue.empty()) {
    const uint32_t node = queue.back();
    queue.pop_back();
    for (uint32_t link : graph.causes_of(node))
      if (const uint32_t cause = graph[link].from; !found[cause]) {
        found[cause] = true;
        queue.push_back(cause);
      }
  }
  return found;
}

std::vector<bool> find_only_through(const CauseGraph& graph, const Reached& reached,
                                    std::span<const uint32_t> from) {
  std::vector<bool> around(graph.size());  // reached on a way that avoids these
  std::vector<bool> is_removed(graph.size());
  for (uint32_t node : from) is_removed[node] = true;
  for (uint32_t node : graph.order()) {
    if (is_removed[node]) continue;
    const std::span<const uint32_t> causes = graph.causes_of(node);
    around[node] = causes.empty() || std::ranges::any_of(causes, [&](uint32_t link) {
                     return around[graph[link].from];
                   });
  }
  std::vector<bool> only(graph.size());
  for (uint32_t node : reached.nodes) only[node] = !around[node];
  return only;
}

std::vector<Possible> find_possible(const CauseGraph& graph, const Reached& reached,
                                    std::span<const CauseRival> rivals) {
  std::vector<Possible> found;
  if (rivals.empty()) return found;
  // Rivals may point against the order of causes, so they are put into one of their own.
  std::vector<CauseLink> both(graph.links().begin(), graph.links().end());
  const uint32_t links = static_cast<uint32_t>(both.size());
  for (uint32_t i = 0; i < links; ++i) both[i].row = i;
  for (uint32_t i = 0; i < rivals.size(); ++i)
    both.push_back({rivals[i].from, rivals[i].to, rivals[i].confidence, links + i, 0});
  const CauseGraph with_rivals(graph.size(), std::move(both));
  std::vector<double> share(graph.size());
  for (size_t i = 0; i < graph.size(); ++i)
    if (reached.distance[i] != CauseGraph::kNone) share[i] = reached.best[i];
  struct Way {
    uint32_t row;
    double share;
  };
  std::vector<Way> ways;
  for (uint32_t node : with_rivals.order()) {
    if (reached.distance[node] != CauseGraph::kNone) continue;
    Possible one{node, 0, CauseGraph::kNone, 0};
    double best = 0;
    ways.clear();
    for (uint32_t link : with_rivals.causes_of(node)) {
      const CauseLink& cause = with_rivals[link];
      if (share[cause.from] <= 0) continue;
      const double holds = cause.confidence * share[cause.from];
      const uint32_t row = cause.row < links ? graph[cause.row].row : rivals[cause.row - links].row;
      ways.push_back({row, holds});
      if (holds <= best) continue;
      best = holds;
      one.via = cause.from;
      one.row = row;
    }
    if (ways.empty()) continue;
    // Of one link, one source at most is the true one, so these shares add up.
    std::ranges::sort(ways, {}, [](const Way& way) { return std::pair(way.row, way.share); });
    double miss = 1, of_link = 0;
    for (size_t i = 0; i < ways.size(); ++i) {
      of_link += ways[i].share;
      if (i + 1 < ways.size() && ways[i + 1].row == ways[i].row) continue;
      miss *= 1 - std::min(of_link, 1.0);
      of_link = 0;
    }
    one.confidence = share[node] = 1 - miss;
    found.push_back(one);
  }
  return found;
}

}  // namespace xtrace
