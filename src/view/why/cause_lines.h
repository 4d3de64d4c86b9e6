#pragma once

#include <vector>

#include "view/why/provenance.h"

namespace xtrace {

/// The lines about one cause: the chain, numbers, who delegated, and where.
void tell(const Provenance& why, const Cause& cause, size_t number, std::vector<Text>& lines);

/// What came of it: chains forward from the target.
void tell_effects(const Provenance& why, std::vector<Text>& lines);

/// From the target to what was reached.
Texts path_of(const Provenance& why, const HopEffect& effect);

}  // namespace xtrace
