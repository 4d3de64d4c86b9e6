#include "view/eval/agent_actions.h"

namespace xtrace {

const std::vector<DeclaredTool>& AgentActions::declared_by(CallId call) const {
  auto [at, is_new] = declared_.try_emplace(call);
  if (is_new && question_.payloads != nullptr)
    at->second = question_.payloads->instructions(trace_[call]).tools;
  return at->second;
}

std::optional<std::string> AgentActions::declared(const Action& tool) const {
  if (!tool.call) return std::nullopt;
  for (const DeclaredTool& one : declared_by(tool.call))
    if (one.name == tool.name && !one.schema.empty()) return one.schema;
  return std::nullopt;
}

std::set<std::string> AgentActions::declared_names() const {
  std::set<std::string> names;
  for (const Action& model : models_)
    if (model.call)
      for (const DeclaredTool& one : declared_by(model.call)) names.insert(one.name);
  return names;
}

}  // namespace xtrace
