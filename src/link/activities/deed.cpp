#include "link/activities/deed.h"

#include <string>
#include <unordered_map>

#include "base/lower.h"
#include "facts/agents.h"

namespace xtrace {

namespace {

/// What is known of a tool by its name.
struct KnownTool {
  Deed deed = Deed::used;
  bool asks = false, is_question = false;
};

using KnownTools = std::unordered_map<std::string_view, KnownTool>;

KnownTools known_tools() {
  KnownTools known;
  for (const AgentFacts& agent : agents()) {
    for (const AgentFacts::Tools& tools : agent.tools)
      each_word(tools.names, [&](std::string_view name) { known[name].deed = tools.deed; });
    each_word(agent.plans, [&](std::string_view name) { known[name].asks = true; });
    each_word(agent.questions,
              [&](std::string_view name) { known[name].asks = known[name].is_question = true; });
  }
  return known;
}

KnownTool find_tool(std::string_view tool) {
  static const KnownTools kKnown = known_tools();
  std::string name = lower(tool);
  std::erase_if(name, [](char c) { return c == '_' || c == '-'; });
  const auto found = kKnown.find(name);
  return found == kKnown.end() ? KnownTool{} : found->second;
}

}  // namespace

Deed deed_of(std::string_view tool) {
  return find_tool(tool).deed;
}

bool asks_a_person(std::string_view tool) {
  return find_tool(tool).asks;
}

bool puts_a_question(std::string_view tool) {
  return find_tool(tool).is_question;
}

}  // namespace xtrace
