#include "link/reuse/handoffs.h"

#include <algorithm>

namespace xtrace {

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
