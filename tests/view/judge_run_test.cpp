#include "view/judge_run.h"

#include <catch2/catch.hpp>

using namespace xtrace;

namespace {

const EdgeName kAsk{"user:u", "agent:desk", "principal_to_agent"};
const EdgeName kRead{"agent:desk", "resource:db", "agent_to_resource"};

std::vector<HopId> hops(size_t count) {
  std::vector<HopId> all;
  for (size_t i = 0; i < count; ++i) all.push_back(HopId(i));
  return all;
}

/// A desk that reads the database so often.
RunTraits usual(size_t reads) {
  RunTraits run;
  run.edges = {{kAsk, hops(1)}, {kRead, hops(reads)}};
  run.resources = {{"resource:db", hops(reads)}};
  run.paths = {{{"user:u", "agent:desk"}, hops(1)},
               {{"user:u", "agent:desk", "resource:db"}, hops(reads)}};
  run.targets = {{"agent:desk", {"resource:db"}}};
  run.depth = 2;
  return run;
}

Profile learned() {
  std::vector<RunTraits> runs;
  for (size_t i = 0; i < 20; ++i) runs.push_back(usual(1 + i % 3));
  return learn(runs);
}

std::string rules(const RunTraits& run) {
  std::string text;
  for (const Reason& reason : judge(run, learned()))
    text += (text.empty() ? "" : " ") + std::string(reason.rule);
  return text;
}

}  // namespace

TEST_CASE("a run like those that were learned is quiet") {
  for (size_t reads : {size_t{1}, size_t{2}, size_t{3}}) CHECK(rules(usual(reads)) == "");
  CHECK(level_of(score_of({})) == "ok");
}

TEST_CASE("each kind of deviation is found and named") {
  CHECK(rules(usual(9)) == "retry_storm");

  RunTraits run = usual(1);
  run.edges[{"agent:other", "agent:desk", "agent_to_agent"}] = hops(1);
  CHECK(rules(run) == "novel_edge");

  run = usual(1);
  run.resources["resource:safe"] = hops(1);
  CHECK(rules(run) == "novel_resource_access");

  run = usual(1);
  run.paths[{"user:u", "agent:other", "agent:desk"}] = hops(1);
  CHECK(rules(run) == "novel_path");

  run = usual(1);
  run.depth = 3;
  CHECK(rules(run) == "depth_exceeded");

  run = usual(1);
  run.targets["agent:desk"].insert("agent:other");
  CHECK(rules(run) == "fanout_exceeded");
}

TEST_CASE("weights add up to 100 at most, and give the level") {
  RunTraits run = usual(9);
  CHECK(score_of(judge(run, learned())) == 15);
  for (char c = 'a'; c < 'z'; ++c) run.resources[std::string("resource:") + c] = hops(1);
  CHECK(score_of(judge(run, learned())) == 100);
  CHECK(level_of(25) == "ok");
  CHECK(level_of(26) == "warn");
  CHECK(level_of(60) == "warn");
  CHECK(level_of(61) == "high");
}

TEST_CASE("a percentile lies between two values in proportion") {
  CHECK(percentile({}, 0.95) == 0);
  CHECK(percentile({7}, 0.95) == 7);
  CHECK(percentile({1, 2}, 0.5) == 1.5);
  CHECK(percentile({5, 1, 4, 2, 3}, 0.95) == Approx(4.8));
}

TEST_CASE("an agent may do what its card declares, by any name of it") {
  AgentCard card{"desk", {"tool:Read", "mail", "agent:search"}};
  CHECK(card.may("resource:tool:Read"));
  CHECK(card.may("resource:mail"));
  CHECK(card.may("agent:search"));
  CHECK_FALSE(card.may("agent:searcher"));
  CHECK_FALSE(card.may("resource:file:mail.txt"));
  CHECK_FALSE(card.may(":"));
}

TEST_CASE("overreach names the calls that no card declares; without a card nothing is known") {
  std::vector<CardVerdict> found = align(usual(2), {{"desk", {"mail"}}});
  REQUIRE(found.size() == 1);
  CHECK(found[0].verdict == CardVerdict::Verdict::overreach);
  REQUIRE(found[0].violations.size() == 1);
  CHECK(found[0].violations[0].first == kRead);
  CHECK(align(usual(2), {{"agent:desk", {"db"}}})[0].verdict == CardVerdict::Verdict::aligned);
  CHECK(align(usual(2), {})[0].verdict == CardVerdict::Verdict::unknown);
}
