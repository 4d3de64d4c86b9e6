#include "view/story/thought_tags.h"

#include <catch2/catch.hpp>

using namespace xtrace;

TEST_CASE("a thought that follows a template says why, how and what else it thought of") {
  auto tags = tags_of_thought("So {why} the test failed {how}: quote it\n{alternatives} escape it");
  REQUIRE(tags.size() == 3);
  CHECK(tags[0] == std::pair<std::string_view, std::string_view>("why", "the test failed"));
  CHECK(tags[1] == std::pair<std::string_view, std::string_view>("how", "quote it"));
  CHECK(tags[2] == std::pair<std::string_view, std::string_view>("alternatives", "escape it"));
}

TEST_CASE("a tag under which nothing stands says nothing") {
  CHECK(tags_of_thought("{why} {how} x").size() == 1);
  CHECK(tags_of_thought("why not").empty());
  CHECK(tags_of_thought("").empty());
}
