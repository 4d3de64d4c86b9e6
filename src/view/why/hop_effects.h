#pragma once

#include <vector>

#include "view/common/selector.h"
#include "view/hops/certainty.h"

namespace xtrace {

/// What the accesses to a target led to, as far as it is shown: the later calls of a run that came
/// through one chain of actors.
/// Its hops are the calls at the end of the chain; its confidence counts from the target on.
struct HopEffect : HopGroup {
  std::vector<ActorId> chain;  ///< from behind the target to the one that was called last
};

struct EffectGroups {
  std::vector<HopEffect> all;  ///< in order of their first calls
  size_t omitted = 0;          ///< further ones
};

/// The first `most` of them. `shown`: by hop; those that no filter hides.
EffectGroups effects_of(const Hops& hops, const std::vector<bool>& shown, const Meant& target,
                        const Run& run, size_t most);

}  // namespace xtrace
