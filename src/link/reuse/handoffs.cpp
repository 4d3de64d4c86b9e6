#include "link/reuse/handoffs.h"

#include <algorithm>

#include "base/path.h"

namespace xtrace {

std::string canonical_path(const Graph& graph, CallId call, std::string_view path) {
  const std::string_view folder = graph.trace()[graph.session_of(call).project];
  if (is_absolute_path(path)) return path_below({}, path);
  return path_below(folder, path);
}

void Handoffs::wrote(const std::string& path, const Write& write) {
  by_path_[path].push_back(write);
}

void Handoffs::read(const std::string& path, ToolUseId use) {
  const auto written = by_path_.find(path);
  if (written == by_path_.end()) return;
  const std::vector<Write>& all = written->second;
  std::vector<Write>& latest = by_read_[use.index];
  const size_t kept = std::min(all.size(), kMostWrites);
  latest.assign(all.rbegin(), all.rbegin() + static_cast<std::ptrdiff_t>(kept));
}

std::span<const Handoffs::Write> Handoffs::writes_before(ToolUseId read) const {
  const auto found = by_read_.find(read.index);
  return found == by_read_.end() ? std::span<const Write>() : std::span(found->second);
}

}  // namespace xtrace
