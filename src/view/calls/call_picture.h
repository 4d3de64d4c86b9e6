#pragma once

#include "view/calls/call_fields.h"

namespace xtrace {

/// The calls as a picture: a group per session and agent, tool results solid, spawns dashed,
/// guesses dotted, errors red.
Drawing call_picture(const CallScene& scene, bool unfold);

}  // namespace xtrace
