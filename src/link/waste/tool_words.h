#pragma once

#include <string>
#include <string_view>

namespace xtrace {

/// What the name of a tool tells of it, by its words: those of `read_file`, `ReadFile` and
/// `mcp__files__read-file` are the same, and `thread` is not `read`.
struct NameTells {
  bool changes = false;  ///< something: said of all of which no word says that they only look
  bool edits = false;    ///< it writes to files, whatever else it may do
  bool reads_files = false;
  bool polls = false;  ///< it asks how something goes, or waits for it: `BashOutput`, `wait_agent`
};
NameTells told_by_name(std::string_view tool);

/// Of arguments in JSON, the command in them: a text, or the words of a list; of `bash -c` what
/// that runs. Empty: none.
std::string command_in(std::string_view arguments);
/// Can the command change files, or anything that another command tells of? Said of all but those
/// that are known to look at things alone.
bool command_changes(std::string_view command);
/// Does it wait, or ask how something goes that takes time: `sleep 5`, `gh run view`?
bool command_polls(std::string_view command);

}  // namespace xtrace
