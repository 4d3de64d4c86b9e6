#include "facts/tool_targets.h"

#include <catch2/catch.hpp>

using namespace xtrace;

TEST_CASE("words in place of a path are shown by their length, which can be read again") {
  CHECK(words_given(12) == "[text:12]");
  CHECK(words_given_in("[text:12]") == 12);
  CHECK(words_given_in("[text:]") == 0);
  CHECK(words_given_in("[text:12") == 0);
  CHECK(words_given_in("[text:-1]") == 0);
  CHECK(words_given_in("[text:99999999999]") == 0);
  CHECK(words_given_in("/a/[text:12]") == 0);
}
