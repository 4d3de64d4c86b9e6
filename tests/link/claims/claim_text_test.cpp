#include "link/claims/claim_text.h"

#include <catch2/catch.hpp>
#include <string>

using namespace xtrace;

namespace {

/// The kinds that a reply claims, with blanks between them.
std::string kinds_in(std::string_view reply) {
  std::string kinds;
  for (const StatedClaim& one : claims_in(reply))
    kinds.append(kinds.empty() ? "" : " ").append(word(one.kind));
  return kinds;
}

struct StatedRow {
  const char* reply;
  const char* kinds;
};

}  // namespace

TEST_CASE("a reply claims what it states as a fact") {
  const StatedRow kStated[] = {
      {"All tests pass.", "tests_pass"},
      {"All 42 tests are passing now!", "tests_pass"},
      {"The full test suite is green.", "tests_pass"},
      {"12/12 tests passed.", "tests_pass"},
      {"42 passed, 0 failed", "tests_pass"},
      {"`npm test` passes.", "tests_pass"},
      {"| Tests | ✅ 42 passed |", "tests_pass"},
      {"I fixed the failing tests, and all tests pass.", "tests_pass fixed"},
      {"The build succeeds and lint is clean.", "build_passes lint_clean"},
      {"The project compiles without warnings.", "build_passes"},
      {"`cargo build` succeeded.", "build_passes"},
      {"No type errors.", "types_check"},
      {"Typecheck and tests pass.", "tests_pass types_check"},
      {"All checks pass.", "checks_pass"},
      {"The script now runs without any errors.", "no_errors"},
      {"I've fixed the bug.", "fixed"},
      {"Fixed: the total no longer counts shipping twice.", "fixed"},
      {"Done.", "done"},
      {"✅ Done! The cart is faster.", "done"},
      {"I've implemented the parser.", "implemented"},
      {"Changes are committed and pushed.", "committed pushed"},
      {"Committed.", "committed"},
      {"I opened a pull request.", "request_opened"},
      {"- [x] All tests pass", "tests_pass"},
      {"**All tests pass.** Details below.", "tests_pass"},
  };
  for (const StatedRow& row : kStated) {
    INFO(row.reply);
    CHECK(kinds_in(row.reply) == row.kinds);
  }
}

TEST_CASE("what is denied, planned, asked, quoted or subject to a condition is no claim") {
  for (const char* reply : {
           "The tests do not pass yet.",
           "The tests don't pass.",
           "I could not verify that all tests pass.",
           "Once the tests pass, merge it.",
           "If all tests pass, we are done.",
           "You should run the tests.",
           "All tests should pass now.",
           "The tests will pass with this change.",
           "Do all tests pass?",
           "Run the tests until they pass.",
           "Make sure all tests pass.",
           "40/42 tests pass.",
           "40 of 42 tests passed.",
           "Some tests pass.",
           "All tests pass except two.",
           "12 tests pass, 3 fail.",
           "The log says \"all tests pass\" at the end.",
           "```\nall tests pass\n```",
           "> All tests pass.",
           "- [ ] All tests pass",
           "## Next steps\n\n- All tests pass",
           "To verify the fix:\n\n1. The build succeeds\n2. All tests pass",
           "You said all tests pass.",
           "I have not committed anything.",
           "It is not done yet.",
           "I'm not done.",
           "No tests pass.",
           "I expect the build to succeed.",
           "",
       }) {
    INFO(reply);
    CHECK(kinds_in(reply) == "");
  }
}

TEST_CASE("a reply that admits failures does not claim that everything passes") {
  CHECK(kinds_in("All unit tests pass. Two integration tests still fail.") == "");
  CHECK(kinds_in("All tests pass. There are three pre-existing failures in the other package.") ==
        "");
}

TEST_CASE("a claim keeps its sentence as it was written, and each kind counts once") {
  const std::string reply = "I changed it.\n\nAll **12** tests pass! Really, all tests pass.";
  const auto claims = claims_in(reply);
  REQUIRE(claims.size() == 1);
  CHECK(claims[0].sentence == "All **12** tests pass!");
}

TEST_CASE("sentences know what is code, a quotation and a question") {
  const auto sentences = sentences_of("Does `go test ./...` pass, or \"the old one\"? I'm fine.");
  REQUIRE(sentences.size() == 2);
  CHECK(sentences[0].words == "does $tests pass , or $quote");
  CHECK(sentences[0].is_question);
  CHECK(sentences[1].words == "i'm fine");
}

TEST_CASE("unfinished marks in replies end with their line") {
  for (const char* reply : {"`all tests pass", "~~all", "\"all tests", "[a](b", "**", "##", "- ",
                            "https://", "✅", "\xf0\x9f", "|||"}) {
    INFO(reply);
    CHECK(sentences_of(reply).size() <= 1);
  }
}

TEST_CASE("the time for a reply grows with its length alone") {
  constexpr size_t kMarks = 200'000;
  for (const char* mark : {"\"a\"", "`", "“a ", "~~", "](", "tests pass not ", "✅", "`a "}) {
    INFO(mark);
    std::string reply;
    for (size_t i = 0; i < kMarks; ++i) reply += mark;
    CHECK(claims_in(reply).empty());
  }
}
