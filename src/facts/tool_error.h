#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace xtrace {

/// What kind of failure a tool reports: four that tools and what runs them raise, and two that are
/// none of the tool's own (denied, cancelled). It is read from the words of the result once, while
/// the log is read, as the words themselves are payload and are not kept.
enum class ToolError : uint8_t {
  none,               ///< it reports no failure
  other,              ///< its words mean none of these
  not_found,          ///< there is no such tool
  invalid_arguments,  ///< they do not fit what the tool declares
  execution,          ///< it ran, or looked at what it was to work on, and failed
  timeout,
  denied,     ///< a user or a rule did not let it run
  cancelled,  ///< it was stopped, as when another one that was asked for with it failed
};

inline constexpr std::string_view kToolErrorWords[] = {
    "", "other", "not_found", "invalid_arguments", "execution", "timeout", "denied", "cancelled"};
constexpr std::string_view word(ToolError error) {
  return kToolErrorWords[static_cast<size_t>(error)];
}

/// By what a log calls it: `ToolNotFoundError`, `invalid_arguments`, `timeout`; `other` if it is no
/// name that is known.
ToolError tool_error_named(std::string_view name);
/// By the text of a result that is known to be an error: what clients, servers of tools and
/// operating systems are known to say. `other` for all else: nothing is guessed.
ToolError tool_error_in(std::string_view whole);

/// Small letters and digits of the last part of a name, without `error` or `exception` at its end:
/// `openai.RateLimitError`, `rate_limit_error` and `rate-limit` are `ratelimit`.
std::string_view folded_error(std::string_view name, char (&room)[64]);

}  // namespace xtrace
