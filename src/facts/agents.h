#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/parts.h"
#include "facts/deed.h"

namespace xtrace {

// What is known of agents beside how their records are read. Each agent has a row in agents.cpp,
// and a question about tools, folders or words is asked of all rows. In lists, `|` separates words.

/// Where an agent keeps the logs of its sessions, as it has it on Linux.
struct AgentFolder {
  std::string_view root{};  ///< all that is its own, below a home or a project
  std::string_view logs{};  ///< what of that holds sessions; each may be a pattern; empty: all
  /// A variable of the environment that names another place, and the part of the path in whose
  /// place it is; empty: the home.
  struct Moved {
    std::string_view variable{}, stands_for{};
  };
  Moved moved[2]{};
  /// Where sessions were in former versions, which moved them: looked at where none of `logs` is.
  std::string_view formerly{};
};

/// A tool that starts a subagent or writes to one, and the arguments that state which and what.
struct SpawnTool {
  enum class Starts : uint8_t {
    always,
    if_typed,    ///< where its arguments name the type of a subagent
    if_told,     ///< where they hold a prompt
    if_resumed,  ///< where they name one that goes on
  };
  std::string_view name{};
  Starts starts = Starts::always;
  std::string_view type = "subagent_type", prompt = "prompt", resumed = "resume";
};

/// A tool that loads the instructions of a skill, and the arguments that may name the skill.
struct SkillTool {
  std::string_view name{}, keys{};
};

/// A number that differs between equal outputs of a tool, which the client puts before or behind
/// the output: it follows `words`, near `beside` where the client wrote both.
struct OutputMark {
  std::string_view words{}, beside{}, digits{};
  bool at_end = false;  ///< of the output; else at its beginning
};

struct AgentFacts {
  std::string_view format{};   ///< of its sessions; empty: of several agents, or one of another's
  std::string_view product{};  ///< as its vendor writes it
  AgentFolder folders[2]{};
  std::string_view extension{};  ///< its folders in the storage of an editor
  std::string_view hidden{};     ///< hidden files and folders of a project that are logs
  struct Tools {
    Deed deed = Deed::used;
    std::string_view names{};  ///< in small letters, without `_` and `-`
  };
  Tools tools[8]{};
  std::string_view questions{};  ///< tools that ask a person; spelled likewise
  std::string_view plans{};      ///< tools that put a plan to a person; spelled likewise
  SpawnTool spawns[3]{};
  SkillTool skill{};
  std::string_view instructions{};  ///< files that the client adds to the first prompt
  std::string_view summing_up{};    ///< in the system prompt of a request for a summary
  OutputMark marks[3]{};
};

std::span<const AgentFacts> agents();

/// Calls `each` with the words of a list in a row; an empty list has none.
template <class Each>
void each_word(std::string_view list, Each each) {
  if (!list.empty()) for_each_part(list, '|', each);
}

/// The name of the product whose sessions are of the format; without a row, the format's name.
std::string_view find_product(std::string_view format);
/// How a tool by this name states what a subagent is to do. nullptr: as most tools do.
const SpawnTool* find_spawn_tool(std::string_view name);
/// The tools whose uses always start subagents.
std::vector<std::string> list_spawn_tools();
/// The arguments in which the tool names a skill; empty: it loads none.
std::string_view find_skill_keys(std::string_view tool);
/// Does the text hold a word that any row has in this list?
bool has_any_word(std::string_view text, std::string_view AgentFacts::*list);
/// Is a file of this name one of instructions for agents, in whatever case?
bool is_instruction_file(std::string_view name);

}  // namespace xtrace
