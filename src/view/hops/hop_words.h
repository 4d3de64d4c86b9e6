#pragma once

#include "view/hops/hop_scene.h"

namespace xtrace {

/// A hop or span in a few words: `chat-agent → read-agent`, `POST /api/tasks`.
Text what_it_was(const HopScene& scene, HopId id);
/// What the span that stands for it tells of an agent, a tool or a model.
const GenAi& told_by(const HopScene& scene, const Hop& hop);
/// What a call of a model cost, in billionths of a dollar: as recorded, else the price of its
/// tokens, unless another record tells of the same call; kNoCount: it is none, or nobody knows.
int64_t cost_of(const HopScene& scene, HopId id);
/// The tokens of a call of a model, once: none where another span that is shown tells of the same
/// call and stands for it.
Tokens tokens_of(const HopScene& scene, HopId id);
/// The model, its tokens and what they cost, as far as they are known.
Text what_it_used(const HopScene& scene, HopId id);
/// `$0.0021`
Text price(const HopScene& scene, int64_t cost);
/// What it took.
Text how_long(const HopScene& scene, HopId id);
/// An actor without its prefix.
Text short_actor(const HopScene& scene, ActorId actor);

}  // namespace xtrace
