#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace xtrace {

struct Trace;
struct ToolUse;

/// What a tool use reaches, each once: `resource:host:NAME` or `resource:file:PATH` for each that
/// its arguments name, else `resource:tool:NAME`.
std::vector<std::string> resources_of(const Trace& trace, const ToolUse& use);

/// That of one file or address.
std::string resource_named(std::string_view target);

}  // namespace xtrace
