#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

#include "base/result.h"
#include "input/bytes/inputs.h"

namespace xtrace {

/// How many bytes show whether a file is a log of changes to a chat of Visual Studio Code.
inline constexpr size_t kVsCodeChatHead = 4 << 10;
bool is_vscode_chat_log(std::string_view head);

/// Makes the changes that Visual Studio Code logs of a chat the chat that they lead to, in a file
/// that has no name and is gone with the process. A record holds the requests that were added by
/// one line and is on that line. Returns why it cannot be read.
std::optional<Error> unpack_vscode_chat_log(Input& input, const File& file);

}  // namespace xtrace
