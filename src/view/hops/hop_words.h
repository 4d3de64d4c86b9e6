#pragma once

#include "view/calls/spending.h"
#include "view/hops/hop_scene.h"

namespace xtrace {

/// A hop or span in a few words: `chat-agent → read-agent`, `POST /api/tasks`.
Text what_it_was(const HopScene& scene, HopId id);
/// What the span that stands for it tells of an agent, a tool or a model.
const GenAi& told_by(const HopScene& scene, const Hop& hop);
/// What counts at a span: the tokens and cost of a call of a model, once where several spans that
/// are shown state it; of a span around calls, what it states beyond them.
Usage usage_at(const HopScene& scene, HopId id);
/// The model, its tokens and what they cost, as far as they are known.
Text what_it_used(const HopScene& scene, HopId id);
/// What it took.
Text how_long(const HopScene& scene, HopId id);
/// An actor without its prefix.
Text short_actor(const HopScene& scene, ActorId actor);

}  // namespace xtrace
