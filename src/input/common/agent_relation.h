#pragma once

#include "facts/call.h"
#include "facts/record.h"

namespace xtrace {

/// How an agent relates to a session, as a record states it next to what is said. It counts as long
/// as its record does: one in a copy states nothing.
struct AgentRelation {
  enum class Kind : uint8_t {
    started,    ///< the agent was started
    described,  ///< the same, next to the agent's own records: the file has the agent's name
    listed,     ///< the same, in a list that has the order of the tool uses which started them
    unclaimed,  ///< a session by itself that is a subagent's of an unknown one
    reported,   ///< the tool use that started the agent got its output
    portion,    ///< what is recorded as the session `agent` is part of `session`
  };
  Kind kind = Kind::started;
  uint8_t decimals = 3;
  Outcome outcome = Outcome::unknown;
  Time time = kNoTime;
  Duration took = kNoDuration;  ///< how long the agent worked, until `time`
  Extent source{};
  StringId session{};
  StringId agent{};
  StringId agent_type{};
  StringId tool_use{};   ///< that started the agent
  StringId path{};       ///< by which records of the session name the agent
  StringId prompt{};     ///< hash of what the agent was told to do
  StringId said_with{};  ///< id of an utterance; a copy of that is no relation
  StringId error{};
  Tokens tokens{};
  int64_t cost = kNoCount;  ///< of all its calls, in billionths of a dollar
};

}  // namespace xtrace
