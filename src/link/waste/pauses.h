#pragma once

#include <vector>

#include "link/activities/cache_rebuild.h"
#include "link/activities/time_account.h"
#include "link/waste/waste.h"

namespace xtrace {

/// What pauses were made of, by the account of time that `stats` shows.
class Pauses {
 public:
  Pauses(const Graph& graph, const ShownCalls& shown);
  /// Of the time from the start of the call before until the call that rebuilt the cache.
  PauseFor most_of(const CacheRebuild& rebuild) const;

 private:
  /// Of the session: until then, since its beginning.
  PartTimes spent_until(uint32_t session, Time until) const;

  const Graph& graph_;
  TimeAccount account_;
  std::vector<PartTimes> before_;  ///< by stretch: of those before it in its session
};

}  // namespace xtrace
