#pragma once

#include <cstdint>
#include <vector>

#include "link/waste/command_words.h"
#include "link/waste/tool_steps.h"

namespace xtrace {

/// How an act of a tool use ended, as far as its result shows it.
enum class ActResult : uint8_t {
  passed,
  failed,
  unclear,     ///< its exit code is hidden or that of several commands, and its output states none
  unrecorded,  ///< the log has no result of it
};

/// A tool use, and what of it decides claims.
struct ActingStep {
  CommandActs acts;
  bool is_read = false;     ///< it was looked at
  bool is_command = false;  ///< a shell ran it
  bool only_looks = true;
  bool proves = false;  ///< it ran something of a project (CommandPart::proves), or code
  bool edits = false;   ///< it changed files of a project, documentation excepted
  std::vector<CommandPart> parts{};
};

/// What a tool use does: by the words of its command, else by the name of the tool and its target.
ActingStep acting_step(const ToolSteps& steps, uint32_t step);

/// How the act of a tool use ended. An exit code that the command does not hide decides; else what
/// its output says.
ActResult result_of(const ToolSteps& steps, uint32_t step, const ActingStep& does, CommandAct act);
/// How all of the tool use ended.
ActResult result_of(const ToolSteps& steps, uint32_t step);

}  // namespace xtrace
