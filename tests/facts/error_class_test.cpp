#include "facts/error_class.h"

#include <catch2/catch.hpp>

using namespace xtrace;

namespace {

std::string provider(std::string_view name) {
  return std::string(word(provider_error(name)));
}

}  // namespace

TEST_CASE("a provider's errors are told in a few classes, however a log spells them") {
  for (const char* name : {"rate_limit_error", "RateLimitError", "openai.RateLimitError",
                           "http_429", "429", "rate_limit_exceeded", "ThrottlingException"})
    CHECK(provider(name) == "rate_limit");
  for (const char* name : {"authentication_error", "permission_error", "http_401", "403"})
    CHECK(provider(name) == "authentication");
  for (const char* name : {"invalid_request_error", "request_too_large", "http_400", "http_422",
                           "context_length_exceeded", "not_found_error", "http_404"})
    CHECK(provider(name) == "validation");
  for (const char* name : {"APIConnectionError", "timeout_error", "ECONNRESET", "http_504"})
    CHECK(provider(name) == "network");
  for (const char* name : {"api_error", "http_500", "server_error", "overloaded_error", "http_529",
                           "http_503", "overloaded"})
    CHECK(provider(name) == "provider");
}

TEST_CASE("a tool's errors keep the words they were read with") {
  for (ToolError error : {ToolError::not_found, ToolError::invalid_arguments, ToolError::execution,
                          ToolError::timeout, ToolError::denied, ToolError::cancelled})
    CHECK(word(class_of(error)) == word(error));
  CHECK(class_of(ToolError::other) == ErrorClass::other);
}

TEST_CASE("an answer that the user did not wait for was cancelled, whatever the client calls it") {
  for (const char* name : {"aborted", "abort", "cancelled", "canceled", "user_cancelled",
                           "interrupted", "APIUserAbortError"})
    CHECK(provider(name) == "cancelled");
}

TEST_CASE("what a name does not tell is other, and never guessed") {
  for (const char* name : {"", "error", "rate", "my_rate_limit_thing", "http_200", "http_4290",
                           "99", "limit_error_rate"})
    CHECK(provider(name) == "other");
}

TEST_CASE("of several words for a failure the first that tells a class counts") {
  CHECK(telling_error({"requests", "rate_limit_exceeded"}) == "rate_limit_exceeded");
  CHECK(telling_error({"", "rate_limit_error", "http_500"}) == "rate_limit_error");
  CHECK(telling_error({"", "strange", "error"}) == "strange");
  CHECK(telling_error({"", ""}).empty());
}

TEST_CASE("a general name gives way to the recorded status, and one that tells more does not") {
  CHECK(error_with_status("invalid_request_error", 401) == "http_401");
  CHECK(error_with_status("api_error", 504) == "http_504");
  CHECK(error_with_status("authentication_error", 401) == "authentication_error");
  CHECK(error_with_status("rate_limit_error", 529) == "rate_limit_error");
  CHECK(error_with_status("insufficient_scope", 403) == "insufficient_scope");
  CHECK(error_with_status("invalid_request_error", 0) == "invalid_request_error");
}
