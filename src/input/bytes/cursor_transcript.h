#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

#include "base/result.h"
#include "input/bytes/inputs.h"

namespace xtrace {

/// How many bytes show whether a file is a transcript of Cursor's agent that is plain text.
inline constexpr size_t kCursorTranscriptHead = 4 << 10;
bool is_cursor_transcript(std::string_view head);

/// Makes a transcript of Cursor's agent that is plain text the log that its agent writes today, in
/// a file that has no name and is gone with the process. Each record stands on the line on which
/// what it tells begins. Tells why it cannot be read.
std::optional<Error> unpack_cursor_transcript(Input& input, const File& file);

}  // namespace xtrace
