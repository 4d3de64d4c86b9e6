#include "link/graph/resource.h"

#include <fmt/format.h>

#include <unordered_set>

#include "base/address.h"
#include "facts/tool_targets.h"

namespace xtrace {

std::string resource_named(std::string_view target) {
  if (std::string_view host = host_of(target); !host.empty())
    return fmt::format("resource:host:{}", host);
  return fmt::format("resource:file:{}", target);
}

std::vector<std::string> resources_of(const Trace& trace, const ToolUse& use) {
  std::vector<std::string> resources;
  std::unordered_set<std::string_view> hosts;  // of several addresses; files differ by themselves
  for (StringId target : targets_of(trace, use)) {
    const std::string_view host = host_of(trace[target]);
    if (host.empty() || hosts.insert(host).second)
      resources.push_back(resource_named(trace[target]));
  }
  if (!resources.empty()) return resources;
  const std::string_view name = trace[use.name];
  return {fmt::format("resource:tool:{}", name.empty() ? "unknown" : name)};
}

}  // namespace xtrace
