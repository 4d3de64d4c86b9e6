#include "view/common/names.h"

#include <fmt/format.h>

#include <unordered_set>
#include <utility>

#include "link/calls/agents.h"
#include "link/calls/session_names.h"
#include "redact/place_words.h"

namespace xtrace {

Names::Names(const Graph& graph, Door& door)
    : graph_(graph), door_(door), on_one_line_(graph.trace().sources.size()) {
  const auto look_for_one_line = [&](const auto& records) {
    std::vector<uint32_t> last_line(on_one_line_.size());
    for (const auto& record : records) {
      const Extent& at = record.source;
      if (at.line > 0 && at.line == std::exchange(last_line[at.file], at.line))
        on_one_line_[at.file] = true;
    }
  };
  look_for_one_line(graph.trace().calls);
  look_for_one_line(graph.trace().spans);
}

std::vector<Text> Names::unique_ids() const {
  std::vector<Text> ids;
  ids.reserve(graph_.trace().calls.size());
  std::unordered_set<std::string_view> taken;
  for (const Call& call : graph_.trace().calls) {
    Text id = text(call.id);
    if (id.empty()) id = "unnamed";
    // A record may bear the very name that another one was given for being the second.
    for (int nth = 2; !taken.insert(id.view()).second; ++nth)
      id = door_.say("{}~{}", text(call.id).view(), nth);
    ids.push_back(id);
  }
  return ids;
}

Text Names::at(const Extent& extent) const {
  RecordPlace at = place(extent);
  Text path = door_.name(at.path);
  return at.line == 0 && at.offset == 0 ? path : door_.composed(place_words(path.view(), at));
}

Text Names::shown_at(const Extent& extent) const {
  RecordPlace at = place(extent);
  if (has_own_line(extent)) at.is_document = false;
  return at.line == 0 && at.offset == 0
             ? door_.name(at.path)
             : door_.composed(place_words(door_.name(at.path).view(), at));
}

bool Names::has_own_line(const Extent& extent) const {
  const bool is_document = graph_.trace().sources[extent.file].is_document;
  return extent.line > 0 && !(is_document && on_one_line_[extent.file]);
}

RecordPlace Names::place(const Extent& extent) const {
  const Source& source = graph_.trace().sources[extent.file];
  return {source.path, extent.offset, extent.line, source.is_document};
}

Text Names::session(const Session& session) const {
  return door_.name(session_name(graph_.trace(), session));
}

Text Names::project(const Session& session) const {
  if (!session.project) return {};
  return door_.composed(std::string(last_folder(text(session.project).view())));
}

Text Names::agent(const Agent& agent) const {
  return door_.name(agent_name(agent));
}

}  // namespace xtrace
