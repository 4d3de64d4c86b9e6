#include <catch2/catch.hpp>

#include "facts/made_id.h"
#include "story.h"

using namespace xtrace;

namespace {

CallStory of_openai() {
  Style style;
  style.vendor = Style::Vendor::openai;
  return CallStory(style);
}

}  // namespace

TEST_CASE(
    "ids with enough that is random are one of their kind, those of words and counts are not") {
  for (std::string_view id :
       {"toolu_01A09q90qw90lq917835lq9", "call_9pw2fvHh1vKyNxjbdFGt3dsP",
        "chatcmpl-tool-1f0c2a3b4c5d6e7f8091a2b3c4d5e6f7", "6b1f7a52-0c0e-4f1c-9b1e-2f1d3c4b5a69"})
    CHECK(is_one_of_its_kind(id));
  for (std::string_view id : {"", "0", "call_0", "functions.search:12", "fetch-1a2b3c4d",
                              "functions.context7_resolve:0", "a_very_long_name_of_some_tool"})
    CHECK_FALSE(is_one_of_its_kind(id));
}

TEST_CASE("where clients count their ids, what the tools are given tells twins apart") {
  CallStory story = of_openai();
  story.call("a1").at(0).says("plan my day").uses("call_0", "lookup", R"({"q": "a"})");
  story.call("b1").at(0.4).says("plan my day").uses("call_0", "lookup", R"({"q": "b"})");
  story.call("b2").at(10).after("b1").reads("call_0");
  story.call("a2").at(11).after("a1").reads("call_0");
  CHECK(story.links() ==
        "b1->b2 continuation 1.00\n"
        "b1->b2 tool_result 1.00 call_0\n"
        "a1->a2 continuation 1.00\n"
        "a1->a2 tool_result 1.00 call_0");
}

TEST_CASE("and so does what the tools gave") {
  CallStory story = of_openai();
  story.call("a1").at(0).says("plan my day").uses("call_0", "lookup");
  story.call("b1").at(0.4).says("plan my day").uses("call_0", "lookup");
  story.call("a2").at(10).after("a1").reads("call_0", "sunny").answers("go out");
  story.call("b2").at(11).after("b1").reads("call_0", "rainy").answers("go out");
  story.call("b3").at(20).after("b2").says("thanks");
  story.call("a3").at(21).after("a2").says("thanks");
  CHECK(story.links() ==
        "a1->a2 continuation 0.50\n"
        "a1->a2 tool_result 0.50 call_0\n"
        "b1->b2 continuation 0.50\n"
        "b1->b2 tool_result 0.50 call_0\n"
        "b2->b3 continuation 1.00\n"
        "a2->a3 continuation 1.00");
}

TEST_CASE("a use without arguments of a counted id proves nothing about a history cut short") {
  CallStory story = of_openai();
  story.call("a1").at(0).says("tidy up").uses("call_0", "list");
  story.call("b1").at(1).says("count the files").uses("call_0", "list");
  // Nothing of what came before the use is repeated, and both calls may have asked for it.
  story.call("x").unlogged().says("a third thing").uses("call_0", "list");
  story.call("c").at(10).after("x").reads("call_0");
  CHECK(story.links("continuation") == "");
}

TEST_CASE("how a client writes what a tool was given and gave does not matter") {
  CallStory story;
  story.call("a").says("hi").uses("t1", "Read", R"({"path": "x", "lines": [1, 2]})");
  story.call("b").after("a").reads("t1", "some output");
  SECTION("outputs as lists of blocks") {
    story.call("c").after("b").writes_lists();
  }
  SECTION("white space around outputs") {
    story.call("c").after("b").adds_blanks();
  }
  CHECK(story.links("continuation") ==
        "a->b continuation 1.00\n"
        "b->c continuation 1.00");
}
