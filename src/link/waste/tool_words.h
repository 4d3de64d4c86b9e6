#pragma once

#include <string>
#include <string_view>

namespace xtrace {

/// Does a tool of this name change something, as far as names tell: `Edit`, `write_file`? What no
/// word says that it only looks at something is said to.
bool changes_by_name(std::string_view tool);
/// Does it write to files, whatever else it may do?
bool edits_by_name(std::string_view tool);
bool reads_files_by_name(std::string_view tool);
/// Does it ask how something goes, or wait for it: `BashOutput`, `wait_agent`?
bool polls_by_name(std::string_view tool);

/// Of arguments in JSON, the command in them: a text, or the words of a list; of `bash -c` what
/// that runs. Empty: none.
std::string command_in(std::string_view arguments);
/// Can the command change files, or anything that another command tells of? Said of all but those
/// that are known to look at things alone.
bool command_changes(std::string_view command);
/// Does it wait, or ask how something goes that takes time: `sleep 5`, `gh run view`?
bool command_polls(std::string_view command);

}  // namespace xtrace
