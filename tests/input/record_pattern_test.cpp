#include "input/common/record_pattern.h"

#include <catch2/catch.hpp>

using namespace xtrace;

namespace {

bool matches(const RecordPattern& pattern, std::string_view record) {
  simdjson::dom::parser parser;
  json::element parsed;
  REQUIRE(!parser.parse(std::string(record)).get(parsed));
  return RecordMatcher(parsed).matches(pattern);
}

}  // namespace

TEST_CASE("a record matches a pattern if it meets every condition") {
  constexpr RecordPattern kPattern = "type=message|tool_* id !uuid";
  CHECK(matches(kPattern, R"({"type": "message", "id": 1})"));
  CHECK(matches(kPattern, R"({"type": "tool_call", "id": "a", "uuid": null})"));
  CHECK_FALSE(matches(kPattern, R"({"type": "messages", "id": 1})"));
  CHECK_FALSE(matches(kPattern, R"({"type": "message", "id": null})"));
  CHECK_FALSE(matches(kPattern, R"({"type": "message", "id": 1, "uuid": "u"})"));
}

TEST_CASE("a condition asks for a kind of value") {
  constexpr std::string_view kRecord = R"({"a": {"list": [1], "name": "n", "count": 2.5}})";
  CHECK(matches("a:object a/list:array a/name:text a/count:number a/list/0:number", kRecord));
  CHECK_FALSE(matches("a:array", kRecord));
  CHECK_FALSE(matches("a/count:text", kRecord));
  CHECK_FALSE(matches("a/name:number", kRecord));
  CHECK_FALSE(matches("a/none:text", kRecord));
}

TEST_CASE("a condition allows no other keys in an object") {
  CHECK(matches("{role|message} message{content}", R"({"role": 1, "message": {"content": 2}})"));
  CHECK_FALSE(matches("{role|message}", R"({"role": 1, "text": 2})"));
  CHECK_FALSE(matches("message{content}", R"({"message": {"content": 2, "id": 3}})"));
  CHECK_FALSE(matches("message{content}", R"({"message": "content"})"));
}

TEST_CASE("a path takes the first place with a value, and a star the first member") {
  CHECK(matches("b|a=x", R"({"a": "x", "b": null})"));
  CHECK_FALSE(matches("b|a=x", R"({"a": "x", "b": "y"})"));
  CHECK(matches("models/*/count", R"({"models": {"m": {"count": 1}}})"));
  CHECK_FALSE(matches("models/*/count", R"({"models": {}})"));
}
