#include "view/hops/hop_words.h"

#include <fmt/format.h>

#include "base/count.h"
#include "facts/row_or_empty.h"
#include "view/calls/costs.h"
#include "view/calls/unplaced.h"

namespace xtrace {

Text short_actor(const HopScene& scene, ActorId actor) {
  if (!actor) return Text(kNotOnRecord);
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

const GenAi& told_by(const HopScene& scene, const Hop& hop) {
  return row_or_empty(scene.question.graph.trace(), scene.span(hop).gen_ai);
}

Usage usage_at(const HopScene& scene, HopId id) {
  const Activities& activities = scene.question.graph.activities();
  const Activity& done = activities.of(id);
  const HopId same = done.same_as ? activities[done.same_as].hop : HopId();
  const bool is_repeated = same && scene.selection.shows(same);
  if (done.kind == Activity::Kind::model_call && !is_repeated) return usage_of(done);
  const UnplacedUsage* row = activities.ledger.of(id);
  return row == nullptr ? Usage() : usage_of(*row);
}

Text what_it_used(const HopScene& scene, HopId id) {
  const Usage usage = usage_at(scene, id);
  const Tokens& tokens = usage.tokens;
  std::string text(scene.names.text(told_by(scene, scene.hops[id]).model).view());
  auto add = [&](std::string more) { text += (text.empty() ? "" : "  ") + std::move(more); };
  if (int64_t sent = tokens_sent(tokens); sent >= 0) add(fmt::format("{} in", show_count(sent)));
  if (tokens.output >= 0) add(fmt::format("{} out", show_count(tokens.output)));
  if (std::string cost = cost_words(usage); !cost.empty()) add(std::move(cost));
  return scene.question.door.composed(std::move(text));
}

Text how_long(const HopScene& scene, HopId id) {
  Duration took = scene.hops[id].duration;
  return took == kNoDuration ? Text() : scene.question.door.composed(format_span(took));
}

}  // namespace xtrace
