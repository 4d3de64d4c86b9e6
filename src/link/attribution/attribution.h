#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "link/graph/graph.h"

namespace xtrace {

/// By what set a call off, or what it asked for, its cost can be attributed.
enum class AttributedBy : uint8_t {
  tool,     ///< the tools that the call asks for, in equal parts
  mcp,      ///< the MCP servers of these tools
  file,     ///< the files or addresses that these tools work on
  skill,    ///< whose instructions were in effect
  command,  ///< the slash command that began the turn
  hook,     ///< that sent the agent back to work when it was about to end its turn
  spawner,  ///< the subagent by which the user's conversation had the work done
};

/// A part of a call, and what it is attributed to.
struct AttributedPart {
  std::string_view name;  ///< as the log has it; empty: not attributable
  uint32_t parts = 1;     ///< of all parts of the call
  Rule rule = Rule::stamp;
  double confidence = 1;
  bool through_subagent = false;  ///< a subagent made the call
};

/// What each call of a graph is attributed to. The parts of a call make all of it, so that what
/// they cost adds up to what the calls cost.
class Attribution {
 public:
  Attribution(const Graph& graph, AttributedBy by);

  /// Several are in the order of their names.
  std::span<const AttributedPart> of(CallId call) const {
    return std::span(parts_).subspan(begins_[call.index],
                                     begins_[call.index + 1] - begins_[call.index]);
  }
  /// The name of the part of its call that a tool makes; of what is no tool's, nothing.
  std::string_view name_of(const ToolUse& use) const;

 private:
  const Trace* trace_;
  AttributedBy by_;
  std::vector<uint32_t> begins_;  ///< by call, and where the last one ends
  std::vector<AttributedPart> parts_;
};

/// The server of a tool that is named `mcp__SERVER__TOOL`; empty: it is of no server.
std::string_view mcp_server_of(std::string_view tool);

/// Divides an amount: what `parts` of `whole` get, of which `before` were given away. All of them
/// add up to the amount; one that is not known (negative) stays so.
int64_t part_of_amount(int64_t amount, uint32_t before, uint32_t parts, uint32_t whole);

}  // namespace xtrace
