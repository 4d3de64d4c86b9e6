#pragma once

#include <cstdint>

#include "redact/door.h"

namespace xtrace {

/// How many made-up secrets were sent through a door, and how many came out.
struct Canary {
  int64_t planted = 0, leaked = 0;
};

/// Sends an invented secret of every kind through the door: as it is, in JSON, percent-encoded and
/// in base64; personal data too, where the door hides that. Shows that the rules of this build ran,
/// and not that they know every secret. They count among what the door replaced.
Canary plant_canary(Door& door);

}  // namespace xtrace
