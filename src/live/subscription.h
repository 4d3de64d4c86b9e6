#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "view/story/story_options.h"

namespace xtrace {

/// What a reader wants to see from now on: the message by which clients of an ExplanationGraph
/// subscribe, with `expand` beside it for summaries to be shown in full.
struct SubscriptionRequest {
  std::optional<std::string> id;
  StoryFilter filter;
  std::vector<std::string> expand;
};

/// Reads a line of JSON. Exit::usage: what of it makes no sense, and the nearest that does.
Result<SubscriptionRequest> read_subscription(std::string_view line);

}  // namespace xtrace
