#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "by_line.h"
#include "link/graph/graph.h"
#include "reading.h"

using namespace xtrace;

namespace {

using Json = nlohmann::json;

std::string grok_update(int second, const char* kind, Json more) {
  more["sessionUpdate"] = kind;
  return Json({{"timestamp", 1788516000 + second},
               {"method", "session/update"},
               {"params", {{"sessionId", "9d01"}, {"update", std::move(more)}}}})
             .dump() +
         "\n";
}

Json grok_text(const char* words) {
  return {{"content", {{"type", "text"}, {"text", words}}}};
}

Json grok_usage(int output, int64_t ticks) {
  return {{"inputTokens", 2000},   {"outputTokens", output}, {"cachedReadTokens", 1500},
          {"reasoningTokens", 30}, {"modelCalls", 2},        {"costUsdTicks", ticks}};
}

std::string grok_turn(int output, int64_t ticks) {
  Json usage = grok_usage(output, ticks);
  usage["modelUsage"] = {{"grok-x", grok_usage(output, ticks)}};
  return grok_update(6, "turn_completed",
                     {{"prompt_id", "p1"}, {"stop_reason", "end_turn"}, {"usage", usage}});
}

std::string grok_updates() {
  return grok_update(0, "user_message_chunk", grok_text("prune it")) +
         grok_update(1, "agent_thought_chunk", grok_text("with shears")) +
         grok_update(2, "tool_call",
                     {{"toolCallId", "t1"},
                      {"title", "cut"},
                      {"rawInput", {{"branch", 2}}},
                      {"_meta", {{"x.ai/tool", {{"name", "shears"}}}}}}) +
         grok_update(3, "tool_call_update", {{"toolCallId", "t1"}, {"status", "in_progress"}}) +
         grok_update(
             4, "tool_call_update",
             {{"toolCallId", "t1"},
              {"status", "failed"},
              {"content",
               {{{"type", "content"}, {"content", {{"type", "text"}, {"text", "blunt"}}}}}}}) +
         grok_update(5, "agent_message_chunk", grok_text("They are ")) +
         grok_update(6, "agent_message_chunk", grok_text("blunt."));
}

const std::string kGrokHistory =
    R"({"type":"system","content":"You garden."})"
    "\n"
    R"({"type":"user","content":[{"type":"text","text":"<user_query>prune it</user_query>"}]})"
    "\n"
    R"({"type":"reasoning","id":"rs_1","summary":[],"status":"completed"})"
    "\n"
    R"({"type":"assistant","content":"","tool_calls":[{"id":"t1","name":"shears",)"
    R"("arguments":"{\"branch\":2}"}],"model_id":"grok-x"})"
    "\n"
    R"({"type":"tool_result","tool_call_id":"t1","content":"blunt"})"
    "\n"
    R"({"type":"assistant","content":"They are blunt.","model_id":"grok-x"})"
    "\n";

const std::string kGrokSummary =
    R"({"info":{"id":"9d01","cwd":"/srv/hedge"},"generated_title":"Prune","num_messages":4})";

Trace read_grok_session(bool has_updates, bool has_history) {
  Folder folder;
  Progress progress;
  if (has_updates)
    folder.write("9d01/updates.jsonl",
                 grok_updates() + grok_turn(80, 50) + grok_turn(90, 62000000));
  if (has_history) folder.write("9d01/chat_history.jsonl", kGrokHistory);
  folder.write("9d01/summary.json", kGrokSummary);
  return load({folder.path()}, {}, progress).value();
}

}  // namespace

TEST_CASE("two files of a session of Grok Build are one conversation") {
  const bool has_history = GENERATE(true, false);
  const Graph graph = link(read_grok_session(true, has_history), {});
  const Trace& trace = graph.trace();
  CHECK(complaints_of(trace) == "");
  for (const Source& source : trace.sources) CHECK(source.format == "grok");
  REQUIRE(trace.calls.size() == 2);
  CHECK(trace[trace.calls[0].session] == "9d01");
  CHECK(trace[trace.calls[0].model] == (has_history ? "grok-x" : ""));
  CHECK(trace.calls[0].duration == std::chrono::seconds(2));
  CHECK(trace.calls[1].duration == std::chrono::seconds(2));
  REQUIRE(graph.activities().tools_of(CallId(0)).size() == 1);
  CHECK(graph.activities().tools_of(CallId(0)).front().tool == "shears");
  CHECK(graph.activities().tools_of(CallId(0)).front().outcome == Outcome::error);
}

TEST_CASE("a turn of Grok Build that is stated again counts as it is stated last") {
  const Trace trace = read_grok_session(true, true);
  std::vector<UsageStatement> counted;
  for (const UsageStatement& row : trace.usage_statements)
    if (row.counts()) counted.push_back(row);
  REQUIRE(counted.size() == 1);
  CHECK(trace[counted[0].model] == "grok-x");
  CHECK(counted[0].calls == 2);
  CHECK(counted[0].cost == 6'200'000);
  CHECK(counted[0].tokens == Tokens{.input = 500, .output = 90, .cache_read = 1500});
}

TEST_CASE("the chat history of Grok Build alone is the conversation, without times") {
  const Graph graph = link(read_grok_session(false, true), {});
  const Trace& trace = graph.trace();
  CHECK(complaints_of(trace) == "");
  REQUIRE(trace.calls.size() == 2);
  CHECK(trace[trace.calls[0].session] == "9d01");
  CHECK(trace[trace.calls[1].model] == "grok-x");
  CHECK(trace.calls[0].start == kNoTime);
  CHECK(links_by_line(graph) == "4->6 tool_use_id\n4->6 transcript");
}
