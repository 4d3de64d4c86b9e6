#include "view/hop_words.h"

#include <fmt/format.h>

namespace xtrace {

Text short_actor(const HopScene& scene, ActorId actor) {
  if (!actor) return "unknown";
  std::string_view id = scene.actor(actor).view();
  size_t colon = id.find(':');
  return colon == std::string_view::npos || colon + 1 == id.size()
             ? scene.actor(actor)
             : scene.question.door.composed(std::string(id.substr(colon + 1)));
}

Text what_it_was(const HopScene& scene, HopId id) {
  const Hop& hop = scene.hops[id];
  const Span& span = scene.span(hop);
  Text operation = scene.names.text(span.operation);
  if (!hop.to) return operation;
  std::string text = hop.from ? fmt::format("{} → {}", short_actor(scene, hop.from).view(),
                                            short_actor(scene, hop.to).view())
                              : std::string(short_actor(scene, hop.to).view());
  bool tells_more = !operation.empty() && !span.from && !span.to;
  if (tells_more) text += fmt::format("  {}", operation.view());
  return scene.question.door.composed(std::move(text));
}

Text how_long(const HopScene& scene, HopId id) {
  Duration took = scene.hops[id].duration;
  return took == kNoDuration ? Text() : scene.question.door.composed(format_span(took));
}

}  // namespace xtrace
