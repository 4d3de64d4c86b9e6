#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "facts/step.h"
#include "redact/clearance.h"

namespace xtrace {

/// The part of the queried graph that a query went through: every node and edge once, with the
/// steps that visited it.
class Visited {
 public:
  static constexpr size_t kNoStep = SIZE_MAX;  ///< recorded for the query as a whole
  struct Node {
    VisitedNode node;
    std::vector<size_t> steps;  ///< that visited it, as indices
    size_t first() const { return steps.empty() ? kNoStep : steps.front(); }
  };
  struct Edge {
    VisitedEdge edge;
    size_t from = 0, to = 0;  ///< indices into nodes()
    std::vector<size_t> steps;
  };

  explicit Visited(const LabelRanks& labels) : labels_(labels) {}

  void add(const VisitedNode& node, size_t step);
  /// An end that no step recorded becomes a node of which only the id is known.
  void add(const VisitedEdge& edge, size_t step);

  const std::vector<Node>& nodes() const { return nodes_; }
  const std::vector<Edge>& edges() const { return edges_; }

  /// Which nodes stay if there is room for `most`: those nearest to what the answer cites come
  /// first, then those that were visited earlier; ties by id.
  std::vector<bool> choose(size_t most, const std::set<std::string>& cited) const;

 private:
  size_t place_of(const std::string& id);

  const LabelRanks& labels_;
  std::vector<Node> nodes_;
  std::vector<Edge> edges_;
  std::vector<std::set<std::string>> units_of_nodes_, units_of_edges_;  ///< evidence, to look up
  std::map<std::string, size_t> by_id_;
  std::map<std::tuple<size_t, std::string, size_t>, size_t> by_ends_;
};

}  // namespace xtrace
