#pragma once

#include <string_view>
#include <vector>

#include "link/calls/sessions.h"

namespace xtrace {

/// Gives sessions the names and folders that their notes tell: what a user called it before what a
/// program did, and a name before a summary.
void name_sessions(const Trace& trace, Sessions& sessions);

/// What a project is called by the folder that was worked in: the last part of its path.
std::string_view last_folder(std::string_view folder);

/// The agent product that wrote a record, by the format that read it: `claude-code`. Empty: nothing
/// was recognised in its file.
std::string_view source_of(const Trace& trace, const Extent& record);
/// The same of a session. Where transcripts and other logs record it, the transcript names the
/// product.
std::string_view source_of(const Trace& trace, const Session& session);

/// Indices of sessions, those first in which something happened last; of those at one time the
/// later one, and at the end those without a time.
std::vector<uint32_t> newest_first(const std::vector<Session>& sessions);

}  // namespace xtrace
