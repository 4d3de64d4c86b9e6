#pragma once

#include <string_view>

#include "link/waste/command_acts.h"

namespace xtrace {

/// Consequences of a tool by the words of its name: those of `read_file`, `ReadFile` and
/// `mcp__files__read-file` are the same, and `thread` does not contain `read`.
struct ToolNameTraits {
  bool changes = false;  ///< true unless a word shows that it only looks
  bool edits = false;    ///< it writes to files, whatever else it may do
  bool reads_files = false;
  bool waits = false;
  bool polls = false;  ///< it asks how something goes, or waits for it: `BashOutput`, `wait_agent`
  CommandActs acts;    ///< those of a tool that is no shell: `run_tests`, `create_pull_request`
};
ToolNameTraits classify_tool_name(std::string_view tool);

}  // namespace xtrace
