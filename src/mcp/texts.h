#pragma once

#include <string_view>

namespace xtrace::mcp {

/// Sent to each client, which shows it to its model: when to use the tools, and how to read them.
extern const std::string_view kInstructions;

/// A section for an AGENTS.md or CLAUDE.md, for agents that use the command line.
extern const std::string_view kAgentsText;

}  // namespace xtrace::mcp
