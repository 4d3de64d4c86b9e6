#pragma once

#include "view/hops/hop_scene.h"

namespace xtrace {

/// What each hop led to, as far as it is shown.
class Effects {
 public:
  explicit Effects(const HopScene& scene);

  /// In order of the hops.
  std::span<const HopId> of(HopId cause) const {
    return std::span(effects_).subspan(first_[cause.index],
                                       first_[cause.index + 1] - first_[cause.index]);
  }

 private:
  std::vector<uint32_t> first_;
  std::vector<HopId> effects_;
};

}  // namespace xtrace
