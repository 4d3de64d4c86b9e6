#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>

#include "base/dollars.h"
#include "render/exported.h"
#include "transcript.h"

using namespace xtrace;

namespace {

using Json = nlohmann::json;

std::map<std::string, int64_t> stacks_of(const std::string& log, Weight weight) {
  Paper paper;
  paper.weight = weight;
  std::istringstream lines(exported("convert", "folded", log, paper));
  std::map<std::string, int64_t> stacks;
  for (std::string line; std::getline(lines, line);) {
    const size_t blank = line.rfind(' ');
    REQUIRE(blank != std::string::npos);
    CHECK(stacks.emplace(line.substr(0, blank), std::stoll(line.substr(blank + 1))).second);
  }
  return stacks;
}

int64_t sum_of(const std::map<std::string, int64_t>& stacks) {
  int64_t sum = 0;
  for (const auto& [stack, number] : stacks) sum += number;
  return sum;
}

}  // namespace

TEST_CASE("stacks add up to what stats says") {
  for (const char* fixture : {"trip.jsonl", "costs.jsonl", "waste.jsonl", "retries.jsonl",
                              "twins.jsonl", "waits.jsonl", "repeats.jsonl"}) {
    INFO(fixture);
    const std::string log = project_file(std::string("fixtures/") + fixture);
    const Json stats = Json::parse(exported("stats", "json", log));
    CHECK(format_dollars({sum_of(stacks_of(log, Weight::cost))}) ==
          format_dollars({std::llround(stats["totals"].value("cost_usd", 0.0) * 1e9)}));
    CHECK(sum_of(stacks_of(log, Weight::tokens)) == stats["totals"]["tokens"]["total"]);
    double ms = 0;
    for (const Json& operation : stats["operations"])
      if (operation.contains("duration")) ms += operation["duration"]["total_ms"].get<double>();
    // What a subagent does counts with it, and no more with the tool that started it.
    const double sum = static_cast<double>(sum_of(stacks_of(log, Weight::time))) / 1e6;
    if (stats["subagents"].empty())
      CHECK(sum == Approx(ms));
    else
      CHECK(sum < ms);
  }
}

TEST_CASE("a tool that started a subagent has the time that no call or tool of it took") {
  Transcript log;
  log.user("u1", "go");
  log.at(2).answer("a1", "m1", spawns("t1", "Explore", "look around"));
  log.within("t1", "w1", "look around");
  log.at(4).user("w1", "look around");
  log.at(7).answer("w2", "m2", says("found"));
  std::string lines = log.text();
  Transcript rest;
  rest.after("a1").at(10).result("u2", "t1");
  rest.at(11).answer("a2", "m3", says("done"));
  const std::map<std::string, int64_t> stacks = stacks_of(lines + rest.text(), Weight::time);
  for (const auto& [stack, time] : stacks)
    if (stack.ends_with(";Task")) CHECK(time == 5'000'000'000);
  CHECK(std::ranges::count_if(stacks,
                              [](const auto& one) { return one.first.ends_with(";Task"); }) == 1);
}

TEST_CASE("a subagent stands below the agent that started it") {
  const std::map<std::string, int64_t> stacks =
      stacks_of(project_file("fixtures/trip.jsonl"), Weight::cost);
  CHECK(stacks.at("lisbon-7b1e;main;Explore;claude-haiku-4-5-20251001") == 9'540'200);
  CHECK(stacks.at("lisbon-7b1e;main;claude-opus-4-5-20251101") == 107'935'000);
}

TEST_CASE("a hop has the time that none of its own took") {
  const std::map<std::string, int64_t> stacks =
      stacks_of(project_file("fixtures/trust.json"), Weight::time);
  CHECK(stacks.at("dinner-1;agent:concierge;agent:menu;resource:recipe-store") == 35'000'000);
  CHECK(stacks.at("dinner-1;agent:concierge;agent:menu;agent:booking") == 102'000'000);
}

TEST_CASE("no name ends a frame or a line") {
  std::string log = project_file("fixtures/trip.jsonl");
  for (size_t at = 0; (at = log.find("lisbon-7b1e", at)) != std::string::npos; at += 4)
    log.replace(at, 11, "a;b\\nc d");
  for (const auto& [stack, number] : stacks_of(log, Weight::cost))
    CHECK_THAT(stack, Catch::StartsWith("a,b\\x0ac d;"));
}
