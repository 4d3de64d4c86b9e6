#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

#include "base/result.h"
#include "input/bytes/inputs.h"

namespace xtrace {

/// How many bytes show whether a file is one of SQLite.
inline constexpr size_t kDatabaseHead = 16;
bool is_database(std::string_view head);

/// Makes an SQLite database of an agent a log of its sessions, in a file that has no name and is
/// gone with the process. It is read from a private copy of `file`, with what its write-ahead log
/// holds, and nothing is made beside it. Tells why it cannot be read.
std::optional<Error> unpack_database(Input& input, const File& file);

}  // namespace xtrace
