#pragma once

#include "cli/command.h"
#include "view/follow.h"

namespace xtrace {

/// What of FollowOptions is a number, read.
struct FollowSettings {
  std::chrono::milliseconds window{100};
  size_t max_queued = 100;
  std::chrono::milliseconds idle{-1};  ///< negative: for ever
};

/// Exit::usage names the option that cannot be read.
Result<FollowSettings> settings_of(const FollowOptions& options);

/// Follows the inputs of a request and says what changes, until they end, nobody listens any more,
/// or it is interrupted.
Result<Exit> follow(const Request& request);

}  // namespace xtrace
