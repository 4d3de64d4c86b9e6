#pragma once

#include <string>

#include "base/system.h"

namespace xtrace {

// What keeps the files of one user from others; as in base/system.h, a function that fails leaves
// the reason in `errno`.

/// Opens a file in an open folder for reading; a link, or anything but a regular file, is an error.
File open_entry(int folder, const std::string& name);
/// Removes the name of a file from an open folder.
bool remove_entry(int folder, const std::string& name);
/// Does an open file or folder belong to this user, and can nobody else write to it?
bool is_private(int fd);

}  // namespace xtrace
