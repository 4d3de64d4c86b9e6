#pragma once

#include <span>

#include "facts/agents.h"

namespace xtrace {

/// The folders of all agents, also those in editors, in the order of their roots, each once.
std::span<const AgentFolder> agent_folders();

}  // namespace xtrace
