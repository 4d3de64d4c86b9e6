#include "link/reuse/origins.h"

namespace xtrace {

namespace {

/// Subagents start subagents; a log of more levels is made up.
constexpr int kMostHops = 32;

}  // namespace

Origins::Origins(const Graph& graph, const TextIndex& index, const UsePlaces& uses,
                 const Handoffs& handoffs)
    : graph_(graph),
      index_(index),
      uses_(uses),
      handoffs_(handoffs),
      parents_(graph.conversations().size()) {
  for (const Link& link : graph.links())
    if (link.kind == LinkKind::subagent_spawn && link.tool_use)
      if (Parent& parent = parents_[conversation_index(graph, link.to)]; parent.spawn == nullptr)
        parent = {&link, conversation_index(graph, link.from)};
}

Origin Origins::find(uint64_t key, uint32_t conversation, uint32_t before) const {
  Origin origin;
  follow(key, conversation, before, 0, origin);
  return origin;
}

/// A subagent may use what the user said to the agent that started it.
uint32_t Origins::said_at(uint64_t key, uint32_t conversation, uint32_t before) const {
  for (int depth = 0; depth < kMostHops; ++depth) {
    const TextIndex::Seen* const seen = index_.find(key, conversation);
    if (seen != nullptr && seen->said < before) return seen->said;
    const Parent& parent = parents_[conversation];
    if (parent.spawn == nullptr || parent.conversation == conversation) break;
    before = std::min(before, uses_.asked(parent.spawn->tool_use));
    conversation = parent.conversation;
  }
  return TextIndex::kNever;
}

bool Origins::follow(uint64_t key, uint32_t conversation, uint32_t before, int depth,
                     Origin& origin) const {
  const TextIndex::Seen* const seen = index_.find(key, conversation);
  if (seen == nullptr || seen->first >= before || depth > kMostHops) return false;
  if (const uint32_t said = said_at(key, conversation, before); said != TextIndex::kNever) {
    origin.kind = Origin::Kind::said;
    origin.place = said;
    return true;
  }
  origin.kind = Origin::Kind::own;
  origin.place = seen->first;
  const TextPlace& place = index_.place(seen->first);
  if (place.role == TextRole::result) return follow_result(key, seen->first, depth, origin);
  const Parent& parent = parents_[conversation];
  if (place.role == TextRole::prompt && parent.spawn != nullptr) {
    const Link& spawn = *parent.spawn;
    origin.hops.push_back(
        {OriginHop::Via::prompt, spawn.from, spawn.to, spawn.tool_use, confidence(spawn)});
    follow(key, parent.conversation, uses_.asked(spawn.tool_use), depth + 1, origin);
  }
  return true;
}

bool Origins::follow_result(uint64_t key, uint32_t index, int depth, Origin& origin) const {
  const TextPlace& place = index_.place(index);
  if (!place.use) return true;  // who gave it is not on record
  for (const uint32_t i : graph_.causes_of(place.call)) {
    const Link& link = graph_.links()[i];
    if (link.kind != LinkKind::subagent_report || link.tool_use != place.use) continue;
    origin.hops.push_back(
        {OriginHop::Via::report, link.from, link.to, link.tool_use, confidence(link)});
    follow(key, conversation_index(graph_, link.from), index, depth + 1, origin);
    return true;
  }
  for (const Handoffs::Write& write : handoffs_.writes_before(place.use)) {
    if (!index_.is_in_arguments(key, write.use)) continue;
    origin.hops.push_back({OriginHop::Via::file, write.call, place.call, write.use, 1});
    follow(key, conversation_index(graph_, write.call), write.index, depth + 1, origin);
    return true;
  }
  origin.kind = Origin::Kind::result;
  return true;
}

}  // namespace xtrace
