#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "story.h"

namespace xtrace {

/// What a made-up log is to be like. The same recipe makes the same log everywhere.
struct Recipe {
  uint32_t seed = 1;
  int sessions = 2;
  int turns = 3;           ///< what the user says in each session
  bool loses_ids = false;  ///< as a proxy does that forgets them
  int damaged = 0;         ///< lines that are no records
  Style style = {};
  bool overlaps = false;    ///< sessions of both users go on at the same time
  bool repeats = false;     ///< all subagents get one of two prompts
  bool adds_lines = false;  ///< a client adds lines to the prompts of subagents
  bool mangles = false;     ///< histories are written in other ways: blanks, lists, reminders
  bool loses_some = false;  ///< some answers are not in the log
};

/// A log, and all that is true of it.
struct MadeLog {
  std::vector<std::string> lines;  ///< in the order in which the calls were answered
  std::set<std::string> truth;     ///< the links, as found_in() writes them
  int damaged = 0;

  std::string text() const;
};

/// Users who talk to agents that use tools, start subagents side by side (some with equal prompts),
/// fail and try again.
MadeLog make_log(const Recipe& recipe);

/// The links of a graph: `a->b tool_result t1`.
std::set<std::string> found_in(const Graph& graph);

/// The lines in another order, the same one for the same seed.
std::vector<std::string> shuffled(std::vector<std::string> lines, uint32_t seed);
std::string joined(const std::vector<std::string>& lines);

}  // namespace xtrace
