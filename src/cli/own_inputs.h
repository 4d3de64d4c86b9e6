#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "cli/option_list.h"

namespace xtrace {

struct LoadOptions;
struct Request;

/// Is a word in the place of a command an input, so that `dag` is meant? Commands take precedence.
bool names_input(const std::string& word);

/// Replaces inputs that name the user's own sessions by their files. Without an input: standard
/// input if it brings bytes, else the newest session, the two newest for a comparison, or all of
/// them for a list. `options` are those of the request. Other inputs stay as they are, and `.` too
/// unless it holds no record.
///
/// Exit::input: standard input is empty, or there is no such session.
Status find_own_sessions(Request& request, const OptionList& options);

/// The same of a command that takes whole files: the inputs with files in place of sessions.
/// Exit::usage: one of these shares a file with others.
Result<std::vector<std::string>> whole_files(const std::string& command,
                                             const std::vector<std::string>& inputs,
                                             const LoadOptions& loading, bool quiet);

}  // namespace xtrace
