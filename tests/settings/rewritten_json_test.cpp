#include <catch2/catch.hpp>

#include "settings/arguments.h"

using namespace xtrace;

namespace {

/// Hides what is in a member `pin`, and whatever says `secret`.
std::string rewritten(const std::string& json) {
  return rewritten_json(json, {.value =
                                   [](std::string_view name, const std::string& value) {
                                     bool hides = name == "pin" || value == "secret";
                                     return hides ? std::string("[X]") : value;
                                   },
                               .name = [](const std::string& name) { return name; }})
      .value_or("none");
}

}  // namespace

TEST_CASE("JSON keeps its shape and its numbers when it is rewritten") {
  CHECK(rewritten(R"({"b":1,"a":[true,null,"x",{"c":2.5}]})") ==
        R"({"b": 1, "a": [true, null, "x", {"c": 2.5}]})");
  CHECK(rewritten(R"([12345678901234567890])") == "[12345678901234567890]");
  CHECK(rewritten(R"({"a":"\u00e9\n"})") == "{\"a\": \"é\\n\"}");
}

TEST_CASE("each value is rewritten by itself, with the name it stands under") {
  CHECK(rewritten(R"({"pin":1234,"a":["secret","open"]})") ==
        R"({"pin": "[X]", "a": ["[X]", "open"]})");
  CHECK(rewritten(R"({"pin":[1,{"a":1}]})") == R"({"pin": ["[X]", {"a": 1}]})");
}

TEST_CASE("what is not a list or object is not rewritten as JSON") {
  CHECK(rewritten("*** Begin Patch") == "none");
  CHECK(rewritten("12") == "none");
  CHECK(rewritten(std::string(1000, '[') + std::string(1000, ']')) == "none");
}
