#include <catch2/catch.hpp>

#include "link/calls/link.h"

using namespace xtrace;
using namespace std::chrono_literals;

namespace {

double sure(Rule rule, Duration gap = 0s, uint16_t rivals = 0) {
  Link link;
  link.rule = rule;
  link.gap = gap;
  link.rivals = rivals;
  return confidence(link);
}

}  // namespace

TEST_CASE("ids and equal messages prove") {
  for (Rule rule :
       {Rule::tool_use_id, Rule::messages_and_answer, Rule::same_messages, Rule::agent_id})
    CHECK(sure(rule, 5h) == 1.0);
}

TEST_CASE("equal messages are worth no more than one half beside an equal rival") {
  CHECK(sure(Rule::messages_and_answer, 0s, 1) == 0.5);
  CHECK(sure(Rule::same_messages, 0s, 1) == 0.5);
  CHECK(sure(Rule::rewritten, 0s, 1) == 0.48);
  CHECK(sure(Rule::messages, 0s, 2) == 0.32);
}

TEST_CASE("what stands in for a lost id, or for an answer nobody logged, nearly does") {
  CHECK(sure(Rule::prompt) == 0.99);
  CHECK(sure(Rule::echoed_history) == 0.95);
  CHECK(sure(Rule::messages) == 0.95);
}

TEST_CASE("a guess is worth less with every rival and every minute, never below 0.85") {
  CHECK(sure(Rule::type_and_time) == 0.95);
  CHECK(sure(Rule::type_and_time, 60min) == 0.90);
  CHECK(sure(Rule::type_and_time, 0s, 2) == 0.90);
  CHECK(sure(Rule::type_and_time, 60min, 2) == 0.85);
  CHECK(sure(Rule::type_and_time, 60min, 8) == 0.85);
  double last = 1;
  for (int minutes = 0; minutes <= 60; ++minutes) {
    double now = sure(Rule::type_and_time, std::chrono::minutes(minutes), 1);
    CHECK(now <= last);
    last = now;
  }
}

TEST_CASE("a wait that is unknown, or negative by a clock's fault, is no wait") {
  CHECK(sure(Rule::type_and_time, kNoDuration) == 0.95);
  CHECK(sure(Rule::type_and_time, -5s) == 0.95);
}
