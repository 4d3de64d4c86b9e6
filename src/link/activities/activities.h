#pragma once

#include <deque>
#include <span>
#include <string>
#include <vector>

#include "link/activities/activity.h"
#include "link/activities/permission.h"
#include "link/ledger/ledger.h"

namespace xtrace {

class Graph;
struct Link;

/// Everything that happened: calls in order of time, each with the tools that it asked for behind
/// it; then what spans record, in the order of Hops::all. A record that repeats another one is
/// there too, see Activity::same_as.
struct Activities {
  std::vector<Activity> all;
  std::vector<ActivityId> of_call;          ///< by call
  std::vector<ActivityId> of_hop;           ///< by hop of Graph::hops()
  std::vector<ActivityId> of_span;          ///< by span: that of the hop it observed
  std::vector<ActivityId> of_tool_use;      ///< by tool use; nowhere: no call asked for it
  std::deque<std::string> names;            ///< of agents, that no log writes so
  std::vector<PermissionWait> permissions;  ///< in order of time
  std::vector<ActivityId> undecided;        ///< tools that may have waited for leave (Permissions)
  Ledger ledger;                            ///< usage that no call accounts for

  const Activity& operator[](ActivityId id) const { return all[id.index]; }
  const Activity& of(CallId call) const { return all[of_call[call.index].index]; }
  const Activity& of(HopId hop) const { return all[of_hop[hop.index].index]; }
  const Activity& of(SpanId span) const { return all[of_span[span.index].index]; }
  /// The tools that a call asked for.
  std::span<const Activity> tools_of(CallId call) const;
  /// How many of these failed.
  int64_t failed_tools_of(CallId call) const;
  /// What counts at a span, so that spans add up to the ledger. Of a call that no other record
  /// states: its own; of a span around calls, what it states beyond them; of all others, nothing.
  TokensAndCost counted_at(HopId hop) const;
  /// How long the tool took whose result this link brings, without the wait for a person who let it
  /// run; kNoDuration where that is not known.
  Duration tool_duration(const Link& result) const;
};

/// Of a graph that is whole; Graph::activities() has it.
Activities find_activities(const Graph& graph);

/// Who did what a hop of spans tells.
ActingAgent agent_of(const Graph& graph, HopId hop);

}  // namespace xtrace
