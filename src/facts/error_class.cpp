#include "facts/error_class.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/word_table.h"

namespace xtrace {

namespace {

/// By folded_error().
constexpr WordRow<ErrorClass> kProvider[] = {
    // https://platform.claude.com/docs/en/api/errors
    {ErrorClass::authentication, {"authentication", "permission"}},
    {ErrorClass::provider, {"billing", "api", "overloaded"}},
    {ErrorClass::rate_limit, {"ratelimit"}},
    {ErrorClass::validation, {"invalidrequest", "requesttoolarge", "notfound"}},
    {ErrorClass::network, {"timeout"}},
    // https://platform.openai.com/docs/guides/error-codes and the SDKs' exceptions
    {ErrorClass::authentication,
     {"invalidapikey", "incorrectapikey", "permissiondenied", "unauthorized", "unauthenticated",
      "forbidden"}},
    {ErrorClass::rate_limit,
     {"ratelimitexceeded", "insufficientquota", "quotaexceeded", "resourceexhausted",
      "toomanyrequests", "throttling", "usagelimitexceeded"}},
    {ErrorClass::validation,
     {"badrequest", "validation", "invalidargument", "invalidprompt", "unprocessableentity",
      "contextlengthexceeded", "contextwindowexceeded", "stringabovemaxlength", "modelnotfound"}},
    {ErrorClass::provider,
     {"internalserver", "internal", "server", "serveroverloaded", "serviceunavailable",
      "unavailable", "badgateway", "provider"}},
    {ErrorClass::network,
     {"apiconnection", "apitimeout", "connection", "connectiontimeout", "connectionreset",
      "connectionrefused", "network", "streamdisconnected", "responsestreamdisconnected",
      "responsestreamconnectionfailed", "httpconnectionfailed", "deadlineexceeded",
      "gatewaytimeout", "requesttimeout", "readtimeout", "connecttimeout"}},
    // Of the operating system, as Node names them:
    {ErrorClass::network,
     {"econnreset", "econnrefused", "econnaborted", "etimedout", "enotfound", "eaiagain", "epipe",
      "ehostunreach", "enetunreach"}},
    // What clients call an answer that the user did not wait for:
    {ErrorClass::cancelled,
     {"aborted", "abort", "cancelled", "canceled", "usercancelled", "interrupted", "apiuserabort"}},
    // Of Node's fetch:
    {ErrorClass::network,
     {"underrconnecttimeout", "underrheaderstimeout", "underrbodytimeout", "underrsocket"}},
};

/// Names that vendors and libraries give to answers with a status, and that status.
constexpr WordRow<int> kWithStatus[] = {
    {400, {"invalid_request_error"}},
    {401, {"authentication_error", "invalid_api_key"}},
    {403, {"permission_error"}},
    {404, {"not_found_error"}},
    {413, {"request_too_large"}},
    {429, {"rate_limit_error", "rate_limit_exceeded", "insufficient_quota"}},
    {500, {"api_error", "server_error"}},
    {504, {"timeout_error"}},
    {529, {"overloaded_error"}},
    // Exceptions, as libraries of vendors and of agents name them:
    {400, {"ValidationError", "BadRequestError"}},
    {401, {"AuthenticationError"}},
    {403, {"PermissionDeniedError"}},
    {404, {"NotFoundError"}},
    {429, {"RateLimitError"}},
};

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
  return find_meaning(kProvider, text, ErrorClass::other);
}

int status_named(std::string_view name) {
  return find_meaning(kWithStatus, name, 0);
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
