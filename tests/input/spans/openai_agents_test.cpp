#include <catch2/catch.hpp>

#include "reading.h"

using namespace xtrace;

TEST_CASE(
    "the group of a trace of the Agents SDK is the session of its spans, wherever it is told") {
  const std::string told =
      R"({"object":"trace","id":"trace_01","workflow_name":"dig","group_id":"bed-7"})"
      "\n"
      R"({"object":"trace","id":"trace_02","workflow_name":"dig","group_id":null})"
      "\n";
  std::string spans;
  for (const char* trace : {"trace_01", "trace_02", "trace_01"})
    spans += std::string(R"({"object":"trace.span","id":"span_)") + std::to_string(spans.size()) +
             R"(","trace_id":")" + trace +
             R"(","parent_id":null,"started_at":"2026-01-01T10:00:00+00:00",)"
             R"("ended_at":"2026-01-01T10:00:01+00:00","error":null,)"
             R"("span_data":{"type":"agent","name":"gardener"}})"
             "\n";
  LoadOptions loading;
  loading.piece_bytes = GENERATE(0, 100);
  for (const std::string& log : {told + spans, spans + told}) {
    const Trace trace = read_log(log, loading);
    REQUIRE(trace.spans.size() == 3);
    CHECK(trace[trace.spans[0].session] == "bed-7");
    CHECK_FALSE(trace.spans[1].session);
    CHECK(trace[trace.spans[2].session] == "bed-7");
    CHECK(complaints_of(trace).empty());
  }
}
