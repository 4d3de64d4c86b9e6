#pragma once

#include <string_view>

namespace xtrace {

struct RawTrace;

/// Is this Claude Code's span of the work that a tool does, inside the one of its use?
bool is_tool_execution(std::string_view operation);

/// What agents tell of one call or one run of a tool in several places becomes one span: what their
/// logs tell fills in what the span of a trace left open, and a use of a tool failed if its
/// execution did.
void join_agent_spans(RawTrace& trace);

}  // namespace xtrace
