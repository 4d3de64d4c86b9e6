#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "hop_story.h"

namespace xtrace {

/// What kind of system a made trace is from.
struct CauseWorldKind {
  std::string_view name;
  int requests = 1;          ///< that begin within one second
  double outlasting = 0;     ///< the share of calls that their caller does not wait for
  double skew = 0;           ///< milliseconds by which clocks of actors may be off, either way
  bool is_mutual = false;    ///< agents call back those who called them
  int users = 1;             ///< who ask, by turns
  bool has_pattern = false;  ///< each agent always calls the same others
};
inline constexpr CauseWorldKind kCauseWorldKinds[] = {
    {"nested", 1},
    {"nested, mutual", 1, 0, 0, true},
    {"overlapping", 4},
    {"overlapping, one pattern", 4, 0, 0, false, 1, true},
    {"outlasting", 3, 0.4},
    {"outlasting, mutual", 2, 0.4, 0, true},
    {"two users", 2, 0, 0, false, 2},
    {"three users, outlasting", 3, 0.3, 0, false, 3},
    {"skew 1 ms", 2, 0, 1},
    {"skew 5 ms", 3, 0, 5},
    {"skew 50 ms", 2, 0, 50},
    {"busy", 12, 0.1, 0, false, 2},
};

/// A made trace of calls that record no parents, and which call led to which. The same seed makes
/// the same trace.
struct CauseWorld {
  HopStory story;
  std::map<std::string, std::string> cause_of;  ///< by id of the hop; empty: a user asked for it

  /// `names` of agents change nothing else.
  CauseWorld(uint64_t seed, const CauseWorldKind& kind, std::string_view names = "abcd");
};

}  // namespace xtrace
