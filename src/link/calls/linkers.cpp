#include "link/calls/linkers.h"

namespace xtrace {

std::span<const Linker> exact_linkers() {
  static constexpr Linker kLinkers[] = {
      {"told", "what an answer found out that the log was converted from", link_converted},
      {"conversation", "a request that begins with another's messages; the same one again",
       link_conversations},
      {"tool-result", "a tool's output read by a later call", link_tool_results},
      {"spawn", "a subagent whose first message is the prompt of a tool use", link_spawns},
      {"helper", "a call that asks about the command of a tool use", link_helpers},
  };
  return kLinkers;
}

std::span<const Guesser> guessers() {
  static constexpr Guesser kGuessers[] = {
      {"spawn-by-type", "the next subagent of the type a tool use asks for", guess_spawns},
  };
  return kGuessers;
}

std::span<const OptIn> opt_in_linkers() {
  static constexpr OptIn kLinkers[] = {
      {"content_reuse", "a passage of one conversation's answer in another's request", true,
       link_reused_content},
      {"sequential", "the next call of the same type of agent, where nothing else leads to it",
       false, link_in_sequence},
  };
  return kLinkers;
}

}  // namespace xtrace
