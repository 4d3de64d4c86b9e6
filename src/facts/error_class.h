#pragma once

#include <cstdint>
#include <initializer_list>
#include <string_view>

#include "facts/tool_error.h"

namespace xtrace {

/// What kind of thing went wrong with a call of a model, or with a tool: kinds that differ in what
/// helps, such as waiting, another key or another request. `other`: the log's own word for it means
/// none of these, and nothing is guessed.
enum class ErrorClass : uint8_t {
  // Of a provider:
  authentication,  ///< key or rights (401, 403)
  rate_limit,      ///< too many requests, or a used up quota (429): wait
  validation,      ///< the request is not as it must be (400, 404, 413, 422)
  network,         ///< no connection, none that lasted, or no answer in time (408, 504)
  provider,        ///< any other that the provider itself reports (5xx), also an overload (529)
  // Of a tool, as ToolError has them:
  not_found,
  invalid_arguments,
  execution,
  timeout,
  denied,
  cancelled,
  other
};
inline constexpr std::string_view kErrorClassWords[] = {
    "authentication",    "rate_limit", "validation", "network", "provider",  "not_found",
    "invalid_arguments", "execution",  "timeout",    "denied",  "cancelled", "other"};
constexpr std::string_view word(ErrorClass error) {
  return kErrorClassWords[static_cast<size_t>(error)];
}

/// By what a log calls it: `rate_limit_error`, `RateLimitError`, `http_429`, `429`.
ErrorClass provider_error(std::string_view name);
/// Of several words of a log for one failure, the first that names a class; else the first that is
/// not empty: `{"type": "requests", "code": "rate_limit_exceeded"}`.
std::string_view telling_error(std::initializer_list<std::string_view> names);
/// The HTTP status that a name means: `authentication_error`, 401; 0: none that is known.
int status_named(std::string_view name);
/// The name, unless vendors use it for many failures, and it means another status than the recorded
/// one: then that, as `http_401`. OpenAI calls a missing key an `invalid_request_error`.
std::string error_with_status(std::string_view name, int64_t status);
ErrorClass class_of(ToolError error);

}  // namespace xtrace
