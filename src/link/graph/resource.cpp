#include "link/graph/resource.h"

#include <fmt/format.h>

#include "base/address.h"
#include "facts/trace.h"

namespace xtrace {

std::string resource_of(const Trace& trace, const ToolUse& use) {
  const std::string_view target = trace[use.target], name = trace[use.name];
  if (std::string_view host = host_of(target); !host.empty())
    return fmt::format("resource:host:{}", host);
  if (!target.empty()) return fmt::format("resource:file:{}", target);
  return fmt::format("resource:tool:{}", name.empty() ? "unknown" : name);
}

}  // namespace xtrace
