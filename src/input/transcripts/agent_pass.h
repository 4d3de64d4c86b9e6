#pragma once

#include <cstdint>

namespace xtrace {

struct RawTrace;

/// Settles what only one agent's records state, once all of them are there. Does nothing where no
/// record is of that agent.
struct AgentPass {
  /// When it runs among the passes that serve all agents (fill_in.cpp).
  enum class When : uint8_t { before_owners, after_copies, last };
  When when;
  void (*run)(RawTrace& trace);
};

// Each is in a file of its agent.
extern const AgentPass kAntigravityShort, kOpenCodeParts, kQwenTelemetry, kClineSides,
    kKiroPortions;

}  // namespace xtrace
