#include <catch2/catch.hpp>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

#include "made_log.h"
#include "reading.h"
#include "render/renderer.h"
#include "set.h"
#include "transcript.h"
#include "view/common/view.h"
#include "view/stats/grouping.h"

using namespace xtrace;

namespace {

struct Answer {
  nlohmann::json json;
  bool is_no = false;
};

Answer report(const Graph& graph, const std::multimap<std::string, std::string>& options) {
  const std::unique_ptr<View> view = find_view("report")->make();
  Set set(options);
  view->declare(set);
  Preparation preparation;
  REQUIRE(view->prepare(preparation));
  Door door(Redaction::all, Door::Level::basic, 200);
  for (const Renderer& renderer : renderers()) {
    if (renderer.name != "json") continue;
    Result<Document> document = view->answer({graph, door, renderer.face});
    std::ostringstream out;
    renderer.write(document.value(), Paper{}, out);
    return {nlohmann::json::parse(out.str()), document->is_no()};
  }
  return {};
}

/// In billionths of a dollar, as sums of binary fractions are not exact.
int64_t billionths(const nlohmann::json& row) {
  return std::llround(row.value("cost_usd", 0.0) * 1e9);
}

/// Priced calls with skills, servers, commands and a subagent.
std::string priced_log() {
  Transcript log;
  log.user("u1", "<command-name>/review</command-name>");
  log.answer("a1", "m1",
             uses("t1", "mcp__shop__get") + "," + uses("t2", "mcp__bank__pay") + "," +
                 uses("t3", "Skill", R"({"skill":"pdf"})"),
             77);
  log.result("r1", "t1").result("r2", "t2").result("r3", "t3");
  log.answer("a2", "m2", spawns("t4", "Explore", "Look."), 101);
  Transcript inside;
  inside.within("t4", "x", "Look.").at(6).answer("s1", "m3", uses("t5", "mcp__shop__get"), 33);
  log.raw(inside.text()).at(8).result("r4", "t4").answer("a3", "m4", says("Done."), 5);
  std::string text = log.text();
  for (size_t at = 0; (at = text.find("claude-m\"", at)) != std::string::npos;)
    text.replace(at, 8, "claude-opus-4-5-20251101");
  return text;
}

}  // namespace

TEST_CASE("the rows of a report add up to its total, whatever they are of") {
  std::vector<std::string> logs = {priced_log()};
  for (uint32_t seed : {1u, 2u, 3u}) logs.push_back(make_log({.seed = seed}).text());
  for (const std::string& log : logs) {
    const Graph graph = link(read_log(log), {});
    for (std::string_view by : stats_by_words()) {
      CAPTURE(by);
      const nlohmann::json told = report(graph, {{"--by", std::string(by)}}).json;
      const nlohmann::json& total = told["totals"];
      int64_t cost = 0, tokens = 0, uses = 0;
      for (const nlohmann::json& row : told["groups"]) {
        cost += billionths(row);
        if (row.contains("tokens")) tokens += row["tokens"].value("total", int64_t{0});
        uses += row["tool_uses"].get<int64_t>();
      }
      CHECK(cost == billionths(total));
      CHECK(tokens == total["tokens"].value("total", int64_t{0}));
      CHECK(uses == total["tool_uses"].get<int64_t>());
    }
  }
}

TEST_CASE("what is attributed and what is not make the total") {
  const Graph graph = link(read_log(priced_log()), {});
  for (const char* by : {"tool", "mcp", "file", "skill", "command", "hook", "spawner"}) {
    CAPTURE(by);
    const nlohmann::json total = report(graph, {{"--by", by}}).json["totals"];
    const nlohmann::json& attributed = total["attributed"];
    CHECK(billionths(attributed) + std::llround(attributed.value("rest_usd", 0.0) * 1e9) ==
          billionths(total));
  }
}

TEST_CASE("a report is of days if nothing else is asked for") {
  const Graph graph = link(read_log(priced_log()), {});
  const nlohmann::json told = report(graph, {}).json;
  REQUIRE(told["groups"].size() == 1);
  CHECK(told["groups"][0]["by"] == "day");
  CHECK(told["groups"][0]["name"] == "2026-02-01");
}

TEST_CASE("a budget that is exceeded is a no, and names the day") {
  const Graph graph = link(read_log(priced_log()), {});
  const Answer kept = report(graph, {{"--budget", "1/day"}});
  CHECK_FALSE(kept.is_no);
  CHECK(kept.json["over_budget"].empty());
  const Answer exceeded = report(graph, {{"--budget", "0.001"}});
  CHECK(exceeded.is_no);
  REQUIRE(exceeded.json["over_budget"].size() == 1);
  CHECK(exceeded.json["over_budget"][0]["period"] == "2026-02-01");
}

TEST_CASE("a budget is an amount and a period") {
  const std::unique_ptr<View> view = find_view("report")->make();
  for (const char* wrong : {"much", "5/hour", "-1/day", "5/", "5/project"}) {
    CAPTURE(wrong);
    Set set(std::multimap<std::string, std::string>{{"--budget", wrong}});
    view->declare(set);
    Preparation preparation;
    CHECK_FALSE(view->prepare(preparation));
  }
}

TEST_CASE("weeks are those of ISO 8601") {
  const auto week = [](std::string_view text) {
    return period_of(parse_time(text).value().time, StatsBy::week, Zone());
  };
  CHECK(week("2026-03-02T00:00:00Z") == "2026-W10");
  CHECK(week("2026-03-01T23:59:59Z") == "2026-W09");
  CHECK(week("2027-01-03T12:00:00Z") == "2026-W53");
  CHECK(week("2024-12-30T12:00:00Z") == "2025-W01");
}
