#pragma once

#include "run/request.h"
#include "view/story/follow.h"

namespace xtrace {

class Health;

/// What of FollowOptions is a number, read.
struct FollowSettings {
  std::chrono::milliseconds window{100};
  size_t max_queued = 100;
  std::chrono::milliseconds idle{-1};  ///< negative: for ever
  uint16_t port = 0;                   ///< 0: one that is free
  Time resume = kNoTime;               ///< the reader has what was told before; kNoTime: nothing
};

/// Exit::usage names the option that cannot be read.
Result<FollowSettings> settings_of(const FollowOptions& options);

/// Exit::usage: an input is of a kind that does not grow.
Status check_can_grow(const Request& request);

/// Follows the inputs of a request and says what changes, until they end, nobody listens any more,
/// or it is interrupted. Notes in `health` how that went, and keeps the last graph as a snapshot if
/// there is to be one.
Result<Exit> follow(const Request& request, Health& health);

}  // namespace xtrace
