#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

#include "base/result.h"
#include "input/bytes/inputs.h"

namespace xtrace {

/// How many bytes show whether a file is a chat history of aider.
inline constexpr size_t kChatHistoryHead = 64;
bool is_chat_history(std::string_view head);

/// Makes a chat history of aider, which is Markdown, a log of its prompts and answers, in a file
/// that has no name and is gone with the process. Each record stands on the line on which what it
/// tells begins in the history, and the other lines are empty. Tells why it cannot be read.
std::optional<Error> unpack_chat_history(Input& input, const File& file);

}  // namespace xtrace
