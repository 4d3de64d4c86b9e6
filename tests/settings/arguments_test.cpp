#include "settings/arguments.h"

#include <catch2/catch.hpp>

using namespace xtrace;

TEST_CASE("a number keeps all its digits, and is told apart from a text of digits") {
  const Arguments given(
      R"({"a": 3, "b": "3", "c": 3.0, "d": 100000000000000000001, "e": [0.1234567890123456789]})");
  auto at = [&](std::string_view path) {
    const JsonValue value = given.value_at(path).value_or(JsonValue());
    return value.text + (value.is_number ? " number" : " text");
  };
  CHECK(at("a") == "3 number");
  CHECK(at("b") == "3 text");
  CHECK(at("c") == "3.0 number");
  CHECK(at("d") == "100000000000000000001 number");
  CHECK(at("e.0") == "0.1234567890123456789 number");
  CHECK(at("e") == "0.1234567890123456789 text");
  CHECK_FALSE(given.value_at("f"));
}

TEST_CASE("what is broken, or no list or object, is one text") {
  for (const char* text : {"3.0", R"({"a": 3.0)", R"({"a": 1e999})", "", "go"}) {
    CAPTURE(text);
    const Arguments given(text);
    CHECK_FALSE(given.is_json());
    REQUIRE(given.value_at(""));
    CHECK(given.value_at("")->text == text);
    CHECK_FALSE(given.value_at("")->is_number);
  }
}

TEST_CASE("of two members of one name the last counts") {
  const Arguments given(R"({"a": {"b": 1.5}, "a": {"c": 2.5}})");
  CHECK_FALSE(given.find("a.b"));
  CHECK(given.find("a.c") == "2.5");
}

TEST_CASE("what is nested deeper than arguments are is one text") {
  std::string json = "100000000000000000001";
  for (int i = 0; i < 40; ++i) json = "[" + json + "]";
  const Arguments given(json);
  CHECK(given.is_json());
  CHECK(given.find("") == "[[[[[[[1e+20]]]]]]]");
}
