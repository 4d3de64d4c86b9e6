#include <catch2/catch.hpp>
#include <regex>
#include <set>

#include "charted.h"
#include "doc/colours.h"
#include "render/drawn.h"
#include "render/svg/figures.h"
#include "render/svg/hues.h"
#include "render/svg/pictures.h"
#include "render/svg/svg_writer.h"

using namespace xtrace;

namespace {

/// Agents that overlap, idle days, failures, unknown lengths: `many` of it.
Chart busy_chart(size_t many) {
  std::vector<std::string> names;
  std::vector<Charted::Node> nodes;
  names.reserve(2 * many);
  for (size_t i = 0; i < many; ++i) {
    const std::string_view id = names.emplace_back("call" + std::to_string(i));
    const std::string_view agent = names.emplace_back("agent" + std::to_string(i * 7 % 90));
    const int64_t start = static_cast<int64_t>(i / 40 * 86400 + i * 31 % 977);
    nodes.push_back({id,
                     start,
                     i % 11 == 0 ? -1 : static_cast<int64_t>(i % 60),
                     {},
                     agent,
                     "a.jsonl:1",
                     i % 13 == 0 ? "error" : "ok"});
  }
  return Charted(nodes).chart();
}

int64_t number_behind(const std::string& text, std::string_view what) {
  const size_t at = text.find(what);
  return at == std::string::npos ? -1 : std::stoll(text.substr(at + what.size()));
}

size_t count_of(const std::string& text, std::string_view part) {
  size_t count = 0;
  for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

void check_page(const std::string& svg) {
  CHECK(number_behind(svg, "width=\"") <= 2000);
  CHECK(number_behind(svg, "height=\"") <= 2000);
  // Whole numbers, and nothing that leads out of the file or acts.
  static const std::regex kFraction(R"re(<(rect|path|text)[^>]*"[^">]*\d\.\d)re");
  CHECK_FALSE(std::regex_search(svg, kFraction));
  for (std::string_view word :
       {"<script", "<a ", "href", "<image", "foreignObject", "url(", " id="})
    CHECK_FALSE(contains(svg, word));
  CHECK(contains(svg, "role=\"img\""));
}

}  // namespace

TEST_CASE("a name has the colour that pages give it") {
  // As the script of a page counts them.
  CHECK(hue_hash("main") == 3935363592U);
  CHECK(hue_hash("Explore") == 1302246108U);
  CHECK(hue_hash("宽") == 3092016872U);
  CHECK(hue_hash("😀") == 3409036472U);
  const Chart chart = Charted({{"a", 1, 1}, {"b", 2, 1, "a", "Explore"}}).chart();
  const Hues hues(chart);
  CHECK(hues.of(chart.texts.find("main")).hue == hue_of("main"));
  CHECK(hues.of(chart.texts.find("Explore")).hue == hue_of("Explore"));
}

TEST_CASE("a colour that a log gives an agent is its colour, with a label that can be read on it") {
  const Chart chart = Charted({{.id = "a", .agent = "main", .colour = "#00ff00"},
                               {.id = "b", .agent = "Explore", .colour = "no colour"}})
                          .chart();
  CHECK(Hues(chart).own_style() ==
        fmt::format(".xt .h{0}{{fill:#00FF00}}.xt .on{0}{{fill:#000}}", hue_of("main")));
}

TEST_CASE("of two names that want one colour the one that all pictures know has it") {
  std::string rival;
  for (char c = 'a'; rival.empty(); ++c)
    if (hue_of({&c, 1}) == hue_of("main")) rival = c;
  const Chart chart =
      Charted(
          {{"a", 1, 1, {}, rival}, {"b", 2, 1, {}, rival}, {"c", 3, 1}, {"d", 4, 1, {}, "span"}})
          .chart();
  const Hues hues(chart);
  CHECK(hues.of(chart.texts.find("main")).hue == hue_of("main"));
  CHECK(hues.of(chart.texts.find(rival)).hue == (hue_of("main") + 1) % kHues);
  CHECK(hues.of(chart.texts.find("span")).hue == kGreyHue);
  CHECK(hues.of(chart.texts.find("span")).letter.empty());
}

TEST_CASE("two names that want one colour have two, and the ninth is grey with a letter") {
  std::vector<std::string> names;
  std::vector<Charted::Node> nodes;
  names.reserve(20);
  for (char c = 'a'; c < 'a' + 10; ++c) {
    const std::string_view name = names.emplace_back(1, c);
    nodes.push_back({names.emplace_back("id") += c, c, 1, {}, name});
  }
  const Chart chart = Charted(nodes).chart();
  const Hues hues(chart);
  std::set<uint32_t> seen;
  for (const Hues::Name& name : hues.names()) seen.insert(name.hue);
  CHECK(seen.size() == 9);
  CHECK(hues.names()[8].letter == "A");
  CHECK(hues.names()[9].letter == "B");
}

TEST_CASE("a picture of any run fits a page") {
  for (size_t many : {0, 1, 2, 50, 700, 5000}) {
    CAPTURE(many);
    Chart chart = busy_chart(many);
    check_page(causes_picture(chart, Chart::kNone));
    if (many > 0) check_page(causes_picture(chart, 0));
    check_page(actors_picture(chart));
    const std::string timeline = timeline_picture(chart, {title_of(chart), sums_of(chart), {}});
    check_page(timeline);
    CHECK(count_of(timeline, "<g>") <= 2000 + 1200);
  }
}

TEST_CASE("a subagent of which only its report tells is no call") {
  Chart chart = Charted({{"call1", 0, 2, {}, "main", "a.jsonl:1", "ok"},
                         {"call2", 2, 2, {}, "Explore", "a.jsonl:2", "not_recorded"}})
                    .chart();
  const std::string svg = timeline_picture(chart, {title_of(chart), sums_of(chart), {}});
  CHECK(contains(svg, "1 step · 2 actors"));
  CHECK(contains(svg, "not in the log"));
}

TEST_CASE("a long pause is folded, and told") {
  Chart chart = Charted({{"a", 0, 100}, {"b", 50000, 100}}).chart();
  const std::string svg = timeline_picture(chart, {title_of(chart), sums_of(chart), {}});
  CHECK(contains(svg, "13h51m"));
  CHECK(contains(svg, "1 idle gap collapsed"));
  const FoldedTime time(chart);
  REQUIRE(time.breaks().size() == 1);
  for (int64_t moment : {0L, 99'000'000L, 50'000'000'000L, 50'090'000'000L})
    CHECK(time.moment(time.place(moment)) == moment);
}

TEST_CASE("agents of one call each share the lane of their type where they are many") {
  std::vector<std::string> ids;
  std::vector<Charted::Node> nodes = {{"main", 0, 100}};
  ids.reserve(20);
  for (int i = 0; i < 20; ++i)
    nodes.push_back({ids.emplace_back("n" + std::to_string(i)), i, 1, {}, "helper"});
  Chart chart = Charted(nodes).chart();
  for (Chart::Mark& mark : chart.marks) {
    mark.agent_type = mark.agent;
    mark.agent = mark.id;
  }
  chart.lanes.clear();
  lay_lanes(chart);
  REQUIRE(chart.lanes.size() == 21);
  CHECK(contains(timeline_picture(chart, {title_of(chart), sums_of(chart), {}}),
                 "20 agents with one step each share the lane of their type"));
  CHECK(chart.lanes.size() == 2);
}

TEST_CASE("an arrow to what began while its cause ran leads straight down, where that began") {
  Chart chart =
      Charted({{"call", 0, 100}, {"child", 50, 10, "call", "Explore"}}, {{"call", "child"}})
          .chart();
  const std::string svg = timeline_picture(chart, {title_of(chart), sums_of(chart), {}});
  static const std::regex kLine(R"re(<path d="M(\d+) \d+L(\d+) \d+" class="arrow"/>)re");
  std::smatch line;
  REQUIRE(std::regex_search(svg, line, kLine));
  CHECK(line[1] == line[2]);
}

TEST_CASE("names in a picture are nothing but text") {
  Chart chart =
      Charted({{"<script>alert(1)</script>", 1, 5, {}, "a\"><image href='x'/>\x1b[2J\u202e"},
               {"&x;", 7, 5, "<script>alert(1)</script>", "]]>"}})
          .chart();
  for (const std::string& svg : {causes_picture(chart, 0), actors_picture(chart),
                                 timeline_picture(chart, {title_of(chart), sums_of(chart), {}})}) {
    CHECK_FALSE(contains(svg, "<script"));
    CHECK_FALSE(contains(svg, "<image"));
    CHECK_FALSE(contains(svg, "\x1b"));
    CHECK_FALSE(contains(svg, "\u202e"));
    CHECK_FALSE(contains(svg, "]]>"));
  }
}

TEST_CASE("what does not fit is cut by the columns that characters take") {
  CHECK(width_of("宽宽", 10) == width_of("abcd", 10));
  CHECK(fitted("abcdefgh", width_of("abcd", 10), 10) == "abc…");
  CHECK(fitted("宽宽宽宽", width_of("abcd", 10), 10) == "宽…");
  CHECK(fitted("abc", 0, 10).empty());
}
