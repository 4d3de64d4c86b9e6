#pragma once

#include <vector>

#include "link/calls/timeline.h"

namespace xtrace {

/// A tool use that starts a subagent, or goes on with one.
struct Spawn {
  CallId call;
  ToolUseId use;
  Time answered = kNoTime;  ///< when a call read the subagent's result: it had started before that
  uint64_t said = 0;        ///< what that result says first, as ToolResult::said
  bool failed = false;      ///< that result is an error
  double certainty = 1;     ///< that the call asked for it, whose own answer lost the tool use
};

/// The result that the link is about, as its reader is given it; nullptr: it is not near.
const ToolResult* result_of(const Timeline& timeline, const Link& result);
/// What the result that the link is about says first, as ToolResult::said; 0: nothing.
uint64_t text_of_result(const Timeline& timeline, const Link& result);

/// All of them, in order of time; of uses in one answer, in the order they are there.
std::vector<Spawn> find_spawns(const Timeline& timeline, const LinkOptions& linking,
                               const Findings& findings);

/// Which calls begin a conversation: nothing found so far says that they go on with another.
std::vector<bool> find_heads(const Timeline& timeline, const Findings& findings);

/// Could the call be the first of the subagent, as far as time tells? It starts after the tool use
/// was answered with, and before the subagent's result was read.
bool in_time(const Timeline& timeline, const Spawn& spawn, CallId call);

/// The evidence that both kinds of spawn links share.
Link spawn_link(const Timeline& timeline, const Spawn& spawn, CallId call, Rule rule);

}  // namespace xtrace
