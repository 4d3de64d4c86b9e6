#pragma once

#include <string>

namespace xtrace {

struct Trace;
struct ToolUse;

/// What a tool use reaches: `resource:host:NAME` or `resource:file:PATH` where its arguments name
/// one, else `resource:tool:NAME`.
std::string resource_of(const Trace& trace, const ToolUse& use);

}  // namespace xtrace
