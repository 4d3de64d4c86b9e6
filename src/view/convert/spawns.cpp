#include "view/convert/spawns.h"

#include <algorithm>

namespace xtrace {

std::map<uint32_t, const Link*> spawns_among(std::span<const CallId> calls, const Graph& graph,
                                             const Selection& selection) {
  const auto run_of = [&](CallId id) { return graph.conversation_of(id).number; };
  std::map<uint32_t, CallId> first_of;  // by run
  for (CallId id : calls) first_of.emplace(run_of(id), id);
  const auto is_told = [&](uint32_t i, uint32_t run, CallId first) {
    const Link& link = graph.links()[i];
    if (link.kind != LinkKind::subagent_spawn || !std::ranges::binary_search(selection.links, i))
      return false;
    auto spawner = first_of.find(run_of(link.from));
    return spawner != first_of.end() && spawner->first != run &&
           graph.timeline().before(spawner->second, first);
  };
  std::map<uint32_t, const Link*> spawns;
  for (const auto& [run, first] : first_of)
    for (uint32_t i : graph.causes_of(first))
      if (is_told(i, run, first)) {
        spawns.emplace(run, &graph.links()[i]);
        break;
      }
  return spawns;
}

}  // namespace xtrace
