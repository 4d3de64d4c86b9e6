#include "input/calls/instructions.h"

#include <catch2/catch.hpp>

using namespace xtrace;

namespace {

Instructions read(std::string_view request) {
  simdjson::dom::parser parser;
  return read_instructions(parser.parse(simdjson::padded_string(request)).value_unsafe());
}

}  // namespace

TEST_CASE("a system prompt stands beside the messages, as a text or in blocks, or among them") {
  CHECK(read(R"({"system": "Be brief."})").system_prompt == "Be brief.");
  CHECK(read(R"({"system": [{"type": "text", "text": "Be"}, {"text": "brief."}]})").system_prompt ==
        "Be\nbrief.");
  CHECK(read(R"({"instructions": "Be brief.", "input": "Hello"})").system_prompt == "Be brief.");
  CHECK(read(R"({"messages": [{"role": "system", "content": "Be brief."},
                              {"role": "user", "content": "Hello"}]})")
            .system_prompt == "Be brief.");
  CHECK(read(R"({"input": [{"role": "developer", "content": [{"text": "Be brief."}]}]})")
            .system_prompt == "Be brief.");
}

TEST_CASE("a declared tool has a name, what it does, and the schema of its arguments") {
  for (
      const char* request :
      {R"({"tools": [{"name": "f", "description": "Does it.", "input_schema": {"type": "object"}}]})",
       R"({"tools": [{"type": "function", "name": "f", "description": "Does it.",
                       "parameters": {"type": "object"}}]})",
       R"({"tools": [{"type": "function", "function": {"name": "f", "description": "Does it.",
                                                        "parameters": {"type": "object"}}}]})"}) {
    const Instructions told = read(request);
    REQUIRE(told.tools.size() == 1);
    CHECK(told.tools[0].name == "f");
    CHECK(told.tools[0].description == "Does it.");
    CHECK(told.tools[0].schema == R"({"type":"object"})");
  }
}

TEST_CASE("what is no request tells the model nothing") {
  for (const char* request : {"{}", "[]", "7", R"({"tools": 7, "messages": {}, "system": null})",
                              R"({"tools": [7, {}, {"function": 1}]})"}) {
    CHECK(read(request).system_prompt.empty());
    CHECK(read(request).tools.empty());
  }
}
