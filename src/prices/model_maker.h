#pragma once

#include <cstdint>
#include <string_view>

namespace xtrace {

/// The maker of a model, by its name, in the words of OpenTelemetry's `gen_ai.provider.name`:
/// `anthropic`, `openai`, `gcp.gemini`. Empty: the name does not show it, or somebody else sells
/// it.
std::string_view maker_of(std::string_view model);

/// How many tokens a model takes in one call, prompt and answer together.
struct ContextWindow {
  int64_t standard = -1;  ///< -1: not known
  int64_t longer = -1;    ///< where it has one that has to be asked for
};
/// As makers document it, of the models whose window is known here.
ContextWindow context_window(std::string_view model);
/// How many tokens fit into the window of a call that sent so many: what its log records
/// (`recorded`, if it is positive), else what is known of the model. -1: neither is known, or what
/// was sent shows that the window is another.
int64_t window_of_call(std::string_view model, int64_t recorded, int64_t sent);

}  // namespace xtrace
