#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace xtrace {

/// `XTRACE_LOGS`: paths with colons between them; empty: it names none.
std::string_view logs_variable();

/// Where sessions of this user's agents are stored: the existing folders and files of those that
/// the agents keep or that their variables name. What logs_variable() names replaces all of them.
std::vector<std::string> own_logs();
/// From now on these files and folders are own_logs(), whatever the environment says. Before any
/// thread asks for them.
void set_own_logs(std::vector<std::string> paths);
/// Those that logs_variable() names and that are not there.
std::vector<std::string> missing_logs();

}  // namespace xtrace
