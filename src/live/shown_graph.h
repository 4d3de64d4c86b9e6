#pragma once

#include <map>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "live/graph_rows.h"

namespace xtrace {

/// One step from a graph that a reader has to the next one: what a GraphUpdate says. What is
/// removed comes first. A node that changes is removed and added again, and so are its edges: right
/// for readers whose graph drops the edges of a node that goes, and for those whose does not.
struct GraphChange {
  struct Regrouped {
    std::string id;
    std::vector<std::string> added, removed;  ///< members
  };
  std::vector<GraphRows::Node> added_nodes;
  std::vector<std::string> removed_nodes;
  std::vector<GraphRows::Edge> added_edges;
  std::vector<Ends> removed_edges;
  std::vector<Regrouped> summaries;

  bool any() const {
    return !added_nodes.empty() || !removed_nodes.empty() || !added_edges.empty() ||
           !removed_edges.empty() || !summaries.empty();
  }
};

/// What is to be shown from now on, beside what is shown already.
struct GraphDelta {
  std::vector<GraphRows::Node> nodes;  ///< new ones and those that may have changed
  std::vector<std::string> gone;       ///< nodes
  std::vector<GraphRows::Edge> edges;
  std::vector<Ends> gone_edges;
  std::vector<GraphRows::Summary> summaries;
  std::vector<std::string> gone_summaries;
  std::vector<GraphChange::Regrouped> regrouped;  ///< summaries of which only some members change
};

/// The graph that whoever reads has after all that was sent.
class ShownGraph {
 public:
  /// From now on it is this one.
  GraphChange become(const GraphRows& rows);
  /// From now on it differs so.
  GraphChange apply(GraphDelta delta);
  /// All of it, nodes by their start, edges by their ends.
  GraphRows rows() const;
  /// The newest `most` nodes, the newest last.
  std::vector<GraphRows::Node> newest(size_t most) const;
  size_t nodes() const { return nodes_.size(); }
  size_t edges() const { return edges_.size(); }

 private:
  struct Node {
    std::string row;
    Time start = kNoTime;
    std::set<std::string> from, to;  ///< neighbours
  };
  void add_edge(GraphRows::Edge edge, GraphChange& change);
  void remove_edge(const Ends& ends, GraphChange& change);
  void regroup(GraphDelta& delta, GraphChange& change);

  std::map<std::string, Node> nodes_;
  std::map<Ends, std::string> edges_;
  std::map<std::string, std::set<std::string>> summaries_;
};

}  // namespace xtrace
