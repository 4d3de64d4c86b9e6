#pragma once

#include <vector>

#include "facts/call.h"

namespace xtrace {

class Timeline;
struct Sessions;

/// What a session used up in all, where records of it say so that tell of no call, and what of that
/// none of its calls tells, model by model where the records name it.
struct SessionUse {
  std::vector<StringId> models;  ///< that it was of, in the order of the records
  int64_t calls = kNoCount;
  Tokens tokens;
  int64_t cost = kNoCount;  ///< in billionths of a dollar
  Tokens beyond_calls;

  bool is_told() const { return total_of(tokens) >= 0 || cost >= 0 || calls >= 0; }
  void add(const SessionUse& other);
};

/// Tells each session what it used up.
void find_session_uses(const Timeline& timeline, Sessions& sessions);

}  // namespace xtrace
