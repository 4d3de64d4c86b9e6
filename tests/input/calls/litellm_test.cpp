#include <fmt/format.h>

#include <catch2/catch.hpp>

#include "reading.h"

using namespace xtrace;

TEST_CASE("a trace of LiteLLM is a session where several calls are of it") {
  const char* name = GENERATE("trace_id", "session_id");
  const auto call = [&](const char* id, const char* trace, int second) {
    return fmt::format(
        R"({{"id":"{}","{}":"{}","call_type":"acompletion","status":"success",)"
        R"("startTime":{},"endTime":{},"response_cost":0.1,"prompt_tokens":1,)"
        R"("completion_tokens":1,"model":"m","messages":[{{"role":"user","content":"{}"}}]}})"
        "\n",
        id, name, trace, 1790000000 + second, 1790000001 + second, id);
  };
  const Trace trace = read_log(call("a", "s1", 0) + call("b", "s2", 5) + call("c", "s1", 10) +
                               call("d", "made-up", 15) + call("e", "s2", 20));
  std::string sessions;
  for (const Call& call : trace.calls) sessions += fmt::format("{} ", trace[call.session]);
  CHECK(sessions == "s1 s2 s1  s2 ");
}
