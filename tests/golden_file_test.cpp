#include "golden_file.h"

#include <catch2/catch.hpp>

using namespace xtrace;

namespace {

std::string words(std::string_view command) {
  std::string text;
  for (const std::string& word : split_words(command)) text += "<" + word + ">";
  return text;
}

}  // namespace

TEST_CASE("a command is split as a shell splits it") {
  CHECK(words("xtrace dag  a.jsonl ") == "<xtrace><dag><a.jsonl>");
  CHECK(words("a 'b c' \"d e\" f\\ g") == "<a><b c><d e><f g>");
  CHECK(words("a '' \"\\\"\" 'x\\y'") == "<a><><\"><x\\y>");
  CHECK(words("") == "");
}

TEST_CASE("a golden file is read and written back as it was") {
  std::string text =
      "# What this is.\n$ xtrace a\n? 0\none\n\ntwo\n! oh\n!\n! no\n\n# Next.\n$ xtrace b\n? 2\n";
  std::vector<GoldenStep> steps = parse_golden(text);
  REQUIRE(steps.size() == 2);
  CHECK(steps[0].command == "xtrace a");
  CHECK(steps[0].out == "one\n\ntwo\n");
  CHECK(steps[0].err == "oh\n\nno\n");
  CHECK(steps[1].above == "\n# Next.\n");
  CHECK(steps[1].exit == 2);
  CHECK(steps[1].out == "");
  CHECK(format_golden(steps) == text);
}

TEST_CASE("output that looks like a mark is told from one") {
  GoldenStep step{"", "xtrace a", 0, "$ x\n# y\n\\z\n\n! w\nend", ""};
  std::vector<GoldenStep> again = parse_golden(format_golden({step, step}));
  REQUIRE(again.size() == 2);
  CHECK(again[1].out == step.out);
}

TEST_CASE("a difference is shown with what stands around it") {
  CHECK(diff("a\nb\nc\n", "a\nb\nc\n") == "");
  CHECK(diff("a\nb\nc\nd\ne\nf\n", "a\nb\nc\nd\nE\nf\n") == "  ⋮\n  c\n  d\n- e\n+ E\n  f\n");
}
