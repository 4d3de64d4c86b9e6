#pragma once

#include <string>
#include <vector>

#include "link/calls/session_use.h"
#include "link/calls/timeline.h"

namespace xtrace {

/// A stretch of work that belongs together.
struct Session {
  StringId id;  ///< explicit; nowhere: found here
  StringId user;
  StringId title;             ///< what its log calls it: words of a user's or of a model's
  StringId project;           ///< the folder that was worked in, as its log has it
  uint32_t number = 0;        ///< in order of time, from 1
  std::vector<CallId> calls;  ///< in order of time
  Time start = kNoTime, end = kNoTime;
  SessionUse use;  ///< as its own records state it, if any does
};

struct Sessions {
  std::vector<Session> all;
  std::vector<uint32_t> of;  ///< by call: index into all
};

/// A beginning of an id that is shorter names nothing: too many others are called so by chance.
inline constexpr size_t kShortestId = 4;

/// How users name a session: its explicit id, or `s` and its number.
std::string session_name(const Trace& trace, const Session& session);

/// An explicit id in the log wins; then calls joined by an exact link belong together, as a tool
/// that runs for half an hour must not cut a session in two; else a new session starts where
/// nothing happened for ten minutes, or with another user.
Sessions find_sessions(const Timeline& timeline, const Findings& findings);

}  // namespace xtrace
