#include "view/error_class.h"

#include <algorithm>
#include <iterator>
#include <string>

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
    {"notfound", ErrorClass::provider},
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
    {"modelnotfound", ErrorClass::provider},
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
};

constexpr Named kTool[] = {
    {"toolnotfound", ErrorClass::not_found},
    {"notfound", ErrorClass::not_found},
    {"unknowntool", ErrorClass::not_found},
    {"methodnotfound", ErrorClass::not_found},
    {"invalidarguments", ErrorClass::invalid_arguments},
    {"invalidargument", ErrorClass::invalid_arguments},
    {"invalidparams", ErrorClass::invalid_arguments},
    {"inputvalidation", ErrorClass::invalid_arguments},
    {"validation", ErrorClass::invalid_arguments},
    {"toolexecution", ErrorClass::execution},
    {"execution", ErrorClass::execution},
    {"tooltimeout", ErrorClass::timeout},
    {"timeout", ErrorClass::timeout},
    {"deadlineexceeded", ErrorClass::timeout},
    {"etimedout", ErrorClass::timeout},
};

/// Small letters and digits of the last part of a name, without `error` or `exception` at its end:
/// `openai.RateLimitError`, `rate_limit_error` and `rate-limit` are `ratelimit`.
std::string folded(std::string_view name) {
  if (size_t dot = name.find_last_of(".:/"); dot != std::string_view::npos)
    name.remove_prefix(dot + 1);
  std::string text;
  for (char c : name) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9')) text += c;
  }
  for (std::string_view end : {"exception", "error"})
    if (text.size() > end.size() && text.ends_with(end)) text.resize(text.size() - end.size());
  return text;
}

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
    case 413:
    case 422: return ErrorClass::validation;
    case 408:
    case 504: return ErrorClass::network;
    default: return ErrorClass::provider;
  }
}

template <size_t n>
ErrorClass look_up(const Named (&table)[n], std::string_view folded) {
  const Named* found = std::find_if(std::begin(table), std::end(table),
                                    [&](const Named& named) { return named.name == folded; });
  return found == std::end(table) ? ErrorClass::other : found->error;
}

}  // namespace

ErrorClass provider_error(std::string_view name) {
  const std::string text = folded(name);
  if (int status = status_of(text); status != 0) return by_status(status);
  return look_up(kProvider, text);
}

ErrorClass tool_error(std::string_view name) {
  return look_up(kTool, folded(name));
}

}  // namespace xtrace
