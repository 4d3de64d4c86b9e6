#pragma once

#include "view/hop_scene.h"

namespace xtrace {

/// A hop or span in a few words: `chat-agent → read-agent`, `POST /api/tasks`.
Text what_it_was(const HopScene& scene, HopId id);
/// What it took.
Text how_long(const HopScene& scene, HopId id);
/// An actor without its prefix.
Text short_actor(const HopScene& scene, ActorId actor);

}  // namespace xtrace
