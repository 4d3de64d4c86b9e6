#include "input/calls/named_agents.h"

#include <unordered_map>
#include <unordered_set>

namespace xtrace {

void forget_agents_named_by_others(RawTrace& trace) {
  std::unordered_set<uint32_t> naming;  // tool uses
  for (const ToolResult& result : trace.tool_results)
    if (result.agent && result.tool_use) naming.insert(result.tool_use.index);
  if (naming.empty()) return;
  std::unordered_map<uint32_t, bool> starts_agent;
  for (const ToolUse& use : trace.tool_uses)
    if (use.id && naming.contains(use.id.index))
      starts_agent[use.id.index] |=
          use.subagent_type || use.type_key || use.agent || !(use.target || use.command);
  for (ToolResult& result : trace.tool_results) {
    if (!result.agent || !result.tool_use) continue;
    const auto use = starts_agent.find(result.tool_use.index);
    if (use != starts_agent.end() && !use->second) result.agent = {};
  }
}

}  // namespace xtrace
