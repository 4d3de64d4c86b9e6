#pragma once

#include <functional>
#include <string_view>

#include "base/result.h"
#include "sqlite/sqlite_file.h"

namespace xtrace {

/// The session in a store of Cursor's CLI (`store.db`): what it tells of itself, with its messages
/// in order under `messages`.
Status read_cursor_store(SqliteFile& file,
                         const std::function<Status(std::string_view session)>& each);

}  // namespace xtrace
