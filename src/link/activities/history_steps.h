#pragma once

#include <span>
#include <string>
#include <vector>

#include "link/activities/call_turns.h"
#include "link/activities/deed.h"
#include "link/graph/graph.h"

namespace xtrace {

/// A step in the history of an agent: an activity, as it is listed in one.
struct HistoryStep {
  enum class Kind : uint8_t {
    prompt,  ///< a turn began: with the user's words, or with the task of a subagent
    tool,    ///< a tool was used
    answer,  ///< the last answer of the model, or the call that failed or has no answer
  };
  Kind kind = Kind::tool;
  const Activity* done = nullptr;  ///< of a prompt, the call that was made with it
  StringId target;  ///< that it is about: of several the first one asked about, else the first
  Deed deed = Deed::used;
  CallTurn turn;
  Time start = kNoTime;       ///< of an answer, when it was complete
  bool has_no_words = false;  ///< of a prompt: the log contains none by a user

  CallId call() const { return done->call; }
  /// Of a tool.
  const ToolUse* use() const { return kind == Kind::tool ? done->use : nullptr; }
  Duration took() const { return kind == Kind::tool ? done->duration : kNoDuration; }
  bool failed() const { return kind != Kind::prompt && done->outcome == Outcome::error; }
  /// Nothing on record says whether it was done, or what was answered.
  bool has_no_result() const {
    if (kind == Kind::prompt || is_known(done->outcome)) return false;
    return kind == Kind::tool || done->outcome != Outcome::unknown;
  }
};

/// Lists the steps of a session with files, hosts or tools (`resource:file:…`), in order. Each turn
/// that touched one begins with its prompt, and that of a subagent with the turn that started it,
/// and with its task. A change is preceded by its probable reason, as far as order shows it: the
/// last command that its agent saw fail in that turn since the previous change, else the last tool
/// that failed or command that ran; for a subagent that saw neither, the reason of its parent.
std::vector<HistoryStep> find_steps_with(const Graph& graph, const Session& session,
                                         std::span<const std::string> resources);

/// Lists the steps of an agent in some calls of a conversation, in order: its prompt, the tools
/// that it used, its last answer.
std::vector<HistoryStep> list_steps(const Graph& graph, std::span<const CallId> calls);

/// Lists the steps that led to the last one of some calls of a turn: the prompt, and each tool used
/// since; for a subagent, before that the prompt and the turn that started it.
std::vector<HistoryStep> list_steps_up_to(const Graph& graph, std::span<const CallId> calls);

}  // namespace xtrace
