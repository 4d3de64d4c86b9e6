#include "view/calls/branches.h"

namespace xtrace {

CallId Branches::left_by(CallId id) const {
  if (scene_.timeline()[id].sums_up) return {};
  for (uint32_t i : scene_.graph.causes_of(id)) {
    const Link& link = scene_.links()[i];
    if (link.kind != LinkKind::continuation || !scene_.selection.shows(link.from)) continue;
    if (!are_together(link)) continue;  // a fork or a resumption has its own place
    const CallId answered = first_answered_behind(link.from);
    const bool is_branch = answered && scene_.timeline().before(answered, id);
    if (is_branch || leaves_unanswered(link.from, id)) return link.from;
  }
  return {};
}

bool Branches::are_together(const Link& link) const {
  const Graph& graph = scene_.graph;
  return graph.conversation_of(link.from).number == graph.conversation_of(link.to).number;
}

CallId Branches::first_answered_behind(CallId from) const {
  const auto [known, is_new] = first_answered_.try_emplace(from.index);
  if (!is_new) return known->second;
  CallId& first = known->second;
  for (uint32_t i : scene_.graph.effects_of(from)) {
    const Link& link = scene_.links()[i];
    if (link.kind != LinkKind::continuation || !scene_.timeline()[link.to].answer) continue;
    if (!are_together(link)) continue;
    if (!first || scene_.timeline().before(link.to, first)) first = link.to;
  }
  return first;
}

bool Branches::leaves_unanswered(CallId from, CallId id) const {
  constexpr size_t kMostTries = 16;
  const Timeline& timeline = scene_.timeline();
  size_t tries = 0;
  for (uint32_t i : scene_.graph.effects_of(from)) {
    const Link& link = scene_.links()[i];
    if (link.kind != LinkKind::continuation || !timeline.before(link.to, id)) continue;
    if (!are_together(link)) continue;
    if (++tries > kMostTries) return false;
    const MessageId asked = timeline[link.to].request;
    MessageId at = timeline[id].request;
    while (asked && at && timeline[at].depth > timeline[asked].depth) at = timeline[at].before;
    if (at != asked) return true;
  }
  return false;
}

}  // namespace xtrace
