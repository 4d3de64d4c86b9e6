#pragma once

#include <string>
#include <string_view>

namespace xtrace {

/// Does the path begin at a root, a drive, a server or a home?
bool is_absolute_path(std::string_view path);

/// `web/a.py` of `web` and `./a.py`, without `.` and `..`; an absolute path is not below the
/// folder.
std::string path_below(std::string_view folder, std::string_view path);

}  // namespace xtrace
