#pragma once

#include <array>
#include <functional>
#include <span>
#include <string_view>
#include <vector>

#include "link/graph/graph.h"

namespace xtrace {

/// What of a graph of calls somebody looks at.
struct ShownCalls {
  std::function<bool(CallId)> shows;
  std::span<const uint32_t> links;  ///< those between shown calls, by the start of effects
};

/// What the time of a critical path is made of.
enum class PathPart : uint8_t {
  model,        ///< a model was at work
  tool,         ///< a tool was: from the answer that asks for it to the request with its result
  permission,   ///< of that, until a person let the tool run (link/activities/permission.h)
  retry_wait,   ///< before a call that failed was tried again
  background,   ///< nothing went on until something in the background had ended
  person,       ///< nothing went on until a user said something
  unexplained,  ///< between calls, and no record says why
};
inline constexpr std::string_view kPathPartWords[] = {
    "model", "tool", "permission", "retry_wait", "background", "person", "unexplained"};
inline constexpr size_t kPathParts = std::size(kPathPartWords);
constexpr std::string_view word(PathPart part) {
  return kPathPartWords[static_cast<size_t>(part)];
}

/// What nothing that went on explains before a call: what it brings tells.
PathPart gap_before(const Graph& graph, CallId call);

/// The calls that decided how long a session took: from the end of the one that ended last back to
/// what let it begin, and so on; of several that it waited for, the one that ended last. What
/// nothing leads to began after what had ended last before it.
///
///     main   ├─ a ─┤······ tool ······├─ b ─┤··· subagents ···├── d ──┤     path: a b s2 d
///     sub 1                                 ├── s1 ──┤╌╌╌╌╌╌╌            slack of s1: until s2
///     ends sub 2                                 ├────── s2 ──────┤
///
/// Its parts add up to the time from the start of its first call to the end of its last.
struct CallPath {
  std::vector<CallId> calls;                 ///< in order of time
  std::array<Duration, kPathParts> parts{};  ///< by PathPart
  std::vector<bool> is_on_path;              ///< by call
  /// By call: how much longer it could have gone on and nothing after it had begun later; unknown
  /// for what is not shown and for calls of unknown length.
  std::vector<Duration> slack;

  /// All of it but what a user took to think.
  Duration took() const;
  /// How many of its calls are on record; subagents that only a report records are none.
  int64_t steps(const Trace& trace) const;
};

/// That of the session that took longest.
CallPath critical_path(const Graph& graph, const ShownCalls& shown);

}  // namespace xtrace
