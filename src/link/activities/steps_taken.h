#pragma once

#include <span>
#include <string>
#include <vector>

#include "link/activities/call_turns.h"
#include "link/activities/deed.h"
#include "link/graph/graph.h"

namespace xtrace {

/// One of the steps by which something came about.
struct StepTaken {
  enum class Kind : uint8_t {
    told,      ///< a turn began: the user's words, or of a subagent its task
    did,       ///< a tool was used
    answered,  ///< what the model said in the end, or the call that it failed or left unanswered
  };
  Kind kind = Kind::did;
  CallId call;
  const ToolUse* use = nullptr;  ///< of `did`
  StringId target;  ///< that it is about: of several the first one asked about, else the first
  Deed deed = Deed::used;
  CallTurn turn;
  Time start = kNoTime;
  Duration took = kNoDuration;
  bool failed = false;
  bool has_no_words = false;   ///< of `told`: the log has none that a user said there
  bool has_no_result = false;  ///< nothing tells whether it was done, or what was answered
};

/// What a session did with files, hosts or tools (`resource:file:…`), in order. Each turn that
/// touched one begins with what it was told, and what a subagent did with who started that, and its
/// task; before a change stands what it may have been made for, as far as order can tell: the last
/// command that its agent saw fail in that turn since the change before, else the last tool that
/// failed or command that was run; of a subagent that saw neither, that of who started it.
std::vector<StepTaken> steps_with(const Graph& graph, const Session& session,
                                  std::span<const std::string> resources);

/// What an agent did in some calls of a conversation, in order: what it was told, each tool it
/// used, its last words.
std::vector<StepTaken> steps_of(const Graph& graph, std::span<const CallId> calls);

/// How an agent came to do what the last one of some calls of a turn did: what that was told, and
/// each tool it used since; of a subagent, before that who was told what and started it.
std::vector<StepTaken> steps_up_to(const Graph& graph, std::span<const CallId> calls);

}  // namespace xtrace
