#pragma once

#include "base/id.h"
#include "facts/call.h"
#include "facts/record.h"

namespace xtrace {

/// A record of what a model thought: one call of it, or a piece of one; calls are made of them when
/// all are read (join_thoughts).
struct Thought {
  Extent source;
  Time time = kNoTime;
  Duration latency = kNoDuration;  ///< as the log states it
  StringId request;
  StringId session, model, agent;
  TaskStepId task_step;
  Tokens tokens;
  int64_t cost = kNoCount;  ///< in billionths of a dollar
  int64_t pieces = 0;       ///< tokens that it holds one by one
  uint64_t digest = 0;      ///< of the record's bytes: one that is there twice counts once
  StringId error;           ///< its class
  Outcome outcome = Outcome::unknown;
  uint8_t decimals = 3;
  /// Its record names a request, but does not say that it is one to a model: servers log requests
  /// of other kinds, so it is a thought only where something else tells of a call with this name.
  bool is_unsure = false;
};

}  // namespace xtrace
