#include "link/reuse/passages.h"

#include <catch2/catch.hpp>
#include <random>
#include <set>
#include <string>

using namespace xtrace;

namespace {

std::string random_text(std::mt19937& random, size_t length) {
  std::string text;
  while (text.size() < length) text += static_cast<char>('a' + random() % 26);
  return text;
}

}  // namespace

TEST_CASE("white space and case of letters do not count in passages") {
  CHECK(fold_text("  The  Cat\n\tSAT ") == "the cat sat");
  CHECK(is_value("fourteen oaks"));
  CHECK_FALSE(is_value("fourteenoaks"));
  CHECK_FALSE(is_value("five oaks"));
}

TEST_CASE("each run of forty characters that two texts share has a gram that both keep") {
  for (uint32_t seed = 1; seed <= 200; ++seed) {
    std::mt19937 random(seed);
    const std::string shared = random_text(random, kShortestRun);
    const std::string a = random_text(random, random() % 90) + shared + random_text(random, 30);
    const std::string b = random_text(random, random() % 90) + shared + random_text(random, 50);
    std::set<uint64_t> kept;
    for (const auto& [at, hash] : winnow(a)) kept.insert(hash);
    bool is_met = false;
    std::vector<size_t> places;
    for (const auto& [at, hash] : winnow(b)) {
      is_met |= kept.contains(hash);
      places.push_back(at);
    }
    CHECK(is_met);
    size_t longest = 0;
    for (const SharedPassage& run : PassageIndex(a).common(b, places, false))
      longest = std::max(longest, run.size());
    CHECK(longest >= kShortestRun);
  }
}

TEST_CASE("what is left of a passage without others is its longest part") {
  CHECK(longest_left({0, 100}, {}).size() == 100);
  CHECK(longest_left({0, 100}, {{20, 50}}).begin == 50);
  CHECK(longest_left({0, 100}, {{0, 60}, {50, 100}}).size() == 0);
  CHECK(longest_left({10, 30}, {{0, 12}, {28, 40}}).size() == 16);
}
