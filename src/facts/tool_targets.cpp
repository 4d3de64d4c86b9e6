#include "facts/tool_targets.h"

#include "facts/rows.h"

namespace xtrace {

std::vector<StringId> targets_of(const Trace& trace, const ToolUse& use) {
  std::vector<StringId> targets;
  if (!use.target) return targets;
  targets.push_back(use.target);
  if (trace.tool_targets.empty()) return targets;
  const auto nth = &use - rows_of(trace.tool_uses, use.message).data();
  for (const ToolTarget& target :
       rows_of_use(trace.tool_targets, use.message, static_cast<size_t>(nth)))
    targets.push_back(target.name);
  return targets;
}

}  // namespace xtrace
