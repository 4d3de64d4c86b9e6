#pragma once

#include <string_view>

namespace xtrace {

/// What the name of a tool tells of it, by its words: those of `read_file`, `ReadFile` and
/// `mcp__files__read-file` are the same, and `thread` is not `read`.
struct NameTells {
  bool changes = false;  ///< something: said of all of which no word says that they only look
  bool edits = false;    ///< it writes to files, whatever else it may do
  bool reads_files = false;
  bool waits = false;
  bool polls = false;  ///< it asks how something goes, or waits for it: `BashOutput`, `wait_agent`
};
NameTells told_by_name(std::string_view tool);

}  // namespace xtrace
