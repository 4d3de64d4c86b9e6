#include "view/diff/verdict_diff.h"

#include <catch2/catch.hpp>

using namespace xtrace;

namespace {

std::string changes(const JudgedSuite& before, const JudgedSuite& now) {
  std::string text;
  for (const VerdictChange& change : compare(before, now))
    text += (text.empty() ? "" : ", ") + change.scenario + " " + std::string(word(change.kind));
  return text;
}

}  // namespace

TEST_CASE("scenarios of two suites are compared by name, what matters most first") {
  JudgedSuite before{"old.json",
                     {{"a", {"passed", 1}}, {"b", {"failed", 0}}, {"c", {"passed", 1}}}};
  JudgedSuite now{"new.json", {{"a", {"passed", 1}}, {"b", {"passed", 1}}, {"d", {"failed", 0}}}};
  CHECK(changes(before, now) == "c missing, b newly_passing, d added, a equal");
  CHECK(changes(now, before) == "b newly_failing, d missing, c added, a equal");
}

TEST_CASE("what passed and lacks evidence now is newly failing") {
  JudgedSuite before{"old.json", {{"a", {"passed", 1}}}};
  JudgedSuite now{"new.json", {{"a", {"insufficient_evidence", {}}}}};
  CHECK(changes(before, now) == "a newly_failing");
}

TEST_CASE("another score of the same verdict is a change") {
  JudgedSuite before{"old.json", {{"a", {"failed", 0.5}}}};
  JudgedSuite now{"new.json", {{"a", {"failed", 0.25}}}};
  CHECK(changes(before, now) == "a changed");
}
