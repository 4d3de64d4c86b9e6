#include "render/chart/chart.h"

#include <catch2/catch.hpp>

#include "charted.h"
#include "render/chart/actors.h"

using namespace xtrace;

namespace {

using Ids = std::vector<std::string>;

const Chart::Mark& mark(const Chart& chart, std::string_view id) {
  for (const Chart::Mark& mark : chart.marks)
    if (chart.text(mark.id) == id) return mark;
  throw std::out_of_range("no such mark");
}

}  // namespace

TEST_CASE("marks stand below their parents, those of one parent in order of time") {
  const Chart chart = Charted({{"b", 5},
                               {"late", 9, -1, "a"},
                               {"early", 7, -1, "a"},
                               {"a", 1},
                               {"below", 8, -1, "early"}})
                          .chart();
  CHECK(Charted::ids(chart) == Ids{"a", "early", "below", "late", "b"});
  CHECK(with_all_below(chart) == std::vector<uint32_t>{4, 2, 1, 1, 1});
  CHECK(mark(chart, "early").parent == 0);
  CHECK(mark(chart, "b").parent == Chart::kNone);
}

TEST_CASE("marks without a time come behind those with one") {
  CHECK(Charted::ids(Charted({{"unknown"}, {"b", 2}, {"a", 1}}).chart()) ==
        Ids{"a", "b", "unknown"});
}

TEST_CASE("marks that stand below each other are a row each all the same") {
  const Chart chart = Charted({{"a", 1, -1, "b"}, {"b", 2, -1, "a"}, {"c", 3, -1, "c"}}).chart();
  CHECK(chart.marks.size() == 3);
  CHECK(mark(chart, "c").parent == Chart::kNone);
}

TEST_CASE("all calls of a subagent stand below the one that spawned it, those of each together") {
  const Charted charted({{.id = "spawn", .start_s = 1},
                         {.id = "a1", .start_s = 2, .parent = "spawn"},
                         {.id = "b1", .start_s = 3, .parent = "spawn"},
                         {.id = "a2", .start_s = 4, .previous = "a1"},
                         {.id = "b2", .start_s = 5, .previous = "b1"},
                         {.id = "a3", .start_s = 6, .previous = "a2"},
                         {.id = "below", .start_s = 7, .parent = "a2"},
                         {.id = "next", .start_s = 8, .previous = "spawn"}});
  const Chart chart = charted.chart(true);
  CHECK(Charted::ids(chart) == Ids{"spawn", "a1", "a2", "below", "a3", "b1", "b2", "next"});
  CHECK(mark(chart, "a3").parent == 0);
  CHECK(mark(chart, "below").parent == 2);
  CHECK(mark(chart, "next").parent == Chart::kNone);
  CHECK(Charted::ids(charted.chart()) ==
        Ids{"spawn", "a1", "b1", "a2", "below", "b2", "a3", "next"});
}

TEST_CASE("calls that each go on with the other are a row each all the same") {
  const Chart chart = Charted({{.id = "a", .start_s = 1, .previous = "b"},
                               {.id = "b", .start_s = 2, .previous = "a"},
                               {.id = "c", .start_s = 3, .previous = "a"}})
                          .chart(true);
  CHECK(Charted::ids(chart) == Ids{"a", "b", "c"});
  CHECK(mark(chart, "c").parent == Chart::kNone);
}

TEST_CASE("arrows follow their marks, and tell what else they could have come from") {
  const Chart chart =
      Charted({{"z", 3}, {"y", 2}, {"x", 1}}, {{"y", "z", 0.5, "x"}, {"x", "y"}, {"x", "gone"}})
          .chart();
  REQUIRE(chart.arrows.size() == 2);
  CHECK(chart.text(chart.marks[chart.arrows[0].to].id) == "y");
  const Chart::Link& link = chart.link(chart.arrows[1]);
  CHECK(link.confidence == 5000);
  REQUIRE(link.rivals == 1);
  const Chart::Rival& rival = chart.rivals[chart.arrows[1].first_rival];
  CHECK(chart.text(chart.marks[rival.mark].id) == "x");
  CHECK(rival.confidence == 2500);
}

TEST_CASE("a place is a file and a line, an offset, or a text as it is") {
  const Chart chart = Charted({{"line", 1, 1, {}, "main", "a:b.jsonl:12"},
                               {"offset", 2, 1, {}, "main", "a.json@7"},
                               {"other", 3, 1, {}, "main", "somewhere"}})
                          .chart();
  CHECK(chart.figures(mark(chart, "line")).place == 12);
  CHECK(chart.figures(mark(chart, "offset")).has_offset);
  CHECK(chart.figures(mark(chart, "other")).place == Chart::kUnknown);
  for (std::string_view id : {"line", "offset", "other"})
    CHECK_FALSE(chart.place(mark(chart, id)).empty());
  CHECK(chart.place(mark(chart, "line")) == "a:b.jsonl:12");
  CHECK(chart.place(mark(chart, "other")) == "somewhere");
}

TEST_CASE("a chart tells the figures that it keeps, unknown, negative and as large as there are") {
  Chart chart;
  chart.natures.resize(2);
  chart.natures[1].kind = StringId(7);
  const std::vector<int64_t> numbers = {
      0, 1, 63, 64, -1, INT64_MAX, INT64_MIN + 1, Chart::kUnknown, int64_t{1} << 53};
  std::vector<Chart::Mark> marks(numbers.size());
  for (size_t i = 0; i < numbers.size(); ++i)
    chart.keep(i % 2,
               {.waited_us = numbers[i],
                .total = 5,
                .place = numbers[numbers.size() - 1 - i],
                .has_offset = i % 3 == 0,
                .waited_for = Chart::Wait::unexplained},
               marks[i]);
  for (size_t i = 0; i < numbers.size(); ++i) {
    CAPTURE(numbers[i]);
    const Chart::Figures figures = chart.figures(marks[i]);
    CHECK(chart.nature(marks[i]).kind == chart.natures[i % 2].kind);
    CHECK(figures.waited_us == numbers[i]);
    CHECK(figures.total == 5);
    CHECK(figures.place == numbers[numbers.size() - 1 - i]);
    CHECK(figures.turn == Chart::kUnknown);
    CHECK(figures.has_offset == (i % 3 == 0));
    CHECK(figures.waited_for == Chart::Wait::unexplained);
  }
}

TEST_CASE("each agent has a lane, below the one that started it") {
  const Chart chart =
      Charted({{"a", 1, 1}, {"far", 2, 1, {}, "Other"}, {"sub", 3, 1, "a", "Explore"}}).chart();
  REQUIRE(chart.lanes.size() == 3);
  CHECK(chart.text(chart.lanes[0].agent) == "main");
  CHECK(chart.text(chart.lanes[1].agent) == "Explore");
  CHECK(chart.lanes[1].above == 0);
  CHECK(chart.lanes[2].above == Chart::kNone);
}

TEST_CASE("marks of one agent that overlap stand side by side") {
  const Chart chart = Charted({{"a", 1, 5}, {"b", 2, 1}, {"c", 3, 1}, {"d", 6, 1}}).chart();
  CHECK(mark(chart, "a").row == 0);
  CHECK(mark(chart, "b").row == 1);
  CHECK(mark(chart, "c").row == 1);
  CHECK(mark(chart, "d").row == 0);
  CHECK(chart.lanes[0].rows == 2);
}

TEST_CASE(
    "users ask once for a turn, and agents once for a subagent, however many calls it takes") {
  const Actors actors = actors_of(
      Charted({{.id = "a", .start_s = 1, .turn = 1},
               {.id = "b", .start_s = 2, .turn = 1},
               {.id = "c", .start_s = 3, .turn = 2},
               {.id = "s1", .start_s = 4, .parent = "c", .agent = "Explore", .turn = 2},
               {.id = "s2", .start_s = 5, .agent = "Explore", .turn = 2, .previous = "s1"}})
          .chart(true));
  REQUIRE(actors.edges.size() == 2);
  CHECK(actors.edges[0].calls == 2);
  CHECK(actors.edges[0].counts_turns);
  CHECK(actors.edges[1].calls == 1);
  CHECK_FALSE(actors.edges[1].counts_turns);
}

TEST_CASE("actors are the user and agents by who started them") {
  const Actors actors = actors_of(Charted({{"a", 1, 1}, {"sub", 3, 1, "a", "Explore"}}).chart());
  REQUIRE(actors.actors.size() == 3);
  Ids ids;
  for (const Actors::Actor& actor : actors.actors) ids.push_back(actor.id);
  CHECK(std::is_permutation(ids.begin(), ids.end(),
                            Ids{"user", "agent:main", "agent:Explore"}.begin()));
  CHECK(actors.edges.size() == 2);
  CHECK(actors.hidden == 0);
  CHECK(actors.actors[actors.busiest].label == "main");
}
