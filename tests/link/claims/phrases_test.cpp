#include "link/claims/phrases.h"

#include <catch2/catch.hpp>

using namespace xtrace;

TEST_CASE("the longest phrase counts, and ends with a word") {
  const Pattern consent = phrases_of("consent");
  CHECK(consent.beginning("go ahead , please") == "go ahead ");
  CHECK(consent.beginning("do it") == "do it");
  CHECK(consent.beginning("好的 .") == "好的 ");
  for (const char* other : {"", "goes", "happy", "好吧", "sí-no"}) {
    INFO(other);
    CHECK(consent.beginning(other).empty());
  }
}

TEST_CASE("phrases are found anywhere, but not inside words") {
  const Pattern turn = phrases_of("turn");
  CHECK(turn.is_in("no , just do it"));
  CHECK(turn.is_in("worry"));
  CHECK_FALSE(turn.is_in("no , that is unjust and-or adjusted"));
}

TEST_CASE("words keep their lines and lose their languages") {
  const auto lines = word_lines("opposite");
  CHECK(lines.front() == std::vector<std::string_view>{"pass", "fail", "skip", "flaky", "retry"});
  CHECK(words_of("opposite").contains("median"));
  CHECK_FALSE(words_of("opposite").contains("en"));
}
