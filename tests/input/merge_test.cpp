#include <catch2/catch.hpp>

#include "input/load.h"
#include "reading.h"

using namespace xtrace;

namespace {

std::string span(const std::string& id, const std::string& tags) {
  return R"({"traceId":"a)" + id + R"(","id":"b)" + id +
         R"(","timestamp":1700000000000000,"duration":5000,"localEndpoint":{"serviceName":"s)" +
         id + R"("},"tags":{"gen_ai.operation.name":"chat","error":"true",)" + tags + "}}\n";
}

}  // namespace

TEST_CASE("what a span says stays its own when several inputs are merged") {
  Folder folder;
  std::vector<std::string> paths = {
      folder.write("1.jsonl", span("1", R"("gen_ai.agent.name":"planner","error.type":"timeout")")),
      folder.write("2.jsonl", span("2", R"("error.type":"rate_limit_error")"))};
  Progress progress;
  Trace trace = load(paths, {}, progress).value();
  REQUIRE(trace.spans.size() == 2);
  const GenAi& first = trace[trace.spans[0].gen_ai];
  const GenAi& second = trace[trace.spans[1].gen_ai];
  CHECK(trace[first.agent] == "planner");
  CHECK(trace[first.error] == "timeout");
  CHECK_FALSE(second.agent);
  CHECK(trace[second.error] == "rate_limit_error");
}
