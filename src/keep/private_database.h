#pragma once

#include <chrono>
#include <functional>
#include <string>

#include "base/result.h"
#include "sqlite/sqlite_file.h"

namespace xtrace {

/// Does `work` on the table of an SQLite database that only the user can read: all of it or
/// nothing. A database that does not exist is made, and appears whole or not at all; one that
/// others made, or whose table is another one, is left as it is. Another writer is waited for, so
/// long.
Status change_private_database(const std::string& path, std::chrono::milliseconds patience,
                               const SqliteTable& table,
                               const std::function<Status(SqliteFile&)>& work);

}  // namespace xtrace
