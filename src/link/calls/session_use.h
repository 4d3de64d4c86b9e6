#pragma once

#include <vector>

#include "facts/call.h"

namespace xtrace {

class Timeline;
struct Sessions;

/// What a session used up in all, as its own records state it. How much of that is in no call is
/// for the ledger to say (UnplacedUsage).
struct SessionUse {
  std::vector<StringId> models;  ///< that it was of, in the order of the records
  int64_t calls = kNoCount;
  Tokens tokens;
  int64_t cost = kNoCount;  ///< in billionths of a dollar

  bool is_told() const { return total_of(tokens) >= 0 || cost >= 0 || calls >= 0; }
  void add(const SessionUse& other);
};

/// Adds up what the records of each session state of it.
void find_session_uses(const Timeline& timeline, Sessions& sessions);

}  // namespace xtrace
