#include "link/graph/resource.h"

#include <fmt/format.h>

#include <algorithm>

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
  for (StringId target : targets_of(trace, use)) {
    std::string resource = resource_named(trace[target]);
    if (std::find(resources.begin(), resources.end(), resource) == resources.end())
      resources.push_back(std::move(resource));
  }
  if (!resources.empty()) return resources;
  const std::string_view name = trace[use.name];
  return {fmt::format("resource:tool:{}", name.empty() ? "unknown" : name)};
}

}  // namespace xtrace
