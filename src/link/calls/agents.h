#pragma once

#include <map>
#include <string>
#include <vector>

#include "base/union_find.h"
#include "link/calls/sessions.h"

namespace xtrace {

/// Calls that go on with one another: a chain, or a tree where something was asked twice.
struct Conversation {
  uint32_t number = 0;        ///< in order of time, from 1
  std::vector<CallId> calls;  ///< in order of time
  uint32_t agent = 0;         ///< index into Agents::all: who began it
};

/// Where the type of an agent is known from.
enum class TypeFrom : uint8_t { log, spawn, system_prompt, main };
inline constexpr std::string_view kTypeFromWords[] = {"log", "spawn", "system_prompt", "main"};
constexpr std::string_view word(TypeFrom from) {
  return kTypeFromWords[static_cast<size_t>(from)];
}

/// Who made the calls of a conversation, or those up to where another took it over: one instance of
/// an agent.
struct Agent {
  std::string type;
  std::vector<CallId> calls;  ///< in order of time
  CallId took_over_from;      ///< of another agent; nowhere: it began the conversation
  StringId id;                ///< as the log names this very instance; nowhere: it does not
  StringId parent;            ///< the id of the agent that started it, if the log names it
  StringId label, color;      ///< if the log gives them
  uint32_t nth = 0;  ///< of those of this type in its session, in order of time; 0: the only one
  TypeFrom type_from = TypeFrom::main;
  bool spawned = false;
};

/// How users name an agent: its type, with `#n` where its session has several.
std::string agent_name(const Agent& agent);

/// The ids of subagents that tool uses, or their results (`agentId: …`), name, by the tool use's
/// id.
std::map<StringId, StringId> subagents_named(const Trace& trace);

struct Agents {
  std::vector<Conversation> conversations;
  std::vector<Agent> all;
  std::vector<uint32_t> conversation_of;  ///< by call
  std::vector<uint32_t> agent_of;         ///< by call: index into `all`
};

/// Which calls are of one conversation: what continuations and retries join, and what the log says
/// one agent's instance did.
UnionFind join_conversations(const Timeline& timeline, const Findings& findings);

/// Conversations are what continuations and retries join. One agent makes all of it, but where the
/// log calls the agents of its calls by different types: there one takes over from another, and who
/// is handed the conversation back is the same as before. The agent's type is what the log calls
/// it, else what the tool use that spawned it asked for, else that of known agents with the same
/// system prompt; the conversation with the tools is `main`, and what is left is named by the
/// system prompt's hash.
Agents find_agents(const Timeline& timeline, const Findings& findings, const Sessions& sessions);

}  // namespace xtrace
