#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <map>

#include "made_log.h"
#include "reading.h"

using namespace xtrace;

// Logs of which all is known, each kind with its own way to mislead: two users at the same time,
// equal prompts, prompts with lines added, histories in another form, answers that no log has, ids
// lost.

namespace {

struct World {
  const char* name;
  Recipe recipe;
};

std::vector<World> worlds() {
  const Recipe small = {1, 2, 1, false, 0, {}};
  std::vector<World> all = {{"plain", small}};
  const auto add = [&](const char* name, auto... flags) {
    Recipe recipe = small;
    ((recipe.*flags = true), ...);
    all.push_back({name, recipe});
  };
  add("overlapping", &Recipe::overlaps);
  add("equal prompts", &Recipe::overlaps, &Recipe::repeats);
  add("lines added", &Recipe::overlaps, &Recipe::adds_lines);
  add("other forms", &Recipe::overlaps, &Recipe::mangles);
  add("answers lost", &Recipe::overlaps, &Recipe::loses_some);
  add("ids lost", &Recipe::overlaps, &Recipe::loses_ids, &Recipe::adds_lines);
  add("everything", &Recipe::overlaps, &Recipe::repeats, &Recipe::adds_lines, &Recipe::mangles,
      &Recipe::loses_some);
  return all;
}

struct Count {
  int all = 0, wrong = 0, true_ones = 0, found = 0;
};

}  // namespace

TEST_CASE("links of logs are right as often as they are sure") {
  constexpr uint32_t kSeeds = 32;  // of each kind; 250 were tried, with the same result
  constexpr double kSure = 0.95, kSurest = 0.99;
  std::map<std::string, Count> sure;
  std::string wrong;
  Count in_all;
  for (const World& world : worlds())
    for (uint32_t seed = 1; seed <= kSeeds; ++seed) {
      Recipe recipe = world.recipe;
      recipe.seed = seed;
      const MadeLog made = make_log(recipe);
      const Graph graph = link(read_log(made.text()), {});
      const Trace& trace = graph.trace();
      sure[world.name].true_ones += static_cast<int>(made.truth.size());
      for (const Link& link : graph.links()) {
        const std::string text =
            fmt::format("{}->{} {}{}", trace[trace[link.from].id], trace[trace[link.to].id],
                        word(link.kind), link.key ? " " + std::string(trace[link.key]) : "");
        const bool is_right = made.truth.contains(text);
        if (is_right) ++sure[world.name].found;
        if (confidence(link) < kSure) continue;
        for (Count* count : {&sure[world.name], &in_all}) {
          ++count->all;
          count->wrong += !is_right;
        }
        if (!is_right && confidence(link) >= kSurest)
          wrong += fmt::format("{} {}: {} {}\n", world.name, seed, text, confidence(link));
      }
    }
  for (const auto& [name, count] : sure) {
    CAPTURE(name, count.all, count.wrong, count.true_ones, count.found);
    CHECK(count.wrong * 100 <= count.all);
    CHECK(count.found * 100 >= count.true_ones * 99);
  }
  CAPTURE(in_all.all, in_all.wrong);
  CHECK(in_all.all > 15'000);
  CHECK(wrong == "");
}
