#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "link/activities/activity.h"

namespace xtrace {

class Graph;
struct Activities;

/// By what it is known that a tool waited until a person let it run, the surest first.
enum class PermissionRule : uint8_t {
  denied,         ///< the result says that the person did not let it run, and nothing that it did
  turn_duration,  ///< the client's own count of the turn leaves so much of it out
  measured_tool,  ///< the log measured the tool, and it ran for much less
  instant_tool,   ///< it writes to a file, which takes no time, and took long
};
inline constexpr std::string_view kPermissionRuleWords[] = {"denied", "turn_duration",
                                                            "measured_tool", "instant_tool"};
constexpr std::string_view word(PermissionRule rule) {
  return kPermissionRuleWords[static_cast<size_t>(rule)];
}

/// A wait that most likely was one for a person to let a tool run. It is at the beginning of the
/// time from the answer that asks for the tool until its result is there.
struct PermissionWait {
  ActivityId tool;
  Time from = kNoTime;
  Duration took{0};
  PermissionRule rule = PermissionRule::denied;
  double confidence = 0;  ///< 0 to 1: priors, until they are measured
  Time end() const { return after(from, took); }
};

/// Waits for a person's leave, as far as there is evidence of any.
struct Permissions {
  /// In order of time. A tool that may have run all the time is not among them: without evidence
  /// its wait is the tool's.
  std::vector<PermissionWait> waits;
  /// Tools that took very long where the client may ask, and of which nothing shows that they were
  /// at work: a prompt may have been open for any part of that. The log does not decide.
  std::vector<ActivityId> undecided;
  /// Tools whose results say that a person did not let them run, though nobody was asked: the
  /// person stopped them.
  std::vector<ActivityId> stopped;
};

/// All that records record. `activities` still have the waits in the times of their tools.
Permissions find_permission_waits(const Graph& graph, const Activities& activities);

}  // namespace xtrace
