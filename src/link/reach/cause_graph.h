#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "link/edge.h"

namespace xtrace {

/// That one node led to another. Nodes are numbers here; what they stand for is known to whoever
/// numbers them.
struct CauseLink {
  uint32_t from = 0, to = 0;
  double confidence = 1;
  uint32_t row = 0;      ///< by which the caller knows it
  uint8_t strength = 0;  ///< of its evidence, of all links between the same two
};

/// Another node that may have led to the target of a link, in place of its source.
struct CauseRival {
  uint32_t from = 0, to = 0;
  double confidence = 0;
  uint32_t row = 0;  ///< CauseLink::row of the link
};

/// What led to what, without circles: a link that closes one is left out. Several links between the
/// same two nodes are one, with the highest confidence and the strongest evidence.
class CauseGraph {
 public:
  static constexpr uint32_t kNone = UINT32_MAX;

  CauseGraph() = default;
  CauseGraph(size_t nodes, std::vector<CauseLink> links);

  size_t size() const { return size_; }
  const CauseLink& operator[](uint32_t link) const { return links_[link]; }
  std::span<const CauseLink> links() const { return links_; }
  /// Indices into links().
  std::span<const uint32_t> causes_of(uint32_t node) const { return in_.of(node); }
  std::span<const uint32_t> effects_of(uint32_t node) const { return out_.of(node); }
  /// All nodes, each after its causes.
  std::span<const uint32_t> order() const { return order_; }
  /// Links that were left out because they close a circle.
  size_t left_out() const { return left_out_; }

 private:
  void index_links();
  void put_in_order();

  size_t size_ = 0;
  std::vector<CauseLink> links_;
  EdgeIndex<> in_, out_;
  std::vector<uint32_t> order_;
  size_t left_out_ = 0;
};

/// Which nodes lie on every way from a beginning (a node without a cause) to a node: a tree, below
/// a root before all beginnings.
class Dominators {
 public:
  explicit Dominators(const CauseGraph& graph);

  /// The closest one; kNone: there is none.
  uint32_t above(uint32_t node) const { return at_[node + 1].above - 1; }
  /// All of them, the first cause first.
  std::vector<uint32_t> chain(uint32_t node) const;
  /// Those that dominate both: the closest one, which may be one of the two; kNone: there is none.
  uint32_t common(uint32_t a, uint32_t b) const { return meet(a + 1, b + 1) - 1; }
  bool dominates(uint32_t node, uint32_t other) const { return common(node, other) == node; }

 private:
  /// Node 0 is the root. `jump` is an ancestor so far up that each is reached in a logarithmic
  /// number of steps; long chains that join again and again would else take a square.
  struct Place {
    uint32_t above = 0, jump = 0, depth = 0;
  };
  uint32_t meet(uint32_t a, uint32_t b) const;
  void put_below(uint32_t node, uint32_t above);

  std::vector<Place> at_;
};

/// What can be reached from some nodes, which are not in it themselves.
struct Reached {
  std::vector<uint32_t>
      distance;               ///< by node, in links; 0: a node it began with; kNone: not reached
  std::vector<double> best;   ///< by node: of the surest path
  std::vector<double> upper;  ///< by node: that any path holds, at most
  std::vector<uint32_t> last_link;  ///< by node: the last one of the surest path
  std::vector<uint32_t> nodes;      ///< those reached, causes first

  bool has(uint32_t node) const {
    return distance[node] != CauseGraph::kNone && distance[node] > 0;
  }
  bool begins_at(uint32_t node) const { return distance[node] == 0; }
};
Reached find_reached(const CauseGraph& graph, std::span<const uint32_t> from);
/// The nodes that led to one of these, by node, themselves included.
std::vector<bool> find_causes(const CauseGraph& graph, std::span<const uint32_t> to);

/// By node: is it reached, and by no way from a beginning that avoids all of `from`?
std::vector<bool> find_only_through(const CauseGraph& graph, const Reached& reached,
                                    std::span<const uint32_t> from);

/// A node that is reached only if a rival of a link is the true cause.
struct Possible {
  uint32_t node = 0;
  double confidence = 0;  ///< at most: the shares of rivals of one link add up
  uint32_t via = 0;       ///< the node before it, by the likeliest way
  uint32_t row = 0;       ///< of the link by which it would be reached, or whose rival that is
};
/// In the order of causes.
std::vector<Possible> find_possible(const CauseGraph& graph, const Reached& reached,
                                    std::span<const CauseRival> rivals);

}  // namespace xtrace
