#pragma once

#include <optional>

#include "base/result.h"
#include "input/bytes/inputs.h"

namespace xtrace {

/// Makes an SQLite database of an agent a log of its sessions, in a file that has no name and is
/// gone with the process; what is no database stays as it is. It is read from a private copy, with
/// what its write-ahead log holds, and nothing is made beside it. Tells why it cannot be read.
std::optional<Error> unpack_database(Input& input);

}  // namespace xtrace
