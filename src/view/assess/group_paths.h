#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace xtrace {

/// The first `folders` folders that a file is in: `src/a/` for `src/a/b/x.cpp` and 2; `./` for a
/// file of the project that is in none, or for 0. Folders count from the project's, if `source`
/// reveals it: a transcript in a folder named for it (`-home-ida-shop`). Else from the home folder
/// (`~/shop/`) or from the root (`/etc/`). `.` and `..` are resolved; nothing is looked up.
std::string group_path(std::string_view path, std::string_view source, int64_t folders);

}  // namespace xtrace
