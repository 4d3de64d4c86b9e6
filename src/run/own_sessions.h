#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace xtrace {

struct Request;

/// A session of one's own that was named otherwise than by its file.
struct OwnSession {
  std::vector<std::string> files;  ///< that record it
  std::string id;                  ///< for --session; empty: its log gives it none
  bool is_alone = true;            ///< they record no other session
};

/// The word for the newest of them.
inline constexpr std::string_view kLastSession = "last";

/// May the word name one: `last`, the number of a line of `xtrace list`, or the beginning of an id?
/// A file of that name goes before.
bool may_name_session(std::string_view word);

/// The session that the word names, among those that own_logs() hold. Exit::usage where several ids
/// begin so; Exit::input where there is none.
Result<OwnSession> own_session(const std::string& word, const Request& request);

/// The newest session that was held in this folder; none where there is none.
Result<std::optional<OwnSession>> own_session_in(const std::string& folder, const Request& request);

/// The filter by which the user's own sessions can be listed that the word describes: `--project
/// kiln`, `--source codex`. Empty: it names neither a project nor an agent product of theirs.
std::string filter_named(const std::string& word, const Request& request);

/// Is there any record in what the path names?
bool holds_records(const std::string& path, const Request& request);

}  // namespace xtrace
