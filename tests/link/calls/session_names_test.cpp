#include "link/calls/session_names.h"

#include <catch2/catch.hpp>

#include "link/graph/graph.h"
#include "reading.h"
#include "transcript.h"

using namespace xtrace;

TEST_CASE("the source of a session is the agent product whose format it has") {
  Transcript log;
  log.user("u1", "Go.").answer("a1", "m1", says("Done."));
  const Graph graph = link(read_log(log.text()), {});
  REQUIRE(graph.sessions().size() == 1);
  CHECK(source_of(graph.trace(), graph.sessions().front()) == "claude-code");
}

TEST_CASE("a session without calls has no source") {
  const Graph graph = link(read_log(""), {});
  CHECK(source_of(graph.trace(), Session{}).empty());
}
