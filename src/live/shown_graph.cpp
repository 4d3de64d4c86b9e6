#include "live/shown_graph.h"

#include <algorithm>
#include <iterator>

namespace xtrace {

namespace {

/// Of several rows for one node the last counts.
void keep_last(std::vector<GraphRows::Node>& nodes) {
  std::map<std::string, size_t> last;
  for (size_t i = 0; i < nodes.size(); ++i) last[nodes[i].id] = i;
  if (last.size() == nodes.size()) return;
  size_t i = 0;
  std::erase_if(nodes, [&](const GraphRows::Node& node) { return last.at(node.id) != i++; });
}

}  // namespace

GraphChange ShownGraph::become(const GraphRows& rows) {
  GraphDelta delta;
  delta.nodes = rows.nodes;
  delta.edges = rows.edges;
  delta.summaries = rows.summaries;
  std::set<std::string_view> nodes, summaries;
  std::set<Ends> edges;
  for (const GraphRows::Node& node : rows.nodes) nodes.insert(node.id);
  for (const GraphRows::Edge& edge : rows.edges) edges.insert(edge.ends);
  for (const GraphRows::Summary& summary : rows.summaries) summaries.insert(summary.id);
  for (const auto& [id, node] : nodes_)
    if (!nodes.contains(id)) delta.gone.push_back(id);
  for (const auto& [ends, row] : edges_)
    if (!edges.contains(ends)) delta.gone_edges.push_back(ends);
  for (const auto& [id, members] : summaries_)
    if (!summaries.contains(id)) delta.gone_summaries.push_back(id);
  return apply(std::move(delta));
}

/// A node that changes goes and comes again, as whoever watches knows no other change; its edges go
/// with it and come again, too. In this order, so that at no time an edge is without its ends:
/// edges that are gone, nodes that are gone, nodes, edges, and last those that only went with a
/// node.
GraphChange ShownGraph::apply(GraphDelta delta) {
  GraphChange change;
  std::map<Ends, std::string> again;  // edges that only go because an end of them changes
  auto take_out = [&](const std::string& id, bool returns) {
    std::map<std::string, Node>::iterator node = nodes_.find(id);
    if (node == nodes_.end()) return;
    std::vector<Ends> touched;
    for (const std::string& from : node->second.from) touched.emplace_back(from, id);
    for (const std::string& to : node->second.to) touched.emplace_back(id, to);
    for (const Ends& ends : touched) {
      std::map<Ends, std::string>::iterator edge = edges_.find(ends);
      if (edge == edges_.end()) continue;
      again.emplace(ends, edge->second);
      remove_edge(ends, change);
    }
    change.removed_nodes.push_back(id);
    if (!returns) nodes_.erase(node);
  };
  keep_last(delta.nodes);
  std::set<std::string_view> stay;
  for (const GraphRows::Node& node : delta.nodes) stay.insert(node.id);
  std::erase_if(delta.gone, [&](const std::string& id) { return stay.contains(id); });
  std::erase_if(delta.nodes, [&](const GraphRows::Node& node) {
    std::map<std::string, Node>::iterator known = nodes_.find(node.id);
    return known != nodes_.end() && known->second.row == node.row;
  });
  for (const Ends& ends : delta.gone_edges) remove_edge(ends, change);
  for (const std::string& id : delta.gone) take_out(id, false);
  for (GraphRows::Node& node : delta.nodes) {
    take_out(node.id, true);
    Node& shown = nodes_[node.id];
    shown.row = node.row;
    shown.start = node.start;
    change.added_nodes.push_back(std::move(node));
  }
  for (GraphRows::Edge& edge : delta.edges) {
    again.erase(edge.ends);
    std::map<Ends, std::string>::iterator known = edges_.find(edge.ends);
    if (known != edges_.end() && known->second == edge.row) continue;
    if (known != edges_.end()) remove_edge(edge.ends, change);
    add_edge(std::move(edge), change);
  }
  for (auto& [ends, row] : again)
    if (nodes_.contains(ends.first) && nodes_.contains(ends.second)) add_edge({ends, row}, change);
  regroup(delta, change);
  return change;
}

void ShownGraph::add_edge(GraphRows::Edge edge, GraphChange& change) {
  edges_[edge.ends] = edge.row;
  if (auto from = nodes_.find(edge.ends.first); from != nodes_.end())
    from->second.to.insert(edge.ends.second);
  if (auto to = nodes_.find(edge.ends.second); to != nodes_.end())
    to->second.from.insert(edge.ends.first);
  change.added_edges.push_back(std::move(edge));
}

void ShownGraph::remove_edge(const Ends& ends, GraphChange& change) {
  if (edges_.erase(ends) == 0) return;
  if (auto from = nodes_.find(ends.first); from != nodes_.end()) from->second.to.erase(ends.second);
  if (auto to = nodes_.find(ends.second); to != nodes_.end()) to->second.from.erase(ends.first);
  change.removed_edges.push_back(ends);
}

void ShownGraph::regroup(GraphDelta& delta, GraphChange& change) {
  for (const std::string& id : delta.gone_summaries)
    if (const auto known = summaries_.find(id); known != summaries_.end())
      delta.regrouped.push_back({id, {}, {known->second.begin(), known->second.end()}});
  for (GraphRows::Summary& summary : delta.summaries) {
    const std::set<std::string> members(summary.members.begin(), summary.members.end());
    const std::set<std::string>& known = summaries_[summary.id];
    GraphChange::Regrouped& regrouped = delta.regrouped.emplace_back();
    regrouped.id = std::move(summary.id);
    std::ranges::set_difference(members, known, std::back_inserter(regrouped.added));
    std::ranges::set_difference(known, members, std::back_inserter(regrouped.removed));
  }
  for (GraphChange::Regrouped& regrouped : delta.regrouped) {
    std::set<std::string>& known = summaries_[regrouped.id];
    std::erase_if(regrouped.added, [&](const std::string& id) { return !known.insert(id).second; });
    std::erase_if(regrouped.removed, [&](const std::string& id) { return known.erase(id) == 0; });
    if (known.empty()) summaries_.erase(regrouped.id);
    if (!regrouped.added.empty() || !regrouped.removed.empty())
      change.summaries.push_back(std::move(regrouped));
  }
}

GraphRows ShownGraph::rows() const {
  GraphRows rows;
  for (const auto& [id, node] : nodes_) rows.nodes.push_back({id, node.row, node.start});
  std::stable_sort(
      rows.nodes.begin(), rows.nodes.end(),
      [](const GraphRows::Node& a, const GraphRows::Node& b) { return a.start < b.start; });
  for (const auto& [ends, row] : edges_) rows.edges.push_back({ends, row});
  for (const auto& [id, members] : summaries_)
    rows.summaries.push_back({id, {members.begin(), members.end()}});
  return rows;
}

std::vector<GraphRows::Node> ShownGraph::newest(size_t most) const {
  using At = std::map<std::string, Node>::const_iterator;
  std::vector<At> all;
  for (At at = nodes_.begin(); at != nodes_.end(); ++at) all.push_back(at);
  size_t count = std::min(most, all.size());
  auto is_newer = [](At a, At b) {
    return a->second.start != b->second.start ? a->second.start > b->second.start
                                              : a->first > b->first;
  };
  auto end = all.begin() + static_cast<std::ptrdiff_t>(count);
  std::partial_sort(all.begin(), end, all.end(), is_newer);
  std::vector<GraphRows::Node> newest;
  for (auto at = end; at != all.begin();) {
    --at;
    newest.push_back({(*at)->first, (*at)->second.row, (*at)->second.start});
  }
  return newest;
}

}  // namespace xtrace
