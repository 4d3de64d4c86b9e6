#include "input/common/record_pattern.h"

#include <catch2/catch.hpp>

using namespace xtrace;

namespace {

bool matches(const RecordPattern& pattern, std::string_view record) {
  simdjson::dom::parser parser;
  json::element parsed;
  REQUIRE(!parser.parse(std::string(record)).get(parsed));
  forget_shapes(0);
  const bool is_match = RecordMatcher(parsed).matches(pattern);
  RecordMatcher again(parsed);  // the second time, its shape is known
  CHECK(again.matches(pattern) == is_match);
  RecordMatcher known(parsed);
  REQUIRE(known.keys() != nullptr);
  CHECK(known.matches(pattern) == is_match);
  if (is_match) CHECK(pattern.open_conditions(*known.keys()));
  return is_match;
}

/// May a record with the keys of this one match?
bool may_match(const RecordPattern& pattern, std::string_view like) {
  simdjson::dom::parser parser;
  json::element parsed;
  REQUIRE(!parser.parse(std::string(like)).get(parsed));
  forget_shapes(0);
  RecordMatcher record(parsed);
  record.set(parsed);  // now its shape is known
  REQUIRE(record.keys() != nullptr);
  return pattern.open_conditions(*record.keys()).has_value();
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

TEST_CASE("keys and kinds of values alone show that no record like this one matches") {
  constexpr std::string_view kRecord = R"({"a": [], "b": {"c": 1}, "d": "", "e": null, "f": "x"})";
  for (const RecordPattern& none :
       {RecordPattern("a:object"), RecordPattern("b:array"), RecordPattern("d:text"),
        RecordPattern("e"), RecordPattern("e:number"), RecordPattern("g"), RecordPattern("g/c"),
        RecordPattern("g=x"), RecordPattern("g:known"), RecordPattern("!e:known"),
        RecordPattern("!f"), RecordPattern("f=x !a:array")})
    CHECK_FALSE(may_match(none, kRecord));
  for (const RecordPattern& may :
       {RecordPattern("a:array"), RecordPattern("b/c=1"), RecordPattern("b/none"),
        RecordPattern("f=other"), RecordPattern("!f=x"), RecordPattern("g|f"),
        RecordPattern("e:known !g"), RecordPattern("{a}"), RecordPattern("b{none}")})
    CHECK(may_match(may, kRecord));
}

TEST_CASE("the last of equal keys counts, whether or not the keys are known") {
  CHECK(matches("a=second", R"({"a": "first", "a": "second"})"));
  CHECK_FALSE(matches("a=first", R"({"a": "first", "a": "second"})"));
  CHECK_FALSE(matches("a", R"({"a": "first", "a": null})"));
}

TEST_CASE("the shapes of the objects in a list are known when each has come twice") {
  simdjson::dom::parser parser;
  json::element parsed;
  const std::string text =
      R"({"items": [{"left": 1}, {"left": 2}, {"left": "x"}, {"left": "y"}], "numbers": [1]})";
  REQUIRE(!parser.parse(text).get(parsed));
  forget_shapes(0);
  json::element items, numbers;
  REQUIRE((json::find(parsed, "items", items) && json::find(parsed, "numbers", numbers)));
  CHECK(RecordMatcher(parsed).shapes_in(items) == nullptr);
  RecordMatcher record(parsed);
  REQUIRE(record.shapes_in(items) != nullptr);
  CHECK(record.shapes_in(items)->size() == 2);
  CHECK(record.shapes_in(numbers) == nullptr);
}

TEST_CASE("shapes that come once take no room, and the others may be forgotten") {
  simdjson::dom::parser parser;
  json::element parsed;
  REQUIRE(!parser.parse(std::string(R"({"once": 1})")).get(parsed));
  forget_shapes(0);
  CHECK(RecordMatcher(parsed).keys() == nullptr);
  CHECK(RecordMatcher(parsed).keys() != nullptr);
  forget_shapes(1);
  CHECK(RecordMatcher(parsed).keys() != nullptr);
  forget_shapes(0);
  CHECK(RecordMatcher(parsed).keys() == nullptr);
}
