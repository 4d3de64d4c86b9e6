#include "view/names.h"

#include <fmt/format.h>

#include <unordered_set>

#include "view/filter.h"

namespace xtrace {

Names::Names(const Graph& graph, Door& door) : graph_(graph), door_(door) {
  std::unordered_set<std::string_view> taken;
  for (const Event& event : graph.trace().events) {
    Text id = door.name(graph.trace()[event.id]);
    if (id.empty()) id = "unnamed";
    // A record may bear the very name that another one was given for being the second.
    for (int nth = 2; !taken.insert(id.view()).second; ++nth)
      id = door.composed(fmt::format("{}~{}", door.name(graph.trace()[event.id]).view(), nth));
    ids_.push_back(id);
  }
}

Text Names::at(EventId event) const {
  return at(graph_.trace()[event].source);
}

Text Names::at(const Extent& extent) const {
  Text path = door_.name(graph_.trace().sources[extent.file].path);
  return door_.composed(fmt::format("{}:{}", path.view(), extent.line));
}

Text Names::at_offset(const Extent& extent) const {
  const Source& source = graph_.trace().sources[extent.file];
  if (!source.is_document) return at(extent);
  return door_.composed(fmt::format("{}@{}", door_.name(source.path).view(), extent.offset));
}

Text Names::session(const Session& session) const {
  return door_.name(session_name(graph_, session));
}

Text Names::agent(const Agent& agent) const {
  return door_.name(agent_name(agent));
}

}  // namespace xtrace
