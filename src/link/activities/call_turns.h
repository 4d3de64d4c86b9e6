#pragma once

#include <cstdint>
#include <vector>

#include "facts/call.h"

namespace xtrace {

class Graph;

/// The turn of a user that a call belongs to.
struct CallTurn {
  uint32_t conversation = 0;  ///< index into Graph::conversations(): the user's
  uint32_t number = 0;        ///< in it, from 1, as number_turns() has it
  auto operator<=>(const CallTurn&) const = default;
};

/// By call. What a subagent does belongs to the turn in which it was started, or went on.
/// Graph::call_turns() keeps them.
std::vector<CallTurn> turns_of_calls(const Graph& graph);

}  // namespace xtrace
