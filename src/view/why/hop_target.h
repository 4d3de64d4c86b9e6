#pragma once

#include <string>
#include <string_view>

#include "view/hops/hop_scene.h"

namespace xtrace {

/// What a user wants explained: an actor, or one hop.
struct HopTarget {
  ActorId actor;  ///< nowhere: it is a hop
  HopId hop;

  bool is(const Hops& hops, HopId id) const { return actor ? hops[id].to == actor : id == hop; }
  Text name(const HopScene& scene) const { return actor ? scene.actor(actor) : scene.name(hop); }
  std::string_view type(const Hops& hops) const {
    if (actor) return word(hops[actor].type);
    return hops[hop].is_call() ? "hop" : "span";
  }
};

/// Takes an actor's id, the id of a span, whichever side of a call it was seen from, or of a trace
/// that holds one hop, the place of a span (`file:line`, `file@offset`), or a part of
/// one or of an operation, if it fits nothing else; names as answers show them, replacements
/// included. Exit::no, with the nearest names, when it fits none or several.
Result<HopTarget> find_target(const HopScene& scene, const std::string& name);

/// Is it the whole id of an actor, a span or a trace, or the place of one?
bool is_whole_target(const HopScene& scene, const std::string& name);

}  // namespace xtrace
