#include "view/actor_nodes.h"

namespace xtrace {

uint32_t ActorNodes::of(ActorId id) {
  auto [place, is_new] = places_.emplace(id, static_cast<uint32_t>(drawing_.nodes.size()));
  if (!is_new) return place->second;
  Drawing::Node node{"unknown", {"unknown"}, "unknown"};
  if (id) {
    const Actor& actor = scene_.hops[id];
    node = {scene_.actor(id), {scene_.names.text(actor.label())}, Door::own(word(actor.type))};
  }
  drawing_.nodes.push_back(std::move(node));
  return place->second;
}

}  // namespace xtrace
