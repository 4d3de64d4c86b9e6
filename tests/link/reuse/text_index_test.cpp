#include "link/reuse/text_index.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <random>
#include <string>
#include <vector>

#include "link/reuse/passages.h"

using namespace xtrace;

namespace {

TextIndex index_of(const std::string& wanted) {
  TextIndex index;
  index.want(wanted_of(wanted));
  index.seal();
  return index;
}

bool has_any(const TextIndex& index, const std::string& text) {
  return !index.find_hits(text).keys.empty();
}

}  // namespace

TEST_CASE("an index finds tokens, whole values and passages, and nothing else") {
  const TextIndex tokens = index_of("pay to orders77@mill.example");
  CHECK(has_any(tokens, "Write to ORDERS77@mill.example."));
  CHECK_FALSE(has_any(tokens, "Write to orders78@mill.example."));

  const TextIndex values = index_of("fourteen green oaks");
  CHECK(has_any(values, "there are Fourteen  green\noaks behind it"));
  CHECK_FALSE(has_any(values, "there are fourteen green oaksmen behind it"));
  CHECK_FALSE(has_any(values, "there are sixfourteen green oaks behind it"));

  const std::string passage = "the boat leaves at dawn and nobody is to be told of that before";
  const TextIndex passages = index_of(passage);
  CHECK(has_any(passages, "They say " + passage.substr(5, kShortestRun) + "!"));
  CHECK_FALSE(has_any(passages, "The boat leaves. At dawn, and nobody else."));
}

TEST_CASE("an index that wants nothing finds nothing") {
  TextIndex index;
  index.seal();
  const TextHits hits = index.find_hits("order 77120934 from orders77@mill.example, 77120934");
  CHECK(hits.keys.empty());
  CHECK(hits.numbers.size() == 1);
}

TEST_CASE("a passage is found wherever lines around it are encoded") {
  const std::string passage = "the boat leaves at dawn and nobody is to be told of that before";
  const TextIndex index = index_of(passage);
  for (uint32_t seed = 1; seed <= 100; ++seed) {
    std::mt19937 random(seed);
    std::string text;
    const auto add_lines = [&](size_t count) {
      for (size_t i = 0; i < count; ++i) {
        text += std::string(random() % 80, 'x');
        if (random() % 6 == 0) text += R"( \"quoted\")";
        text += '\n';
      }
    };
    add_lines(random() % 30);
    std::string part = passage;
    std::ranges::replace(part, ' ', random() % 2 == 0 ? '\n' : ' ');
    // With a letter that is escaped, only the decoded text has the passage.
    if (random() % 2 == 0) part.replace(part.find("leaves"), 1, "\\u006c");
    text += part + '\n';
    add_lines(random() % 30);
    INFO("seed " << seed << "\n" << text);
    CHECK(has_any(index, text));
  }
}

TEST_CASE("a filter never misses what was added") {
  HashFilter filter;
  std::mt19937_64 random(7);
  std::vector<uint64_t> added;
  for (int i = 0; i < 5000; ++i) filter.add(added.emplace_back(random()));
  filter.seal();
  CHECK(std::ranges::all_of(added, [&](uint64_t hash) { return filter.may_have(hash); }));
  size_t others = 0;
  for (int i = 0; i < 5000; ++i) others += filter.may_have(random());
  CHECK(others < 500);
}
