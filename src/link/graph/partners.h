#pragma once

#include <algorithm>
#include <string_view>
#include <vector>

#include "link/calls/timeline.h"
#include "link/hops/hops.h"

namespace xtrace {

/// Logs of model calls and spans that were given together record the same calls: which record is
/// whose partner. Ids are tried first, then spans around, then time. A record that none of them
/// matches stays, without a partner.
struct Partners {
  struct Partner {
    HopId hop;
    Rule rule = Rule::request_id;
    float confidence = 1;
  };
  std::vector<Partner> of_call;  ///< by call
  std::vector<CallId> of_hop;    ///< by hop
  std::vector<bool> covers_run;  ///< by run of spans: a call has a partner in it
  // What is in the input at all; whoever asks of a part of it may know more:
  bool has_thoughts = false;    ///< calls of which a log of thoughts tells
  bool has_call_spans = false;  ///< spans that promise a log of the call that they are

  bool cover_all_runs() const { return std::ranges::count(covers_run, false) == 0; }
  /// Is it the span of a call that another log should record as well?
  static bool promises_call(const Trace& trace, const Hop& hop);
};

Partners find_partners(const Timeline& timeline, const Hops& hops);

}  // namespace xtrace
