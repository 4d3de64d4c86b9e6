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

std::optional<bool> AgentActions::user_answered(const Action& tool,
                                                bool (*refuses)(std::string_view),
                                                bool (*asks)(std::string_view)) const {
  if (!tool.call) return std::nullopt;
  // A question that was put by a tool.
  for (const Action& one : tools_)
    if (one.thread == tool.thread && asks(one.name) && one.outcome == Outcome::ok &&
        one.end <= tool.start)
      if (std::optional<std::string> said = result(one); said && !refuses(*said)) return true;
  const std::vector<Quote>& said = pieces(tool.call);
  if (said.empty()) return std::nullopt;
  bool was_addressed = false;
  for (const Action& model : models_)
    was_addressed |= model.call != tool.call && model.thread == tool.thread &&
                     model.outcome == Outcome::ok && model.start < tool.start;
  if (!was_addressed) return false;
  for (const Quote& piece : said)
    // What begins with a tag, the client says.
    if (!piece.is_answer && piece.kind == Quote::Kind::text && !piece.text.empty() &&
        piece.text.front() != '<')
      return !refuses(piece.text);
  return false;
}

}  // namespace xtrace
