#include <fmt/format.h>

#include <algorithm>
#include <catch2/catch.hpp>

#include "by_line.h"
#include "reading.h"
#include "reread.h"

using namespace xtrace;

namespace {

const std::string kInit =
    R"({"type":"init","timestamp":"2026-01-01T10:00:00Z","session_id":"s","model":"flash"})"
    "\n"
    R"({"type":"message","timestamp":"2026-01-01T10:00:00Z","role":"user","content":"look"})"
    "\n";
const std::string kTool =
    R"({"type":"message","timestamp":"2026-01-01T10:00:02Z","role":"assistant","content":"I ","delta":true})"
    "\n"
    R"({"type":"message","timestamp":"2026-01-01T10:00:03Z","role":"assistant","content":"look","delta":true})"
    "\n"
    R"({"type":"tool_use","timestamp":"2026-01-01T10:00:03Z","tool_name":"read_file","tool_id":"t1","parameters":{"file_path":"a.txt"}})"
    "\n"
    R"({"type":"tool_result","timestamp":"2026-01-01T10:00:05Z","tool_id":"t1","status":"error","output":"none","error":{"type":"file_not_found","message":"none"}})"
    "\n";
const std::string kAnswer =
    R"({"type":"message","timestamp":"2026-01-01T10:00:08Z","role":"assistant","content":"no pears","delta":true})"
    "\n";
const std::string kResult =
    R"({"type":"result","timestamp":"2026-01-01T10:00:09Z","status":"success","stats":{"total_tokens":150,"input_tokens":120,"output_tokens":20,"cached":100,"input":20,"models":{"flash":{"total_tokens":150,"input_tokens":120,"output_tokens":20,"cached":100,"input":20}}}})"
    "\n";

}  // namespace

TEST_CASE("pieces of an answer and its tools are one call in a stream of Gemini CLI") {
  Folder folder;
  Progress progress;
  const std::string path = folder.write("run.jsonl", kInit + kTool + kAnswer + kResult);
  const Graph graph = link(load({path}, {}, progress).value(), {});
  const Trace& trace = graph.trace();
  CHECK(trace.sources.front().format == "gemini-cli");
  CHECK(complaints_of(trace) == "");
  REQUIRE(trace.calls.size() == 2);
  CHECK(trace[trace.calls[0].session] == "s");
  CHECK(trace[trace.calls[0].model] == "flash");
  CHECK(trace.calls[0].tokens == Tokens{});
  CHECK(trace.calls[1].start == trace.calls[0].start + std::chrono::seconds(5));
  CHECK(links_by_line(graph) == "3->7 tool_use_id error\n3->7 transcript");
  const Excerpt second = Excerpts(trace).of(trace.calls[1]);
  CHECK(second.prompt == "none");
  CHECK(second.answer == "no pears");
}

TEST_CASE("what a run of Gemini CLI used up is its session's, thoughts among the output") {
  const Trace trace = read_log(kInit + kAnswer + kResult);
  REQUIRE(trace.usage_statements.size() == 1);
  const UsageStatement& total = trace.usage_statements.front();
  CHECK(trace[total.session] == "s");
  CHECK(trace[total.model] == "flash");
  CHECK(total.tokens.input == 20);
  CHECK(total.tokens.cache_read == 100);
  CHECK(total.tokens.output == 30);
  CHECK(total.calls == kNoCount);
}

TEST_CASE("what a run of Gemini CLI used up is told without models by older versions") {
  const auto result = [](const char* stats) {
    return fmt::format(
        R"({{"type":"result","timestamp":"2026-01-01T10:00:09Z","status":"success","stats":{{{}}}}})"
        "\n",
        stats);
  };
  const Trace trace = read_log(
      kInit + kAnswer +
      result(
          R"("total_tokens":150,"input_tokens":120,"output_tokens":20,"cached":100,"input":20,"duration_ms":9,"tool_calls":0)"));
  REQUIRE(trace.usage_statements.size() == 1);
  const UsageStatement& total = trace.usage_statements.front();
  CHECK_FALSE(total.model);
  CHECK(total.tokens.input == 20);
  CHECK(total.tokens.cache_read == 100);
  CHECK(total.tokens.output == 30);
  CHECK(read_log(kInit + kAnswer + result(R"("total_tokens":0,"input_tokens":0)"))
            .usage_statements.empty());
}

TEST_CASE("a run of Gemini CLI that ended with an error has a call that failed") {
  const Trace trace = read_log(
      kInit +
      R"({"type":"result","timestamp":"2026-01-01T10:00:09Z","status":"error","error":{"type":"FatalAuthenticationError","message":"who are you"}})"
      "\n");
  REQUIRE(trace.calls.size() == 1);
  CHECK(trace.calls.front().outcome == Outcome::error);
  CHECK(trace[trace.calls.front().error] == "FatalAuthenticationError");
}

TEST_CASE("what a run of Gemini CLI ends with behind its last answer is that call's failure") {
  const std::string type = GENERATE("FatalTurnLimitedError", "FatalToolExecutionError");
  const bool is_answered = GENERATE(true, false);
  const Graph graph = link(
      read_log(
          kInit + kTool + (is_answered ? kAnswer : "") +
          R"({"type":"result","timestamp":"2026-01-01T10:00:09Z","status":"error","error":{"type":")" +
          type + R"(","message":"no"}})" + "\n"),
      {});
  // The model was asked with what the tool gave, and nobody answered: unless that is the limit.
  const bool is_asked = !is_answered && type == "FatalToolExecutionError";
  const std::vector<Call>& calls = graph.trace().calls;
  REQUIRE(calls.size() == (is_answered || is_asked ? 2 : 1));
  CHECK(calls.back().outcome == Outcome::error);
  CHECK(graph.trace()[calls.back().error] == type);
  if (calls.size() == 2) CHECK(calls.front().outcome == Outcome::ok);
}

TEST_CASE("a warning in a stream of Gemini CLI is no call") {
  const std::string warning =
      R"({"type":"error","timestamp":"2026-01-01T10:00:06Z","severity":"warning","message":"Loop detected"})"
      "\n";
  CHECK(read_log(kInit + kTool + warning + kAnswer).calls.size() == 2);
}

TEST_CASE("the document that Gemini CLI prints is its last answer, and what all calls used up") {
  const std::string log = R"({
 "session_id": "s",
 "response": "no pears",
 "stats": {"models": {"flash": {"api": {"totalRequests": 2}, "tokens": {"prompt": 120,
   "candidates": 20, "total": 150, "cached": 100, "thoughts": 10, "tool": 0}}},
   "tools": {"totalCalls": 1}}
})";
  Folder folder;
  Progress progress;
  SECTION("alone") {
    const Trace trace = load({folder.write("out.json", log)}, {}, progress).value();
    REQUIRE(trace.calls.size() == 1);
    CHECK(trace.sources.front().format == "gemini-cli");
    CHECK(trace.calls.front().tokens == Tokens{});
    CHECK(Excerpts(trace).of(trace.calls.front()).answer == "no pears");
    REQUIRE(trace.usage_statements.size() == 1);
    CHECK(trace.usage_statements.front().calls == 2);
    CHECK(trace.usage_statements.front().tokens.output == 30);
  }
  SECTION("beside the stream of the same run it says nothing new") {
    folder.write("out.json", log);
    folder.write("run.jsonl", kInit + kTool + kAnswer + kResult);
    const Trace trace = load({folder.path()}, {}, progress).value();
    CHECK(trace.calls.size() == 2);
    CHECK(std::ranges::count_if(trace.usage_statements, &UsageStatement::counts) == 1);
  }
}
