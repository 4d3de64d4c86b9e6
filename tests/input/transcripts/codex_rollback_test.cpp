#include <catch2/catch.hpp>

#include "by_line.h"
#include "input/transcripts/rollout.h"

using namespace xtrace;

namespace {

Rollout& takes_back(int turns, Rollout& log) {
  return log.line("event_msg", {{"type", "thread_rolled_back"}, {"num_turns", turns}});
}

Rollout two_turns() {
  Rollout log;
  log.opens("s").said("user", "<environment_context>").said("user", "one").said("assistant", "1");
  log.said("user", "two").uses("c1", "shell", "{}").gives("c1", "ok").said("assistant", "2");
  return log;
}

}  // namespace

TEST_CASE("a turn that Codex took back is not what the next one goes on from") {
  Rollout log = two_turns();
  takes_back(1, log).said("user", "three").said("assistant", "3");
  const Graph graph = graph_of({log.text()});
  REQUIRE(graph.trace().calls.size() == 4);
  CHECK(graph.trace().calls[3].message_count == 4);
  CHECK(links_by_line(graph) ==
        "4->6 transcript\n6->8 tool_use_id\n6->8 transcript\n4->11 transcript");
  CHECK(graph.sessions().size() == 1);
}

TEST_CASE("all turns that Codex took back leave what stood before the first") {
  Rollout log = two_turns();
  takes_back(GENERATE(2, 9), log).said("user", "three").said("assistant", "3");
  const Graph graph = graph_of({log.text()});
  REQUIRE(graph.trace().calls.size() == 4);
  CHECK(graph.trace().calls[3].message_count == 2);
}

TEST_CASE("a turn that Codex took back before it was answered is gone as well") {
  Rollout log = two_turns();
  log.said("user", "never mind");
  takes_back(1, log).said("user", "three").said("assistant", "3");
  const Graph graph = graph_of({log.text()});
  REQUIRE(graph.trace().calls.size() == 4);
  CHECK(graph.trace().calls[3].message_count == 8);
}

TEST_CASE("a Codex rollout may take back turns again and again") {
  Rollout log = two_turns();
  takes_back(1, log).said("user", "three").said("assistant", "3");
  takes_back(2, log).said("user", "four").said("assistant", "4");
  const Graph graph = graph_of({log.text()});
  REQUIRE(graph.trace().calls.size() == 5);
  CHECK(graph.trace().calls[4].message_count == 2);
}

TEST_CASE("prompts that Codex took back one by one leave those before them") {
  Rollout log = two_turns();
  log.said("user", "three").said("user", "four").said("user", "five");
  takes_back(1, log);
  takes_back(1, log).said("user", "six").said("assistant", "6");
  const Graph graph = graph_of({log.text()});
  REQUIRE(graph.trace().calls.size() == 4);
  CHECK(graph.trace().calls[3].message_count == 9);
}
