#pragma once

#include "view/why/provenance.h"

namespace xtrace {

/// The chains that led to a target as one picture. Each edge names the causes that it is part of,
/// and its own confidence.
Drawing picture_of_causes(const Provenance& why, const Paths& paths);

}  // namespace xtrace
