#include "input/calls/retry_after.h"

#include <catch2/catch.hpp>
#include <string>

using namespace xtrace;
using namespace std::chrono_literals;

namespace {

/// What headers ask for in an answer of noon.
Duration asked(const std::string& headers) {
  simdjson::dom::parser parser;
  json::element parsed;
  REQUIRE(!parser.parse(headers).get(parsed));
  return asked_to_wait(parsed, parse_time("2026-03-01T12:00:00Z")->time);
}

}  // namespace

TEST_CASE("an answer asks to wait in seconds, and more exactly in milliseconds") {
  CHECK(asked(R"({"retry-after": "20"})") == 20s);
  CHECK(asked(R"({"Retry-After": ["3"]})") == 3s);
  CHECK(asked(R"({"retry-after": 2})") == 2s);
  CHECK(asked(R"({"retry-after": "2", "retry-after-ms": "1500"})") == 1500ms);
}

TEST_CASE("a date is measured from the answer's own, else from when it came") {
  CHECK(asked(R"({"retry-after": "Sun, 01 Mar 2026 12:00:30 GMT"})") == 30s);
  CHECK(asked(R"({"retry-after": "Sun, 01 Mar 2026 12:00:30 GMT",
                  "date": "Sun, 01 Mar 2026 12:00:10 GMT"})") == 20s);
  CHECK(asked(R"({"retry-after": "Sun, 01 Mar 2026 11:00:00 GMT"})") == 0s);
}

TEST_CASE("of limits that are used up the longest counts, and others do not") {
  CHECK(asked(R"({"x-ratelimit-remaining-requests": "0", "x-ratelimit-reset-requests": "1m2.5s",
                  "x-ratelimit-remaining-tokens": "9", "x-ratelimit-reset-tokens": "6m0s"})") ==
        62500ms);
  CHECK(asked(R"({"anthropic-ratelimit-tokens-remaining": "0",
                  "anthropic-ratelimit-tokens-reset": "2026-03-01T12:00:05Z"})") == 5s);
  CHECK(asked(R"({"anthropic-ratelimit-tokens-remaining": "7",
                  "anthropic-ratelimit-tokens-reset": "2026-03-01T12:00:05Z"})") == kNoDuration);
}

TEST_CASE("what asks for nothing, or cannot be read, is unknown") {
  for (const char* headers : {"{}", R"({"retry-after": ""})", R"({"retry-after": "soon"})",
                              R"({"retry-after": "-1"})", R"({"retry-after": "1e300"})",
                              R"({"retry-after": "Sun, 01 Foo 2026 12:00:30 GMT"})", "[1]"})
    CHECK(asked(headers) == kNoDuration);
}
