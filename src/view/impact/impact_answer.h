#pragma once

#include <memory>
#include <vector>

#include "view/impact/blast.h"
#include "view/impact/impact_target.h"

namespace xtrace {

/// The effects of some steps, free of any format.
struct Impact {
  std::shared_ptr<const ImpactScene> scene{};
  ImpactTarget target{};
  Reached reached{};
  std::vector<bool> only_through{};    ///< by node
  std::vector<uint32_t> all, only{};   ///< the nodes reached, and of these those; in order
  std::vector<uint32_t> dominators{};  ///< what all of the target needed, first cause first
  std::vector<Possible> possible{};
  Blasts blasts{};

  /// The last link of the surest path to a node.
  const CauseLink& last_link(uint32_t node) const {
    return scene->causes()[reached.last_link[node]];
  }
  const StepLink& step_link(const CauseLink& link) const { return scene->graph_of_steps()[link]; }
};

Impact find_impact(std::shared_ptr<const ImpactScene> scene, ImpactTarget target);

/// `Task (toolu_see)`, `call req-4`, `agent Explore#2`: the target, for people.
std::string words_of_target(const Impact& impact);

Outline outline_of(const Impact& impact, bool unfold);
Drawing drawing_of(const Impact& impact, bool unfold);

}  // namespace xtrace
