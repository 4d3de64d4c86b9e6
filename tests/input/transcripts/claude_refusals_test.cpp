#include <catch2/catch.hpp>

#include "link/activities/call_turns.h"
#include "link/graph/graph.h"
#include "reading.h"
#include "story.h"
#include "transcript.h"

using namespace xtrace;

namespace {

Graph graph_of_refusal(const Transcript& session) {
  return link(read_log(session.text()), {});
}

uint32_t turns_in(const Graph& graph) {
  return turns_of_calls(graph).back().number;
}

/// An answer that the model broke off.
Transcript& refuses(Transcript& session) {
  return session.line(
      "a1", "assistant",
      R"("requestId":"req_m1","message":{"id":"m1","role":"assistant","model":"large",)"
      R"("content":[{"type":"text","text":"I"}],"stop_reason":"refusal","usage":{"input_tokens":10}})");
}

const std::string kFallback =
    R"("subtype":"model_refusal_fallback","originalModel":"large","fallbackModel":"small")";

}  // namespace

TEST_CASE("what follows an answer that was refused is another attempt at the same") {
  Transcript session;
  refuses(session.user("u1", "go"));
  SECTION("at once") {}
  SECTION("behind the note that another model is asked") {
    session.line("s1", "system", kFallback);
  }
  SECTION("from the prompt on") {
    session.line("s1", "system", kFallback).after("u1");
  }
  session.answer("a2", "m2", says("done"));
  const Graph graph = graph_of_refusal(session);
  CHECK(links_of(graph) == "req_m1->req_m2 retry 1.00 attempt 2");
  CHECK(turns_in(graph) == 1);
}

TEST_CASE("a model that refused is an attempt that failed where its answer was taken out") {
  Transcript session;
  session.user("u1", "go").line("s1", "system", kFallback + R"(,"direction":"retry")");
  session.answer("a2", "m2", says("done"));
  const Graph graph = graph_of_refusal(session);
  CHECK(ids_of(graph) == "s1 req_m2");
  CHECK(links_of(graph) == "s1->req_m2 retry 1.00 attempt 2");
  const Trace& trace = graph.trace();
  CHECK(trace[trace.calls[0].model] == "large");
  CHECK(trace[trace.calls[0].error] == "refusal");
}

TEST_CASE("a note that goes back to the first model is no attempt") {
  Transcript session;
  session.user("u1", "go").line("s1", "system", kFallback + R"(,"direction":"revert")");
  session.answer("a2", "m2", says("done"));
  CHECK(ids_of(graph_of_refusal(session)) == "req_m2");
}

TEST_CASE("what a user says behind an answer that was refused begins a turn") {
  Transcript session;
  refuses(session.user("u1", "go")).user("u2", "go on").answer("a2", "m2", says("done"));
  const Graph graph = graph_of_refusal(session);
  CHECK(links_of(graph) == "req_m1->req_m2 continuation 1.00");
  CHECK(turns_in(graph) == 2);
}
