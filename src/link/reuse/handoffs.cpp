#include "link/reuse/handoffs.h"

#include <algorithm>

#include "link/activities/deed.h"

namespace xtrace {

FileUse file_use_of(const Trace& trace, const ToolUse& use) {
  const Deed deed = deed_of(trace[use.name]);
  if (use.patches || changes(deed)) return FileUse::writes;
  return deed == Deed::read ? FileUse::reads : FileUse::none;
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
