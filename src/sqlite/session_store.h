#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "base/result.h"

namespace xtrace {

/// Calls `each` with the sessions in a database that an agent keeps them in, each a document as the
/// agent exports it: of OpenCode, Goose, Kiro, Amazon Q and Cursor; or with the lines of a log of
/// them, of Copilot CLI; or with the newest graph in a database of `--snapshot`. `bytes` are all of
/// the database; `path` is what users know it as. What is no JSON in it is handed on as it is. An
/// Error: it is no database, or one of something else.
Status read_session_store(std::string_view bytes, const std::string& path,
                          const std::function<Status(std::string_view session)>& each);

}  // namespace xtrace
