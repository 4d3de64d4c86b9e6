#include <catch2/catch.hpp>

#include "reading.h"

using namespace xtrace;

TEST_CASE("a trajectory of mini-swe-agent tells costs as its gateway does, and of the whole run") {
  const Trace trace = read_log(
      R"({"trajectory_format":"mini-swe-agent-1","info":{"model_stats":{"instance_cost":0.75,"api_calls":2}},)"
      R"("messages":[{"role":"user","content":"mend"},)"
      R"({"role":"assistant","content":"so","extra":{"response":{"id":"a","created":1767261600,)"
      R"("model":"large","usage":{"prompt_tokens":5,"completion_tokens":2,"total_tokens":7,"cost":0.25}}}}]})");
  REQUIRE(trace.calls.size() == 1);
  CHECK(trace.calls[0].cost == 250'000'000);
  CHECK(trace.calls[0].start == Time(std::chrono::seconds(1767261600)));
  REQUIRE(trace.session_totals.size() == 1);
  CHECK(trace.session_totals[0].cost == 750'000'000);
  CHECK(trace.session_totals[0].calls == 2);
}
