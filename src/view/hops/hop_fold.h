#pragma once

#include <string>
#include <vector>

#include "view/hops/hop_scene.h"

namespace xtrace {

/// How far a picture of spans is folded. Each step includes those before it.
enum class HopFolding : uint8_t {
  none,
  equal,   ///< what stands beside its like, with the same below it, shares a box
  alike,   ///< with whatever below it, which then stands below both
  lists,   ///< routine work that led to nothing is a list in one box
  chains,  ///< as is routine work of which each led to the next alone
  calls,   ///< and all other routine work is told by what it was done for: calls stay, and models
};

/// Boxes for spans, as a forest: parents stand before their children.
struct HopBoxes {
  static constexpr uint32_t kNone = UINT32_MAX;
  struct Box {
    std::vector<HopId> hops = {};       ///< alike, in order of time
    uint32_t parent = kNone;            ///< smaller than its own index
    std::vector<uint32_t> listed = {};  ///< indices of boxes that are lines of this one
    bool is_chain = false;              ///< of which each led to the next
    bool is_listed = false;             ///< a line of another one
    std::vector<HopId> within = {};     ///< work done for these
    size_t own = 0;                     ///< spans that it stands for, those of its lines too
    size_t below = 0;                   ///< those of all boxes below it
    size_t failed_below = 0;
  };
  std::vector<Box> boxes;

  /// Of what is shown. `words`: what each hop is called, by index.
  HopBoxes(const HopScene& scene, const std::vector<std::string>& words, HopFolding folding);
};

}  // namespace xtrace
