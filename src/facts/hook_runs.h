#pragma once

#include <string_view>

namespace xtrace {

/// How many hooks a client ran at one occasion: a Measurement of which `component` is the event of
/// the hook (`PostToolUse:Edit`) and `service` the session.
inline constexpr std::string_view kHookRuns = "hookRuns";
/// A hook sent the agent back to work when it was about to end its turn, likewise.
inline constexpr std::string_view kHookBlocks = "hookBlocks";

}  // namespace xtrace
