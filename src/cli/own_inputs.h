#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "cli/option_list.h"

namespace xtrace {

struct LoadOptions;
struct Request;

/// Do both sides of a command stand on a terminal, so that nobody waits for an error in a script?
bool is_person_asking();

/// Does the command know what it is about where no input is named?
bool takes_own_by_itself(const ViewEntry& entry);

/// Is a word where a command should stand an input, so that `dag` is meant? Commands go before.
bool names_input(const std::string& word);

/// Puts files in place of the inputs that name sessions of one's own, and of none at all the newest
/// session, or for who lists sessions all of them; `options` are those of the request. Other inputs
/// stay as they are, and `.` too unless it holds no record.
Status find_own_sessions(Request& request, const OptionList& options);

/// The same of a command that takes whole files: the inputs with files in place of sessions.
/// Exit::usage: one of these shares a file with others.
Result<std::vector<std::string>> whole_files(const std::string& command,
                                             const std::vector<std::string>& inputs,
                                             const LoadOptions& loading, bool quiet);

}  // namespace xtrace
