#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "link/rule.h"

namespace xtrace {

/// Another node that may have led to where an edge leads.
template <class Node>
struct Rival {
  Node from{};
  double confidence = 0;  ///< 0 to 1; rivals and the edge add up to at most 1
};

/// One node that led to another, and why we believe it: the columns that edges between model calls,
/// between hops and between steps of a story share.
template <class Node>
struct Edge {
  Node from{};  ///< the cause
  Node to{};    ///< the effect
  Rule rule = Rule::parent;
};

/// The edges at each node, in the order of their table: as indices into it, or as the ids of the
/// nodes at their other ends, where each node has one edge at most.
template <class Entry = uint32_t>
class EdgeIndex {
 public:
  static constexpr uint32_t kNowhere = UINT32_MAX;

  EdgeIndex() = default;
  /// `node_of(i)` is the index of the node at which edge `i` is listed; kNowhere: at none.
  template <class NodeOf>
  EdgeIndex(size_t nodes, size_t edges, const NodeOf& node_of) : first_(nodes + 1) {
    for (uint32_t i = 0; i < edges; ++i)
      if (const uint32_t node = node_of(i); node != kNowhere) ++first_[node + 1];
    for (size_t i = 1; i < first_.size(); ++i) first_[i] += first_[i - 1];
    edges_.resize(first_.back());
    std::vector<uint32_t> next = first_;
    for (uint32_t i = 0; i < edges; ++i)
      if (const uint32_t node = node_of(i); node != kNowhere) edges_[next[node]++] = Entry(i);
  }

  std::span<const Entry> of(uint32_t node) const {
    return std::span(edges_).subspan(first_[node], first_[node + 1] - first_[node]);
  }

 private:
  std::vector<uint32_t> first_;
  std::vector<Entry> edges_;
};

}  // namespace xtrace
