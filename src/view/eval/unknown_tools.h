#pragma once

#include <string>
#include <vector>

#include "view/eval/agent_actions.h"

namespace xtrace {

/// A name in a suite that may be misspelt: no run uses a tool of that name, and no request declares
/// one.
struct UnknownTool {
  SuitePlace at;
  std::string name;
  std::string near;  ///< `; did you mean 'Read'?`, or nothing
};

/// In the order of the suite. Where no request declares its tools, what is forbidden may well be a
/// tool that was not used: of that nothing is said, unless the name is near to one that was.
std::vector<UnknownTool> unknown_tools(const Suite& suite, const AgentActions& all);

/// Names in forbidden paths that no actor has, and that a tool has, or that are near to an actor's:
/// in a path a tool is `resource:tool:NAME`. Other names may well be of what was not there.
std::vector<UnknownTool> unknown_actors(const Suite& suite, const AgentActions& all);

}  // namespace xtrace
