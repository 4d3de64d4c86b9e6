#pragma once

#include <string>
#include <string_view>
#include <unordered_map>

#include "link/graph/graph.h"

namespace xtrace {

/// What a session was doing at its last record.
enum class Doing : uint8_t {
  nothing,  ///< no record has a time
  tool,     ///< a tool runs whose result is not recorded yet
  model,    ///< a model was asked, or has a tool's result to go on with
  user,     ///< the last reply ended: it is the user's turn
};

struct SessionState {
  Doing doing = Doing::nothing;
  Time since = kNoTime;
  std::string_view tool{};  ///< with Doing::tool, as the log has it
};

/// Concludes what sessions of a graph were doing from their last records.
class SessionStates {
 public:
  explicit SessionStates(const Graph& graph);
  SessionState of(const Session& session) const;

 private:
  const Graph& graph_;
  std::unordered_map<uint32_t, Time> came_;  ///< results, by the id of their tool use
};

/// A session that recorded nothing for so long is over: caches of prompts, which providers keep for
/// an hour at most, are gone, so that going on costs as much as a new session.
inline constexpr std::chrono::hours kOver{1};

/// The state as programs read it: `working`, `waiting`, `stopped`, `done`, `unknown`.
std::string_view state_word(const SessionState& state, Time now);
/// The state for people: `working 12s on Bash`, `waiting for you 4m`, `done 3h ago`. `tool` has
/// passed the redaction step.
std::string state_words(const SessionState& state, std::string_view tool, Time now);

}  // namespace xtrace
