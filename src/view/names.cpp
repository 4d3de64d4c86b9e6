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

Text Names::at(const Extent& extent) const {
  const Source& source = graph_.trace().sources[extent.file];
  Text path = door_.name(source.path);
  if (extent.line == 0) return path;
  return door_.composed(source.is_document ? fmt::format("{}@{}", path.view(), extent.offset)
                                           : fmt::format("{}:{}", path.view(), extent.line));
}

RecordPlace Names::place(const Extent& extent) const {
  const Source& source = graph_.trace().sources[extent.file];
  return {source.path, extent.offset, extent.line, source.is_document};
}

Text Names::session(const Session& session) const {
  return door_.name(session_name(graph_, session));
}

Text Names::agent(const Agent& agent) const {
  return door_.name(agent_name(agent));
}

}  // namespace xtrace
