#include <cmath>
#include <map>
#include <nlohmann/json.hpp>

#include "base/dollars.h"
#include "render/exported.h"

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
    CHECK(static_cast<double>(sum_of(stacks_of(log, Weight::time))) / 1e6 == Approx(ms));
  }
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
