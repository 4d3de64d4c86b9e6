#pragma once

#include <string>
#include <string_view>

namespace xtrace {

/// Is the component that a record says did it (facts/task_step.h) an agent: `coder-agent`,
/// `model-adapter`, `reflexion-engine`? OpenTracing tags libraries so too: `net/http`.
bool is_agent_component(std::string_view component);
/// `coder-agent` is CoderAgent in ExplanationGraph; components of other kinds, and names that are
/// not of small letters, digits and hyphens alone, stay as they are.
std::string agent_name_of(std::string_view component);

}  // namespace xtrace
