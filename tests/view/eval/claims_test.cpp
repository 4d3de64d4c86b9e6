#include <catch2/catch.hpp>
#include <fstream>
#include <string>

#include "reading.h"
#include "view/eval/mentions.h"

using namespace xtrace;

namespace {

struct Claim {
  char label = '?';
  std::string text;
  char found = '?';
};

/// `+` told, `-` not told, `?` nothing that can be checked.
char judge(const ToldFacts& told, const std::string& claim) {
  Mentions mentions = mentions_of(claim);
  bool is_checked = false, is_wrong = false;
  auto count = [&](ToldFacts::Answer answer) {
    is_wrong |= answer == ToldFacts::Answer::not_told;
    is_checked |= answer == ToldFacts::Answer::told;
  };
  for (const NumberMention& one : mentions.numbers) count(told.has(one));
  for (const NameMention& one : mentions.names) count(told.has(one));
  for (const AboutWords& one : mentions.sentences) count(told.has(one));
  return is_wrong ? '-' : is_checked ? '+' : '?';
}

std::vector<Claim> judged_claims(const std::string& name) {
  std::ifstream file(project_path("tests/view/eval/" + name));
  REQUIRE(file);
  std::vector<Claim> claims;
  ToldFacts told;
  for (std::string line; std::getline(file, line);) {
    if (line.empty() || line[0] == '#') continue;
    std::string text = line.substr(2);
    if (line[0] == '>') {
      told = {};
      told.add(text);
      continue;
    }
    claims.push_back({line[0], text, judge(told, text)});
  }
  return claims;
}

struct Measured {
  double precision = 0, recall = 0;
  size_t claims = 0, wrongly_told_off = 0;
};

/// Of the verdict that a claim is not told.
Measured measure(const std::string& name) {
  double right = 0, wrong = 0, missed = 0;
  Measured measured;
  for (const Claim& claim : judged_claims(name)) {
    ++measured.claims;
    if (claim.label != claim.found)
      UNSCOPED_INFO(claim.label << " found " << claim.found << ": " << claim.text);
    if (claim.found == '-') (claim.label == '-' ? right : wrong)++;
    missed += claim.label == '-' && claim.found != '-';
    measured.wrongly_told_off += claim.label == '+' && claim.found == '?';
  }
  measured.precision = right / (right + wrong);
  measured.recall = right / (right + missed);
  return measured;
}

}  // namespace

TEST_CASE("what is said not to be told is not told: claims the rule was made with") {
  Measured measured = measure("claims_to_develop.txt");
  CAPTURE(measured.precision, measured.recall, measured.wrongly_told_off);
  CHECK(measured.claims >= 100);
  CHECK(measured.precision >= 0.95);
}

TEST_CASE("what is said not to be told is not told: claims the rule was measured with") {
  Measured measured = measure("claims_to_measure.txt");
  CAPTURE(measured.precision, measured.recall, measured.wrongly_told_off);
  CHECK(measured.claims >= 100);
  CHECK(measured.precision >= 0.95);
}

TEST_CASE("what is said not to be told is not told: claims that nobody looked at") {
  Measured measured = measure("claims_unseen.txt");
  CAPTURE(measured.precision, measured.recall, measured.wrongly_told_off);
  CHECK(measured.claims >= 50);
  CHECK(measured.precision >= 0.95);
  CHECK(measured.recall >= 0.9);
}

TEST_CASE("a moment tells its day, and a number is the same with marks between its thousands") {
  ToldFacts told;
  told.add(R"({"released": "2026-01-05T10:00:00Z", "count": "1,200", "share": "1,5"})");
  CHECK(judge(told, "released on 2026-01-05") == '+');
  CHECK(judge(told, "released on 2026-01-06") == '-');
  CHECK(judge(told, "1200 rows") == '+');
  CHECK(judge(told, "1300 rows") == '-');
}

TEST_CASE("a key of several words says what its number is of") {
  const std::string mark = GENERATE("_", "-", " ", "");
  const std::string last = mark.empty() ? "Tickets" : "tickets";
  ToldFacts told;
  told.add("{\"waiting" + mark + last + "\": 12, \"billed" + mark + last + "\": 130}");
  CHECK(judge(told, "130 billed tickets") == '+');
  CHECK(judge(told, "130 waiting tickets") == '-');
}
