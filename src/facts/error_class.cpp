#include "facts/error_class.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "base/one_of.h"

namespace xtrace {

namespace {

struct Named {
  std::string_view name;  ///< folded
  ErrorClass error;
};

constexpr Named kProvider[] = {
    // https://platform.claude.com/docs/en/api/errors
    {"authentication", ErrorClass::authentication},
    {"permission", ErrorClass::authentication},
    {"billing", ErrorClass::provider},
    {"ratelimit", ErrorClass::rate_limit},
    {"invalidrequest", ErrorClass::validation},
    {"requesttoolarge", ErrorClass::validation},
    {"notfound", ErrorClass::validation},
    {"api", ErrorClass::provider},
    {"overloaded", ErrorClass::provider},
    {"timeout", ErrorClass::network},
    // https://platform.openai.com/docs/guides/error-codes and the SDKs' exceptions
    {"invalidapikey", ErrorClass::authentication},
    {"incorrectapikey", ErrorClass::authentication},
    {"permissiondenied", ErrorClass::authentication},
    {"unauthorized", ErrorClass::authentication},
    {"unauthenticated", ErrorClass::authentication},
    {"forbidden", ErrorClass::authentication},
    {"ratelimitexceeded", ErrorClass::rate_limit},
    {"insufficientquota", ErrorClass::rate_limit},
    {"quotaexceeded", ErrorClass::rate_limit},
    {"resourceexhausted", ErrorClass::rate_limit},
    {"toomanyrequests", ErrorClass::rate_limit},
    {"throttling", ErrorClass::rate_limit},
    {"usagelimitexceeded", ErrorClass::rate_limit},
    {"badrequest", ErrorClass::validation},
    {"validation", ErrorClass::validation},
    {"invalidargument", ErrorClass::validation},
    {"invalidprompt", ErrorClass::validation},
    {"unprocessableentity", ErrorClass::validation},
    {"contextlengthexceeded", ErrorClass::validation},
    {"contextwindowexceeded", ErrorClass::validation},
    {"stringabovemaxlength", ErrorClass::validation},
    {"modelnotfound", ErrorClass::validation},
    {"internalserver", ErrorClass::provider},
    {"internal", ErrorClass::provider},
    {"server", ErrorClass::provider},
    {"serveroverloaded", ErrorClass::provider},
    {"serviceunavailable", ErrorClass::provider},
    {"unavailable", ErrorClass::provider},
    {"badgateway", ErrorClass::provider},
    {"provider", ErrorClass::provider},
    {"apiconnection", ErrorClass::network},
    {"apitimeout", ErrorClass::network},
    {"connection", ErrorClass::network},
    {"connectiontimeout", ErrorClass::network},
    {"connectionreset", ErrorClass::network},
    {"connectionrefused", ErrorClass::network},
    {"network", ErrorClass::network},
    {"streamdisconnected", ErrorClass::network},
    {"responsestreamdisconnected", ErrorClass::network},
    {"responsestreamconnectionfailed", ErrorClass::network},
    {"httpconnectionfailed", ErrorClass::network},
    {"deadlineexceeded", ErrorClass::network},
    {"gatewaytimeout", ErrorClass::network},
    {"requesttimeout", ErrorClass::network},
    {"readtimeout", ErrorClass::network},
    {"connecttimeout", ErrorClass::network},
    {"econnreset", ErrorClass::network},
    {"econnrefused", ErrorClass::network},
    {"econnaborted", ErrorClass::network},
    {"etimedout", ErrorClass::network},
    {"enotfound", ErrorClass::network},
    {"eaiagain", ErrorClass::network},
    {"epipe", ErrorClass::network},
    {"ehostunreach", ErrorClass::network},
    {"enetunreach", ErrorClass::network},
    // What clients call an answer that the user did not wait for:
    {"aborted", ErrorClass::cancelled},
    {"abort", ErrorClass::cancelled},
    {"cancelled", ErrorClass::cancelled},
    {"canceled", ErrorClass::cancelled},
    {"usercancelled", ErrorClass::cancelled},
    {"interrupted", ErrorClass::cancelled},
    {"apiuserabort", ErrorClass::cancelled},
    // Of Node's fetch:
    {"underrconnecttimeout", ErrorClass::network},
    {"underrheaderstimeout", ErrorClass::network},
    {"underrbodytimeout", ErrorClass::network},
    {"underrsocket", ErrorClass::network},
};

/// Names that vendors and libraries give to answers with a status, and that status.
struct WithStatus {
  std::string_view name;
  int status;
};
constexpr WithStatus kWithStatus[] = {
    {"invalid_request_error", 400},
    {"authentication_error", 401},
    {"permission_error", 403},
    {"not_found_error", 404},
    {"request_too_large", 413},
    {"rate_limit_error", 429},
    {"rate_limit_exceeded", 429},
    {"insufficient_quota", 429},
    {"api_error", 500},
    {"server_error", 500},
    {"timeout_error", 504},
    {"overloaded_error", 529},
    {"invalid_api_key", 401},
    // Exceptions, as libraries of vendors and of agents name them:
    {"AuthenticationError", 401},
    {"PermissionDeniedError", 403},
    {"ValidationError", 400},
    {"BadRequestError", 400},
    {"NotFoundError", 404},
    {"RateLimitError", 429}};

/// `http_429`, `429`; 0: it is none.
int status_of(std::string_view folded) {
  if (folded.starts_with("http")) folded.remove_prefix(4);
  if (folded.size() != 3 || folded.front() < '4' || folded.front() > '5') return 0;
  int status = 0;
  for (char c : folded) {
    if (c < '0' || c > '9') return 0;
    status = status * 10 + (c - '0');
  }
  return status;
}

ErrorClass by_status(int status) {
  switch (status) {
    case 401:
    case 403: return ErrorClass::authentication;
    case 429: return ErrorClass::rate_limit;
    case 400:
    case 404:
    case 413:
    case 422: return ErrorClass::validation;
    case 408:
    case 504: return ErrorClass::network;
    default: return ErrorClass::provider;
  }
}

}  // namespace

ErrorClass provider_error(std::string_view name) {
  char room[64];
  const std::string_view text = folded_error(name, room);
  if (int status = status_of(text); status != 0) return by_status(status);
  const Named* found = std::find_if(std::begin(kProvider), std::end(kProvider),
                                    [&](const Named& named) { return named.name == text; });
  return found == std::end(kProvider) ? ErrorClass::other : found->error;
}

int status_named(std::string_view name) {
  const WithStatus* found = std::find_if(std::begin(kWithStatus), std::end(kWithStatus),
                                         [&](const WithStatus& one) { return one.name == name; });
  return found == std::end(kWithStatus) ? 0 : found->status;
}

std::string error_with_status(std::string_view name, int64_t status) {
  const bool is_general = is_one_of(name, {"invalid_request_error", "api_error", "server_error",
                                           "BadRequestError", "ValidationError"});
  const bool is_other = status >= 400 && status < 600 && status_named(name) != status;
  return is_general && is_other ? fmt::format("http_{}", status) : std::string(name);
}

std::string_view telling_error(std::initializer_list<std::string_view> names) {
  const std::string_view* best =
      std::find_if(names.begin(), names.end(),
                   [](std::string_view name) { return provider_error(name) != ErrorClass::other; });
  if (best == names.end())
    best = std::find_if(names.begin(), names.end(), [](auto name) { return !name.empty(); });
  return best == names.end() ? std::string_view() : *best;
}

ErrorClass class_of(ToolError error) {
  switch (error) {
    case ToolError::not_found: return ErrorClass::not_found;
    case ToolError::invalid_arguments: return ErrorClass::invalid_arguments;
    case ToolError::execution: return ErrorClass::execution;
    case ToolError::timeout: return ErrorClass::timeout;
    case ToolError::denied: return ErrorClass::denied;
    case ToolError::cancelled: return ErrorClass::cancelled;
    case ToolError::none:
    case ToolError::other: break;
  }
  return ErrorClass::other;
}

}  // namespace xtrace
