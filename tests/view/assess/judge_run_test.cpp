#include "view/assess/judge_run.h"

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
  for (const Reason& reason : RunJudge(learned()).judge(run).reasons)
    text += (text.empty() ? "" : " ") + std::string(reason.rule);
  return text;
}

}  // namespace

TEST_CASE("a run like those that were learned is quiet") {
  for (size_t reads : {size_t{1}, size_t{2}, size_t{3}}) CHECK(rules(usual(reads)) == "");
  CHECK(level_of(score_of({})) == "ok");
}

TEST_CASE("a count is a storm beyond every learned run, or beyond twice what nearly all had") {
  Bound bound{4, 6, 0};
  CHECK_FALSE(bound.is_exceeded_by(4));
  CHECK_FALSE(bound.is_exceeded_by(6));
  CHECK(bound.is_exceeded_by(7));
  // A wild run among the learned hides no other.
  Bound wild{2, 50, 0};
  CHECK_FALSE(wild.is_exceeded_by(4));
  CHECK(wild.is_exceeded_by(5));
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
  CHECK(score_of(RunJudge(learned()).judge(run).reasons) == 15);
  for (char c = 'a'; c < 'z'; ++c) run.resources[std::string("resource:") + c] = hops(1);
  CHECK(score_of(RunJudge(learned()).judge(run).reasons) == 100);
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

namespace {

/// A desk that a user asks of whom only `shown` is shown.
RunTraits asked_by(const std::string& user, const std::string& shown) {
  RunTraits run = usual(1);
  run.edges = {{{user, "agent:desk", "principal_to_agent"}, hops(1)}, {kRead, hops(1)}};
  run.paths = {{{user, "agent:desk"}, hops(1)}, {{user, "agent:desk", "resource:db"}, hops(1)}};
  if (shown != user) run.replaced = {{user, shown}};
  return run;
}

const std::string kHidden = "user:[REDACTED:email]";

}  // namespace

TEST_CASE("who is hidden is neither new nor known: it is said that nobody can tell") {
  Profile hidden = learn({asked_by("user:ida@example.com", kHidden)});
  CHECK(names_in(hidden).contains(kHidden));
  CHECK_FALSE(names_in(hidden).contains("user:ida@example.com"));
  RunDeviations found = RunJudge(hidden).judge(asked_by("user:olaf@example.com", kHidden));
  CHECK(found.reasons.empty());
  CHECK(found.alike == std::vector{kHidden});
}

TEST_CASE("what is hidden where nothing was when it was learned is new") {
  RunDeviations found =
      RunJudge(learn({usual(1)})).judge(asked_by("user:olaf@example.com", kHidden));
  REQUIRE_FALSE(found.reasons.empty());
  CHECK(found.reasons[0].rule == "novel_edge");
  CHECK(found.reasons[0].edge.from == kHidden);
  CHECK(found.alike.empty());
}

TEST_CASE("a baseline that was learned with names in it tells hidden ones apart") {
  Profile open = learn({asked_by("user:ida@example.com", "user:ida@example.com")});
  CHECK(RunJudge(open).judge(asked_by("user:ida@example.com", kHidden)).reasons.empty());
  CHECK(RunJudge(open).judge(asked_by("user:ida@example.com", kHidden)).alike.empty());
  CHECK_FALSE(RunJudge(open).judge(asked_by("user:olaf@example.com", kHidden)).reasons.empty());
}

TEST_CASE("who is hidden in the input and may be someone learned is neither new nor known") {
  Profile open = learn({asked_by("user:ida@example.com", "user:ida@example.com")});
  const char* of_as_many = "user:[REDACTED:email:#0123456789abcdef.15]";
  RunDeviations found = RunJudge(open).judge(asked_by(of_as_many, kHidden));
  CHECK(found.reasons.empty());
  CHECK(found.unsure == std::vector{kHidden});
  CHECK(found.alike.empty());
}

TEST_CASE("who is hidden in the input and cannot be anyone learned is new") {
  Profile open = learn({asked_by("user:ida@example.com", "user:ida@example.com")});
  RunDeviations found =
      RunJudge(open).judge(asked_by("user:[REDACTED:email:#0123456789abcdef.9]", kHidden));
  REQUIRE_FALSE(found.reasons.empty());
  CHECK(found.reasons[0].rule == "novel_edge");
  CHECK(found.unsure.empty());
}

TEST_CASE("a hidden name that its card may declare is no overreach") {
  RunTraits run = usual(1);
  const std::string file = "resource:file:/home/[REDACTED:home:#0123456789abcdef.3]/a.md";
  run.edges[{"agent:desk", file, "agent_to_resource"}] = hops(1);
  AgentCard card{"desk", {"db", "file:/home/ida/a.md"}, 3};
  CardVerdict found = align(run, {card})[0];
  CHECK(found.verdict == CardVerdict::Verdict::unknown);
  CHECK(found.unsure == std::set{file});
  card.may_use = {"db", "file:/home/ida/b.md"};
  CHECK(align(run, {card})[0].verdict == CardVerdict::Verdict::overreach);
}

TEST_CASE("two who are hidden by the same words are one, and are still counted as two") {
  RunTraits run = usual(1);
  run.targets = {{"agent:desk", {"agent:a@example.com", "agent:b@example.com"}}};
  run.edges = {{{"agent:desk", "agent:a@example.com", "agent_to_agent"}, {HopId(0)}},
               {{"agent:desk", "agent:b@example.com", "agent_to_agent"}, {HopId(1)}}};
  RunTraits one =
      renamed(run, {{"agent:a@example.com", "agent:x"}, {"agent:b@example.com", "agent:x"}});
  REQUIRE(one.edges.size() == 1);
  CHECK(one.edges.begin()->second == hops(2));
  CHECK(one.targets.at("agent:desk").size() == 2);
}

TEST_CASE("an agent may do what its card declares, by any name of it") {
  AgentCard card{"desk", {"tool:Read", "mail", "agent:search"}, 3};
  CHECK(card.may("resource:tool:Read"));
  CHECK(card.may("resource:mail"));
  CHECK(card.may("agent:search"));
  CHECK_FALSE(card.may("agent:searcher"));
  CHECK_FALSE(card.may("resource:file:mail.txt"));
  CHECK_FALSE(card.may(":"));
}

TEST_CASE("overreach names the calls that no card declares; without a card nothing is known") {
  std::vector<CardVerdict> found = align(usual(2), {{"desk", {"mail"}, 3}});
  REQUIRE(found.size() == 1);
  CHECK(found[0].verdict == CardVerdict::Verdict::overreach);
  CHECK(found[0].line == 3);
  REQUIRE(found[0].violations.size() == 1);
  CHECK(found[0].violations[0].first == kRead);
  CHECK(align(usual(2), {{"agent:desk", {"db"}, 3}})[0].verdict == CardVerdict::Verdict::aligned);
  CHECK(align(usual(2), {})[0].verdict == CardVerdict::Verdict::unknown);
}

namespace {

Figure figure_of_costs() {
  return figure_of({0.10, 0.12, 0.15, 0.20, 0.25, 0.45});
}

}  // namespace

TEST_CASE("a figure far above what runs had is told") {
  Figure cost = figure_of_costs();
  CHECK(cost.least == 0.10);
  CHECK(cost.median == Approx(0.175));
  CHECK(cost.deviation == Approx(0.065));
  CHECK(cost.is_exceeded_by(4.2, 0.01));
  CHECK_FALSE(cost.is_exceeded_by(0.45, 0.01));
  CHECK_FALSE(cost.is_exceeded_by(0.5, 0.01));
}

TEST_CASE("runs that hardly differ make no storm of one call more") {
  Figure calls = figure_of({4, 4, 4, 4, 4});
  CHECK_FALSE(calls.is_exceeded_by(7, 1));
  CHECK(calls.is_exceeded_by(8, 1));
}

TEST_CASE("a figure is not judged by fewer than five runs") {
  CHECK_FALSE(figure_of({1, 1, 1, 1}).is_exceeded_by(1000, 1));
  CHECK(figure_of({1, 1, 1, 1, 1}).is_exceeded_by(1000, 1));
}

TEST_CASE("ten times the cost of the learned runs is by itself no ok") {
  Profile baseline = learn({usual(1), usual(2), usual(3)});
  baseline.figures[std::string(kCostFigure)] = figure_of_costs();
  RunTraits run = usual(1);
  run.figures[std::string(kCostFigure)] = 4.2;
  std::vector<Reason> reasons = RunJudge(baseline).judge(run).reasons;
  REQUIRE(reasons.size() == 1);
  CHECK(reasons[0].rule == "cost_exceeded");
  CHECK(level_of(score_of(reasons)) == "warn");
}

TEST_CASE("the evidence of a tool that is new is its first use") {
  std::vector<RunTraits> runs;
  for (size_t i = 0; i < 20; ++i) {
    runs.push_back(usual(1));
    runs.back().figures[std::string(kCallsFigure)] = 2;
    runs.back().tools["Read"] = 1;
  }
  RunTraits run = runs.front();
  run.tools["Bash"] = 1;
  run.first_uses["Bash"] = HopId(3);
  const std::vector<Reason> reasons = RunJudge(learn(runs)).judge(run).reasons;
  REQUIRE(reasons.size() == 1);
  CHECK(reasons.front().rule == "novel_tool");
  CHECK(reasons.front().hops == std::vector<HopId>{HopId(3)});
}
