#include "view/query/visited.h"

#include <algorithm>
#include <deque>
#include <tuple>

#include "redact/clearance.h"

namespace xtrace {

namespace {

void fill(std::string& known, const std::string& more) {
  if (known.empty()) known = more;
}

void add_new(std::vector<std::string>& units, std::set<std::string>& known,
             const std::vector<std::string>& more) {
  for (const std::string& one : more)
    if (known.insert(one).second) units.push_back(one);
}

/// No step visited what is recorded for the query as a whole.
void add_step(std::vector<size_t>& steps, size_t step) {
  if (step == Visited::kNoStep) return;
  if (steps.empty() || steps.back() != step) steps.push_back(step);
}

}  // namespace

size_t Visited::place_of(const std::string& id) {
  auto [place, is_new] = by_id_.emplace(id, nodes_.size());
  if (is_new) {
    nodes_.emplace_back().node.id = id;
    units_of_nodes_.emplace_back();
  }
  return place->second;
}

void Visited::add(const VisitedNode& node, size_t step) {
  if (node.id.empty()) return;  // nothing can be said of it
  const size_t place = place_of(node.id);
  Node& known = nodes_[place];
  fill(known.node.label, node.label);
  fill(known.node.type, node.type);
  fill(known.node.name, node.name);
  fill(known.node.text, node.text);
  known.node.sensitivity = labels_.more_sensitive(known.node.sensitivity, node.sensitivity);
  known.node.is_withheld |= node.is_withheld;
  add_new(known.node.evidence, units_of_nodes_[place], node.evidence);
  add_step(known.steps, step);
}

void Visited::add(const VisitedEdge& edge, size_t step) {
  if (edge.from.empty() || edge.to.empty()) return;
  const size_t from = place_of(edge.from), to = place_of(edge.to);
  for (size_t end : {from, to}) add_step(nodes_[end].steps, step);
  auto [place, is_new] = by_ends_.emplace(std::tuple(from, edge.type, to), edges_.size());
  if (is_new) {
    edges_.push_back({{edge.from, edge.to, edge.type, {}, {}}, from, to, {}});
    units_of_edges_.emplace_back();
  }
  Edge& known = edges_[place->second];
  add_new(known.edge.evidence, units_of_edges_[place->second], edge.evidence);
  add_step(known.steps, step);
}

/// Those nearest to what the answer cites, breadth first: what is cited is shown with what led to
/// it. Nodes as near as each other come in the order in which they were visited, so that a larger
/// limit only adds nodes.
std::vector<bool> Visited::choose(size_t most, const std::set<std::string>& cited) const {
  std::vector<bool> chosen(nodes_.size(), most >= nodes_.size());
  if (most >= nodes_.size()) return chosen;
  std::vector<std::vector<size_t>> neighbours(nodes_.size());
  for (const Edge& edge : edges_) {
    neighbours[edge.from].push_back(edge.to);
    neighbours[edge.to].push_back(edge.from);
  }
  std::vector<size_t> distance(nodes_.size(), SIZE_MAX);
  std::deque<size_t> queue;
  for (size_t i = 0; i < nodes_.size(); ++i) {
    const VisitedNode& node = nodes_[i].node;
    bool is_cited = cited.contains(node.id) ||
                    std::any_of(node.evidence.begin(), node.evidence.end(),
                                [&](const std::string& unit) { return cited.contains(unit); });
    if (!is_cited) continue;
    distance[i] = 0;
    queue.push_back(i);
  }
  for (; !queue.empty(); queue.pop_front())
    for (size_t next : neighbours[queue.front()]) {
      if (distance[next] != SIZE_MAX) continue;
      distance[next] = distance[queue.front()] + 1;
      queue.push_back(next);
    }
  std::vector<size_t> order(nodes_.size());
  for (size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::sort(order.begin(), order.end(), [&](size_t a, size_t b) {
    return std::tuple(distance[a], nodes_[a].first(), nodes_[a].node.id) <
           std::tuple(distance[b], nodes_[b].first(), nodes_[b].node.id);
  });
  for (size_t i = 0; i < most; ++i) chosen[order[i]] = true;
  return chosen;
}

}  // namespace xtrace
