#include "view/hops/effects.h"

namespace xtrace {

Effects::Effects(const HopScene& scene) : first_(scene.hops.all.size() + 1) {
  auto each = [&](auto act) {
    for (size_t i = 0; i < scene.hops.all.size(); ++i)
      if (HopId id(i); scene.selection.shows_cause_of(id)) act(scene.hops[id].cause.index, id);
  };
  each([&](uint32_t cause, HopId) { ++first_[cause + 1]; });
  for (size_t i = 1; i < first_.size(); ++i) first_[i] += first_[i - 1];
  effects_.resize(first_.back());
  std::vector<uint32_t> next = first_;
  each([&](uint32_t cause, HopId effect) { effects_[next[cause]++] = effect; });
}

}  // namespace xtrace
