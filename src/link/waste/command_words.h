#pragma once

#include <string>
#include <string_view>

namespace xtrace {

/// Of arguments in JSON, the command in them: a text, or the words of a list; of `bash -c` what
/// that runs. Empty: none.
std::string command_in(std::string_view arguments);
/// Can the command change files, or anything that another command tells of? Said of all but those
/// that are known to look at things alone.
bool command_changes(std::string_view command);
/// Can it change files that it does not name, as `git checkout main` and `make format` do?
bool command_rewrites(std::string_view command);
/// Does it do nothing but look at things, test or build them: `make check 2>&1 | tail`? Nothing
/// comes of doing that again.
bool command_checks(std::string_view command);
/// Does it wait, or ask how something goes that takes time: `sleep 5`, `gh run view`?
bool command_polls(std::string_view command);
/// Does it wait: `sleep 5`?
bool command_waits(std::string_view command);

}  // namespace xtrace
