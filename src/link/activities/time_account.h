#pragma once

#include <array>
#include <vector>

#include "link/activities/call_turns.h"
#include "link/activities/critical_path.h"
#include "link/activities/permission.h"

namespace xtrace {

/// Lengths of time by PathPart.
using PartTimes = std::array<Duration, kPathParts>;

/// What a session spent its time on, from the start of its first call to the end of its last. Of
/// what went on at once one thing counts: a model at work before a tool, a tool before a person
/// who is asked for leave, that before the wait for another attempt. Where nothing went on, what
/// came next tells: a person was waited for if the next call answers what a user said, work in the
/// background if the next call brings the notice of its end. Where a client, a tool or another
/// agent went on, nobody knows what for.
///
///     main   ├─ a ─┤·· Bash ··├─ b ─┤···············├─ c ─┤
///     sub                ├── s1 ──┤                            (started by another tool of a)
///            model  tool model       person           model
///
/// What a tool took of the time of the call that asked for it is the tool's (own_time()). So the
/// parts of all sessions add up to their lengths, to the nanosecond. Of a session of which not all
/// calls are shown, only what those took is recorded, and how long a person was waited for before
/// them.
struct TimeAccount {
  /// A stretch of time for one reason.
  struct Stretch {
    PathPart part = PathPart::unexplained;
    Time from = kNoTime, to = kNoTime;
    uint32_t session = 0;  ///< index into Graph::sessions()
    CallTurn turn;         ///< that went on; of a wait for a person, the one that ended it
    CallId call;           ///< that was at work, was to be tried again, or asked for the tool
    CallId next;           ///< the call that ended a wait for a person, or for the background
    ActivityId tool;       ///< nowhere: it is no tool's
    Duration took() const { return elapsed(from, to); }
  };
  std::vector<Stretch> stretches;  ///< by session, in order of time; without gaps if all is shown
  std::vector<PermissionWait> permissions;
  std::vector<ActivityId> undecided;  ///< as Activities has them
  PartTimes parts{};                  ///< of all sessions
  Duration total{0};                  ///< what they add up to
  int64_t undated = 0;  ///< calls without a time or a length: what they took is in no part

  /// May a tool's stretch have been one for leave, which the log does not decide?
  bool may_be_permission(const Stretch& stretch) const;
  /// Why the stretch is told to be a wait for leave; nullptr: it is none.
  const PermissionWait* permission_of(const Stretch& stretch) const;
};

/// Of the shown calls of a graph.
TimeAccount account_for_time(const Graph& graph, const ShownCalls& shown);

}  // namespace xtrace
