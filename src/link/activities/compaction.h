#pragma once

#include <map>
#include <vector>

#include "facts/call.h"

namespace xtrace {

class Graph;
class Payloads;

/// Where a summary takes the place of what was said: the call that goes on with one, and the
/// request of its own by which clients have it made. Logs of requests may hold either or both.
class Compactions {
 public:
  /// `payloads`: a request for a summary is known by its words alone; nullptr: none is looked for.
  Compactions(const Graph& graph, const Payloads* payloads);

  /// Does a summary represent what was said before this call?
  bool goes_on_with_summary(CallId call) const;
  /// Does it have what was said summed up, for which `before` is the call before it?
  bool asks_for_summary(CallId before, CallId call) const;

  /// The calls in which the context was cut, each time once: those that go on with a summary or
  /// without some of what was said; of requests for a summary, those that were answered and that
  /// nothing goes on from. Of several attempts the last counts, as it is the one that went well if
  /// any did.
  std::vector<bool> of_calls() const;

 private:
  /// Does it go on with a summary, or without some of what was said?
  bool is_cut(CallId call) const;
  /// Is it another try of a call in which the context was cut?
  bool repeats_cut(CallId call) const;
  CallId last_attempt(CallId call) const;
  bool sums_up(const Call& call) const;

  const Graph& graph_;
  const Payloads* payloads_;
  mutable std::map<StringId, bool> summing_up_;  ///< by prompt of the system
};

}  // namespace xtrace
