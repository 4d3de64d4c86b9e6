#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <catch2/catch.hpp>

#include "link/graph/graph.h"
#include "reading.h"

using namespace xtrace;

namespace {

Trace thread(const std::string& messages, const std::string& events) {
  return read_log(R"({"id":"T-1","created":1767261600000,"messages":[)" + messages +
                  R"(],"usageLedger":{"events":[)" + events + "]}}");
}

const std::string kMessages =
    R"({"role":"user","messageId":0,"content":[{"type":"text","text":"dig"}]},)"
    R"({"role":"assistant","messageId":1,"state":{"type":"complete"},)"
    R"("content":[{"type":"text","text":"dug"}],"usage":{"model":"opus","inputTokens":9,"outputTokens":2}},)"
    R"({"role":"user","messageId":2,"content":[{"type":"text","text":"sow"}]},)"
    R"({"role":"assistant","messageId":3,"state":{"type":"complete"},"content":[{"type":"text","text":"sown"}]})";

}  // namespace

TEST_CASE("an answer of Amp that does not tell what it used up has it in the ledger") {
  const Trace trace = thread(
      kMessages,
      R"({"toMessageId":1,"model":"small","tokens":{"input":500,"output":500}},)"
      R"({"toMessageId":3,"model":"haiku","timestamp":"2026-01-01T10:00:04Z","tokens":{"input":7,"output":3}},)"
      R"({"toMessageId":3,"model":"small","operationType":"title","tokens":{"input":70,"output":30}})");
  REQUIRE(trace.calls.size() == 3);  // and its title
  CHECK(trace[trace.calls[0].model] == "opus");
  CHECK(trace.calls[0].tokens == Tokens{.input = 9, .output = 2});
  CHECK(trace[trace.calls[1].model] == "haiku");
  CHECK(trace.calls[1].tokens == Tokens{.input = 7, .output = 3});
}

namespace {

/// `9/2` for each call: what it was sent and put out.
std::string counts_of(const Trace& trace) {
  std::vector<std::string> counts;
  for (const Call& call : trace.calls)
    counts.push_back(fmt::format("{}/{}", call.tokens.input, call.tokens.output));
  std::ranges::sort(counts);
  return fmt::format("{}", fmt::join(counts, " "));
}

}  // namespace

TEST_CASE("what Amp's ledger counts for no message is a call by itself") {
  const Trace trace = thread(
      kMessages,
      R"({"model":"opus","tokens":{"input":9,"output":2}},)"  // the first answer's own
      R"({"toMessageId":3,"model":"opus","tokens":{"input":7,"output":3}},)"
      R"({"toMessageId":3,"model":"small","operationType":"title","tokens":{"input":70,"output":30}},)"
      R"({"model":"opus","tokens":{"input":100,"output":50}})");
  CHECK(counts_of(trace) == "100/50 7/3 70/30 9/2");
  CHECK(trace.usage_statements.empty());
}

TEST_CASE("what Amp's ledger counts for no message is no answer's that has no id") {
  const bool tells = GENERATE(true, false);
  const std::string usage = R"(,"usage":{"model":"opus","inputTokens":9,"outputTokens":2})";
  const Trace trace = thread(
      std::string(R"({"role":"user",)") + (GENERATE(true, false) ? R"("messageId":0,)" : "") +
          R"("content":[{"type":"text","text":"dig"}]},)"
          R"({"role":"assistant","state":{"type":"complete"},"content":[{"type":"text","text":"dug"}])" +
          (tells ? usage : "") + "}",
      R"({"model":"opus","operationType":"inference","tokens":{"input":30,"output":3}},)"
      R"({"model":"opus","operationType":"inference","tokens":{"input":9,"output":2}})");
  CHECK(counts_of(trace) == (tells ? "30/3 9/2" : "-1/-1 30/3 9/2"));
}

TEST_CASE("an event of Amp's ledger that counts nothing is told") {
  const Trace trace = thread(kMessages, R"({"model":"opus","credits":3},{"credits":2})");
  CHECK(complaints_of(trace) ==
        "field 1: usage ledger events that match no message and are not counted: 2");
  CHECK(trace.usage_statements.empty());
}

TEST_CASE("a tool of Amp that still runs has given nothing") {
  const Trace trace = thread(
      R"({"role":"user","messageId":0,"content":[{"type":"text","text":"dig"}]},)"
      R"({"role":"assistant","messageId":1,"state":{"type":"complete"},"content":[)"
      R"({"type":"tool_use","id":"a","name":"Bash","input":{}},{"type":"tool_use","id":"b","name":"Bash","input":{}}]},)"
      R"({"role":"user","messageId":2,"content":[{"type":"tool_result","toolUseID":"a","run":{"status":"in-progress"}},)"
      R"({"type":"tool_result","toolUseID":"b","run":{"status":"done","result":"x"}}]})",
      "");
  REQUIRE(trace.tool_results.size() > 0);
  for (const ToolResult& result : trace.tool_results) CHECK(trace[result.tool_use] == "b");
}

TEST_CASE("a command of Amp that ended with a code fails, though it is done") {
  const auto fails = [](const std::string& result) {
    const Trace trace =
        thread(R"({"role":"user","messageId":0,"content":[{"type":"text","text":"dig"}]},)"
               R"({"role":"assistant","messageId":1,"state":{"type":"complete"},"content":[)"
               R"({"type":"tool_use","id":"t","name":"Bash","input":{}}]},)"
               R"({"role":"user","messageId":2,"content":[{"type":"tool_result","toolUseID":"t",)"
               R"("run":{"status":"done","result":)" +
                   result + "}}]}",
               "");
    REQUIRE_FALSE(trace.tool_results.empty());
    return trace.tool_results.back().is_error;
  };
  CHECK(fails(R"({"output":"bad","exitCode":2})"));
  CHECK_FALSE(fails(R"({"output":"well","exitCode":0})"));
  CHECK_FALSE(fails(R"("exitCode 2")"));
}

TEST_CASE("a thread of Amp whose messages have no ids is one where answers tell their use") {
  const Trace trace =
      read_log(R"({"id":"T-1","created":1767261600000,"messages":[{"role":"user","content":"hi"},)"
               R"({"role":"assistant","usage":{"model":"m","inputTokens":10,"outputTokens":178,)"
               R"("cacheCreationInputTokens":986,"cacheReadInputTokens":11372,)"
               R"("timestamp":"2026-01-19T11:42:10.652Z"}}]})");
  REQUIRE(trace.calls.size() == 1);
  CHECK(trace.calls[0].tokens ==
        Tokens{.input = 10, .output = 178, .cache_read = 11372, .cache_creation = 986});
}

TEST_CASE("a copy of a thread of Amp counts once, though results have no times") {
  const std::string whole = project_file("fixtures/agents/amp.json");
  Folder folder;
  folder.write("T-51ab0000-0000-4000-8000-000000000001.json", whole);
  folder.write("backup/T-51ab0000-0000-4000-8000-000000000001.json", whole);
  LoadOptions loading;
  Progress progress;
  const Trace trace = load({folder.path()}, loading, progress).value();
  CHECK(trace.calls.size() == read_log(whole).calls.size());
}
