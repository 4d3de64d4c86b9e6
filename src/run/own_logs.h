#pragma once

#include <string>
#include <vector>

namespace xtrace {

/// Where sessions of this user's agents lie: the folders and files that are there, of those that
/// the agents keep or that their variables name. `XTRACE_LOGS`, with colons between its paths,
/// stands in place of all of them.
std::vector<std::string> own_logs();

}  // namespace xtrace
