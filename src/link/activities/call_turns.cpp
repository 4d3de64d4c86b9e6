#include "link/activities/call_turns.h"

#include <optional>

#include "link/graph/queries.h"

namespace xtrace {

std::vector<CallTurn> turns_of_calls(const Graph& graph) {
  std::vector<CallTurn> turns(graph.trace().calls.size());
  for (const Conversation& conversation : graph.conversations()) {
    const std::vector<uint32_t> numbers = number_turns(graph, conversation);
    for (size_t i = 0; i < numbers.size(); ++i)
      turns[conversation.calls[i].index] = {conversation.number - 1, numbers[i]};
  }
  // What was spawned takes the turn of its spawner, which precedes it.
  std::vector<std::optional<CallTurn>> given(graph.conversations().size());
  for (CallId id : graph.timeline().in_order()) {
    std::optional<CallTurn>& of = given[graph.conversation_of(id).number - 1];
    for (uint32_t i : graph.causes_of(id)) {
      const Link& link = graph.links()[i];
      if (link.kind == LinkKind::subagent_spawn && graph.timeline().before(link.from, id))
        of = turns[link.from.index];
    }
    if (of) turns[id.index] = *of;
  }
  return turns;
}

}  // namespace xtrace
