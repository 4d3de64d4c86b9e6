#include "facts/agents.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <map>
#include <set>

#include "input/bytes/agent_folders.h"
#include "input/common/format.h"

using namespace xtrace;

TEST_CASE("each row of an agent names one of the formats, and each agent has one row") {
  std::set<std::string_view> formats, products;
  for (const AgentFacts& agent : agents()) {
    if (!agent.format.empty()) CHECK(find_format(agent.format) != nullptr);
    if (!agent.format.empty()) CHECK(formats.insert(agent.format).second);
    if (!agent.product.empty()) CHECK(products.insert(agent.product).second);
  }
  CHECK(find_product("gemini-cli") == "Gemini CLI");
  CHECK(find_product("opencode") == "OpenCode");
  CHECK(find_product("otlp") == "otlp");
}

TEST_CASE("no two agents mean different things by the name of a tool") {
  std::map<std::string_view, Deed> deeds;
  std::set<std::string_view> spawns, skills;
  for (const AgentFacts& agent : agents()) {
    for (const AgentFacts::Tools& tools : agent.tools)
      each_word(tools.names,
                [&](std::string_view name) { CHECK(deeds.emplace(name, tools.deed).second); });
    for (const SpawnTool& tool : agent.spawns)
      if (!tool.name.empty()) CHECK(spawns.insert(tool.name).second);
    if (!agent.skill.name.empty()) CHECK(skills.insert(agent.skill.name).second);
  }
  CHECK(list_spawn_tools() == std::vector<std::string>{"Task", "Agent", "spawn_agent"});
  CHECK(find_skill_keys("activate_skill") == "name");
  CHECK(find_skill_keys("Read").empty());
}

TEST_CASE("folders of agents and of editors are in order, each once") {
  std::vector<std::string_view> roots;
  for (const AgentFolder& folder : agent_folders()) roots.push_back(folder.root);
  CHECK(std::ranges::is_sorted(roots));
  CHECK(std::ranges::adjacent_find(roots) == roots.end());
  const auto code =
      std::ranges::find(agent_folders(), ".config/Code/User/globalStorage", &AgentFolder::root);
  REQUIRE(code != agent_folders().end());
  CHECK(code->logs ==
        "emptyWindowChatSessions|kilocode.kilo-code/tasks|rooveterinaryinc.roo-cline/tasks|"
        "saoudrizwan.claude-dev/tasks|transferredChatSessions");
}

TEST_CASE("files of instructions are known in any case, and in a text by their names") {
  CHECK(is_instruction_file("agents.md"));
  CHECK(is_instruction_file("CLAUDE.md"));
  CHECK_FALSE(is_instruction_file("README.md"));
  CHECK(has_any_word("Contents of /srv/trip/GEMINI.md", &AgentFacts::instructions));
  CHECK_FALSE(has_any_word("nothing", &AgentFacts::instructions));
}
