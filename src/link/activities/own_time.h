#pragma once

#include <vector>

#include "link/activities/critical_path.h"

namespace xtrace {

/// When a tool that a call asked for was waited for: from the end of the answer until its result
/// was there, at the latest with the request that brings it. Where the log has the moment when it
/// began, and that was before the answer ended, from then on.
struct ToolWait {
  Time from = kNoTime;
  Duration took = kNoDuration;  ///< unknown where nobody read the result, or it was in the answer
  Time end() const { return after(from, took); }
};
ToolWait wait_for(const Graph& graph, const Activity& tool);

/// A piece of the time between the start of a call and its end.
struct OwnTime {
  PathPart part = PathPart::model;
  Time from = kNoTime, to = kNoTime;
};

/// What a call of known start and length spent its time on, in order and without gaps. Some clients
/// write an answer down when the tools that it asked for have ended; where they say when those ran,
/// that is no model's time. Of tools that ran at once, one counts.
///
///     call      ├──────────────────────────┤
///     tools        ├ t1 ┤     ├─ t2 ─┤
///     own time  mmmttttttmmmmmttttttttmmmmm
std::vector<OwnTime> own_time(const Graph& graph, CallId call);

/// Of that, what a model was at work.
Duration time_of_model(const Graph& graph, CallId call);

}  // namespace xtrace
