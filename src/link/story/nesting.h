#pragma once

#include <span>
#include <vector>

#include "link/edge.h"
#include "link/story/story.h"

namespace xtrace {

/// The nodes in an order in which what is nested stands right behind what is around it, and those
/// side by side in order of time; parts come one after another.
///
///     a ── b ── c      order: a b c d e    below(b): c    end of b: 3
///     └─── d ── e
class Nesting {
 public:
  explicit Nesting(const Story& story);

  std::span<const uint32_t> order() const { return order_; }
  std::span<const std::vector<uint32_t>> tops() const { return tops_; }
  std::span<const uint32_t> below(uint32_t node) const { return below_.of(node); }
  uint32_t place(uint32_t node) const { return place_[node]; }
  /// The place behind all that is nested in it.
  uint32_t end(uint32_t node) const { return end_[node]; }
  uint32_t depth(uint32_t node) const { return depth_[node]; }
  const std::vector<uint32_t>& depths() const { return depth_; }

 private:
  void walk(std::span<const uint32_t> tops);

  std::vector<std::vector<uint32_t>> tops_;
  EdgeIndex<uint32_t> below_;
  std::vector<uint32_t> order_, place_, end_, depth_;
};

}  // namespace xtrace
