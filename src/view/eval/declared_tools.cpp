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

namespace {

/// What clients say in the user's place begins with a tag, or is in brackets.
bool is_of_client(std::string_view text) {
  return text.empty() || text.front() == '<' || text.starts_with("[Request interrupted");
}

}  // namespace

std::optional<bool> AgentActions::user_consented(const Action& tool,
                                                 std::optional<bool> (*consents)(std::string_view),
                                                 bool (*asks)(std::string_view)) const {
  if (!tool.call) return std::nullopt;
  bool is_unclear = false, is_refused = false, has_consent = false;
  auto hear = [&](std::string_view reply) {
    const std::optional<bool> agrees = consents(reply);
    is_unclear |= !agrees;
    is_refused |= agrees == false;
    has_consent |= agrees == true;
  };
  // A question that was put by a tool.
  for (const Action& one : tools_)
    if (one.thread == tool.thread && asks(one.name) && one.outcome == Outcome::ok &&
        one.end <= tool.start)
      if (std::optional<std::string> said = result(one)) hear(*said);
  if (has_consent) return true;
  is_refused = false;  // what is said later counts
  const std::vector<Quote>& said = pieces(tool.call);
  if (said.empty()) return std::nullopt;
  bool was_addressed = false;
  for (const Action& model : models_)
    was_addressed |= model.call != tool.call && model.thread == tool.thread &&
                     model.outcome == Outcome::ok && model.start < tool.start;
  for (const Quote& piece : said)
    if (was_addressed && !piece.is_answer && piece.kind == Quote::Kind::text &&
        !is_of_client(piece.text))
      hear(piece.text);
  if (is_refused) return false;
  if (is_unclear) return std::nullopt;
  return has_consent;
}

}  // namespace xtrace
