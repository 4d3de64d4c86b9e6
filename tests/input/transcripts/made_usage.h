#pragma once

#include <string>
#include <vector>

#include "facts/call.h"

namespace xtrace {

/// Logs of one session of a coding agent, and what it truly used up.
struct MadeUsage {
  struct File {
    std::string name, text;
  };
  std::vector<File> files;
  Tokens truth;  ///< of all calls, whether or not they have a record of their own
  int64_t cost =
      kNoCount;       ///< all that was paid, where the logs state it; in billionths of a dollar
  std::string shape;  ///< how the logs state it, for messages
};

/// Sessions of several agents that state their usage in every way that is known: per call, by turn,
/// in running totals with and without what each call used up, with restarts, repeated records,
/// records of two kinds, calls without an answer, copies, forks and files in which a session goes
/// on. The same seed makes the same logs everywhere; consecutive seeds cover all shapes.
MadeUsage make_usage(uint32_t seed);

}  // namespace xtrace
