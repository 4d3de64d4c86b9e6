#pragma once

#include <cstdint>
#include <string_view>

#include "base/id.h"
#include "base/time.h"
#include "facts/call.h"
#include "facts/message.h"
#include "facts/record.h"
#include "facts/tool_error.h"
#include "link/calls/tool_time.h"
#include "link/hops/hops.h"
#include "prices/call_costs.h"

namespace xtrace {

/// Where it is known from who did something, the surest first.
enum class AgentRule : uint8_t {
  recorded,      ///< the record names its agent
  conversation,  ///< of a model call: whose conversation it is (link/calls/agents.h)
  caller,        ///< of a span: the agent that made it, as the hops tell
  service,       ///< of a span: nothing names an agent; the service that wrote it
  unknown,
};

/// Who did something.
struct ActingAgent {
  std::string_view name;  ///< as the log has it; empty: not known
  AgentRule rule = AgentRule::unknown;

  /// Is it an agent, and not only the service that wrote a span?
  bool is_agent() const { return rule < AgentRule::service; }
  /// The name of the agent; empty: it is none, or not known.
  std::string_view agent() const { return is_agent() ? name : std::string_view(); }
  /// Its name where a record gives it; else nothing.
  std::string_view recorded() const {
    return rule == AgentRule::recorded ? name : std::string_view();
  }
};

struct Activity;
using ActivityId = Id<Activity>;

/// Something that happened: a call of a model, a run of a tool, and what else spans record. (An
/// Activity, as W3C PROV-DM calls what acts over a time and is somebody's doing.) What is said of
/// it here is concluded once, for every answer. Names are as the log has them; empty: not known.
/// Calls of models, and spans that record one, have tokens and cost.
struct Activity : TokensAndCost {
  enum class Kind : uint8_t { model_call, tool_run, agent_run, retrieval, other };
  Kind kind = Kind::other;
  // What records it:
  CallId call;                   ///< itself, or the call whose answer asks for the tool
  const ToolUse* use = nullptr;  ///< of a tool that a call asked for
  HopId hop;                     ///< nowhere: no span records it

  std::string_view operation;  ///< `chat`, `execute_tool`, `invoke_agent`: OpenTelemetry's words
  std::string_view model, tool;
  std::string_view provider;  ///< of the model: as the log names it, else as the model's name tells
  ActingAgent agent;
  Time start = kNoTime;
  Duration duration = kNoDuration;
  Outcome outcome = Outcome::unknown;
  std::string_view error;                  ///< the class of the error, never its text
  ToolError tool_error = ToolError::none;  ///< of a tool that failed

  // Of model calls, and of spans that record one:
  int64_t context_limit = kNoCount;  ///< of the model's window, as the log shows it
  /// It cost something that nobody knows. Vendors charge nothing for calls that failed and name no
  /// tokens.
  bool is_unpriced = false;

  /// The log kept the first count of a stream, and not the last: tokens and cost are lower bounds.
  bool output_is_low = false;
  /// A part of what it states: a span around calls states their total, as far as they go; what it
  /// has beyond them is a row of Activities::ledger. Nowhere: no part is on record.
  ActivityId totals;

  /// Another record that records the same and represents it; nowhere: it represents itself.
  ActivityId same_as;
  ActivityId retry_of;            ///< the failed attempt at the same that was before it
  uint16_t attempt = 1;           ///< 2: the first time again
  Duration waited = kNoDuration;  ///< of a retry: since the attempt before ended
  /// Of a span that is one attempt at a call of a model or a run of a tool: that, which a span
  /// around the attempts tells.
  ActivityId attempt_at;
  uint16_t retries_inside = 0;  ///< attempts at it, after a failed one, that it counts or spans
                                ///< below it tell
  /// Of a span that failed because another one did, around it or below it: that one. The failure
  /// counts there. See link/activities/activities.cpp.
  ActivityId same_failure;

  /// As the log names the subagent that the tool use started; nowhere: it started none, or the log
  /// does not say.
  StringId subagent;
  bool has_spawned = false;  ///< a subagent on record came of the tool use
  /// Of a tool that a call asked for, how long until it was done; `duration` is without the wait
  /// for a person who let it run (PermissionWait), and `start` is behind that.
  ToolTime ran;
  Duration waited_for_leave{0};  ///< that wait, before `start`
  CallId reader;  ///< of a tool that a call asked for: the first call that is told its result

  Time end() const { return after(start, duration); }
  /// Is it a call whose tokens and cost are in every sum? All else that is in sums is a row of
  /// Activities::ledger.
  bool counts_usage() const { return kind == Kind::model_call && !same_as && is_recorded(); }
  /// Is it on record, or does only the report of a subagent show that it was?
  bool is_recorded() const { return outcome != Outcome::unrecorded; }
};

}  // namespace xtrace
