#pragma once

#include <vector>

#include "view/hops/hop_scene.h"
#include "view/stats/work.h"

namespace xtrace {

/// Something that was done: a call, or a hop if only spans are recorded.
struct CallOrHop {
  CallId call;
  HopId hop;
};

/// A call that was made again after it failed or was not answered, and how that went on.
struct RetryChain {
  struct Attempt {
    CallOrHop node;
    Outcome outcome = Outcome::unknown;
    std::string_view error;            ///< its class
    Duration waited = kNoDuration;     ///< since the end of the attempt before
    Duration was_asked = kNoDuration;  ///< what that one's answer asked to wait
    bool too_early() const {
      return waited != kNoDuration && was_asked != kNoDuration && waited < was_asked;
    }
  };
  std::string_view name;             ///< the model, or what else was asked
  std::vector<Attempt> attempts;     ///< that are shown, the first one first
  Outcome ended = Outcome::unknown;  ///< of the last attempt of all, though a filter hides it
};
/// Those of which a retry is shown, in order of time.
std::vector<RetryChain> retry_chains(const CallScene& scene);
/// The same of spans, see find_span_retries().
std::vector<RetryChain> retry_chains(const HopScene& scene);

}  // namespace xtrace
