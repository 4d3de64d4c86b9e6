#include "view/calls/session_state.h"

#include <catch2/catch.hpp>

#include "reading.h"
#include "transcript.h"

using namespace xtrace;

namespace {

/// What the only session of a transcript was doing at its end, some time later.
std::string words_after(const Transcript& transcript, Duration later) {
  const Graph graph = link(read_log(transcript.text()), {});
  REQUIRE(graph.sessions().size() == 1);
  const SessionState state = SessionStates(graph).of(graph.sessions()[0]);
  return state_words(state, state.tool, after(state.since, later));
}

Transcript asked() {
  Transcript transcript;
  transcript.user("u1", "Count the beans.");
  return transcript;
}

}  // namespace

using namespace std::chrono_literals;

TEST_CASE("a tool without a result is what a session works on") {
  Transcript one = asked().answer("a1", "m1", uses("t1", "Bash"));
  CHECK(words_after(one, 12s) == "working 12s on Bash");
  CHECK(words_after(one, 59min) == "working 59m on Bash");
  CHECK(words_after(one, 3h) == "stopped 3h ago on Bash");
  Transcript two = asked().answer("a1", "m1", uses("t1", "Read")).result("r1", "t1");
  CHECK(words_after(two, 5s) == "working 5s");
}

TEST_CASE("of several tools the one without a result is still at work") {
  Transcript transcript = asked()
                              .answer("a1", "m1", uses("t1", "Read"))
                              .answer("a2", "m1", uses("t2", "Grep"))
                              .result("r1", "t1");
  CHECK(words_after(transcript, 7s) == "working 7s on Grep");
}

TEST_CASE("after its last reply a session waits for the user, and is done after an hour") {
  Transcript transcript = asked().answer("a1", "m1", says("There are twelve."));
  CHECK(words_after(transcript, 4min) == "waiting for you 4m");
  CHECK(words_after(transcript, 60min) == "waiting for you 1h");
  CHECK(words_after(transcript, 61min) == "done 1h ago");
  CHECK(words_after(transcript, 49h) == "done 2d ago");
  CHECK(words_after(transcript, -5s) == "waiting for you 0s");
}
