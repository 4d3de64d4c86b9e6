#include <catch2/catch.hpp>

#include "input/common/format.h"
#include "input/excerpt.h"
#include "link/graph/graph.h"
#include "reading.h"

using namespace xtrace;

TEST_CASE("records of one request id are one call, however they are torn up") {
  Trace trace = read_log(
      R"({"requestId":"r1","timestamp":"2026-01-01T10:00:00.000Z","model":"m","text":"First "})"
      "\n"
      R"({"requestId":"r2","timestamp":"2026-01-01T10:00:00.100Z","text":"other","tokensOut":7})"
      "\n"
      R"({"requestId":"r1","timestamp":"2026-01-01T10:00:00.300Z","token":"then "})"
      "\n"
      R"({"requestId":"r1","timestamp":"2026-01-01T10:00:00.200Z","tokens":["I ",{"text":"look "}]})"
      "\n");
  REQUIRE(trace.calls.size() == 2);
  const Call& call = trace.calls[0];
  CHECK(trace[call.id] == "r1");
  CHECK(trace[call.model] == "m");
  CHECK(call.tokens.output == 3);
  CHECK(call.duration == std::chrono::milliseconds(300));
  CHECK(trace.calls[1].duration == kNoDuration);
  CHECK(trace.calls[1].tokens.output == 7);
  CHECK(trace.sources[0].records == 4);
}

TEST_CASE("the chain of thought is read in order of time, with its blanks") {
  Folder folder;
  LoadOptions loading;
  Progress progress;
  Trace trace =
      load({folder.write("log.jsonl", R"({"requestId":"r","timestamp":2000000000,"token":" two"})"
                                      "\n"
                                      R"({"requestId":"r","timestamp":1000000000,"thought":"one"})"
                                      "\n")},
           loading, progress)
          .value();
  CHECK(Excerpts(trace).of(trace.calls[0]).answer == "one two");
}

TEST_CASE("a record that stands in a log twice counts once") {
  std::string line = R"({"requestId":"r","timestamp":"2026-01-01T10:00:00Z","token":"a"})"
                     "\n";
  Trace trace = read_log(line + line);
  CHECK(trace.calls[0].tokens.output == 1);
  CHECK(trace.sources[0].copies == 1);
}

TEST_CASE("a thought names its span, its task and what went wrong") {
  Trace trace = read_log(
      R"({"request_id":"r","timestamp":"2026-01-01T10:00:00Z","text":"x","spanId":"00Ab","taskId":7,)"
      R"("tokens":{"in":5,"out":6},"latencyMs":40,"costUsd":0.5,"error":{"type":"overloaded"}})"
      "\n");
  const Call& call = trace.calls[0];
  const TaskStep& task_step = trace[call.task_step];
  CHECK(trace[task_step.span] == "00ab");
  CHECK(trace[task_step.task] == "7");
  CHECK(call.tokens.input == 5);
  CHECK(call.tokens.output == 6);
  CHECK(call.cost == 500'000'000);
  CHECK(trace[call.error] == "overloaded");
  CHECK(trace.calls[0].outcome == Outcome::error);
}

TEST_CASE("what has a request id but no thought is none") {
  Result<Trace> trace =
      load_log(R"({"requestId":"r","timestamp":"2026-01-01T10:00:00Z","level":"info"})"
               "\n");
  REQUIRE(trace);
  CHECK(trace->calls.empty());
  CHECK(trace->sources[0].skipped == 1);
}

namespace {

std::string thought_of(const std::string& record) {
  Folder folder;
  LoadOptions loading;
  Progress progress;
  Trace trace = load({folder.write("log.jsonl", record + "\n")}, loading, progress).value();
  REQUIRE(trace.calls.size() == 1);
  return Excerpts(trace).of(trace.calls[0]).answer;
}

}  // namespace

TEST_CASE("a chain of thought may be a list, of texts or of steps") {
  const std::string begin = R"({"requestId":"r","timestamp":"2026-01-01T10:00:00Z",)";
  CHECK(thought_of(begin + R"("chainOfThought":["one",{"thought":"two"}]})") == "one\ntwo");
  CHECK(thought_of(begin + R"("steps":[{"thought":"one"},{"thought":"two","step":2}]})") ==
        "one\ntwo");
  CHECK(thought_of(begin + R"("thoughts":["one","two"],"summary":"one"})") == "one\ntwo");
  CHECK(thought_of(begin + R"("payload":{"text":"one"},"reflection":{"text":"two"}})") ==
        "one\ntwo");
}

TEST_CASE("what was asked, function calls and reflections are part of it") {
  const std::string begin = R"({"requestId":"r","timestamp":"2026-01-01T10:00:00Z",)";
  CHECK(thought_of(begin + R"("response":"done","prompt":"do it"})") == "do it\ndone");
  CHECK(thought_of(begin +
                   R"("thought":"look","functionCall":{"name":"read","arguments":{"a":1}}})") ==
        R"(look
read({"a":1}))");
  CHECK(thought_of(begin +
                   R"("function_call":{"name":"read","arguments":"{}"},"reflection":"no"})") ==
        "read({})\nno");
}

TEST_CASE("what an event tells below its payload is no thought") {
  Trace trace =
      read_log(R"({"type":"CodeFixApplied","requestId":"r","timestamp":"2026-01-01T10:00:00Z",)"
               R"("payload":{"taskId":"T","text":"patched"}})"
               "\n");
  CHECK(trace.calls.empty());
  CHECK(trace.spans.size() == 1);
}

TEST_CASE("a record that only --from takes for a thought is skipped if it names no call") {
  LoadOptions loading;
  loading.format = find_format("thought-log");
  Trace trace = read_log(
      R"({"compaction_summary":"r","timestamp":"2026-01-01T10:00:00Z","text":"x"})"
      "\n"
      R"({"requestId":"r","timestamp":"2026-01-01T99:00:00Z","text":"y","request_id":{"is":"r"}})"
      "\n",
      loading);
  REQUIRE(trace.calls.size() == 1);
  CHECK(trace[trace.calls[0].id] == "r");
  CHECK(complaints_of(trace) ==
        "unknown_record 1: a thought without a requestId; its call is unknown");
  CHECK(link(std::move(trace), {}).call_hops().all.size() == 1);
}
