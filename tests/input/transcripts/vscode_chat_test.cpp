#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "by_line.h"
#include "reading.h"
#include "reread.h"

using namespace xtrace;

namespace {

using Json = nlohmann::json;

constexpr int64_t kStart = 1'767'261'600'000;  // 2026-01-01T10:00:00Z

Json tool_part(const char* id, const char* tool, Json more) {
  Json part = {{"kind", "toolInvocationSerialized"},
               {"toolCallId", id},
               {"toolId", tool},
               {"isComplete", true},
               {"isConfirmed", {{"type", 1}}}};
  part.update(more);
  return part;
}

Json command(int exit_code) {
  return {{"toolSpecificData",
           {{"kind", "terminal"},
            {"terminalCommandState",
             {{"exitCode", exit_code}, {"timestamp", kStart + 2000}, {"duration", 1500}}},
            {"terminalCommandOutput", {{"text", "1 failed"}}}}}};
}

Json round(const char* id, const char* says, int second, Json calls = Json::array()) {
  return {
      {"id", id}, {"response", says}, {"toolCalls", calls}, {"timestamp", kStart + second * 1000}};
}

Json call_of(const char* id, const char* name) {
  return {{"id", id}, {"name", name}, {"arguments", "{\"command\":\"make\"}"}};
}

/// A request with two rounds, whose tool exits like that.
Json request(int exit_code) {
  return {
      {"requestId", "q1"},
      {"timestamp", kStart},
      {"message", {{"text", "why?"}}},
      {"modelId", "copilot/sonnet"},
      {"modelState", {{"value", 1}, {"completedAt", kStart + 9000}}},
      {"response", Json::array({{{"value", "Look"}}, tool_part("t1", "bash", command(exit_code))})},
      {"result",
       {{"metadata",
         {{"toolCallRounds",
           Json::array({round("r1", "Look", 1, Json::array({call_of("t1", "bash")})),
                        round("r2", "So", 6)})},
          {"toolCallResults", {{"t1", {{"content", Json::array({{{"value", "1 failed"}}})}}}}},
          {"promptTokens", 1200},
          {"outputTokens", 30}}}}}};
}

Json chat(const Json& requests) {
  return {{"sessionId", "s"}, {"version", 3}, {"customTitle", "Why"}, {"requests", requests}};
}

std::string change(int kind, const Json& path, const Json& value) {
  return Json({{"kind", kind}, {"k", path}, {"v", value}}).dump() + "\n";
}

const Json kEmpty = Json::array();
/// As Visual Studio Code writes it, which begins with the kind.
std::string whole(const Json& chat) {
  return R"({"kind":0,"v":)" + chat.dump() + "}\n";
}

Trace read_changes(const std::string& log) {
  Folder folder;
  Progress progress;
  return load({folder.write("s.jsonl", log)}, {}, progress).value();
}

}  // namespace

TEST_CASE("each round of a chat of Visual Studio Code is a call, and the last one has the tokens") {
  const int exit_code = GENERATE(0, 2);
  Folder folder;  // excerpts are read from the log again
  Progress progress;
  const std::string log = chat(Json::array({request(exit_code)})).dump();
  const Graph graph = link(load({folder.write("s.json", log)}, {}, progress).value(), {});
  const Trace& trace = graph.trace();
  CHECK(complaints_of(trace).empty());
  CHECK(trace.sources.front().format == "vscode-chat");
  REQUIRE(trace.calls.size() == 2);
  CHECK(trace[trace.calls[0].session] == "s");
  CHECK(trace[trace.calls[0].model] == "copilot/sonnet");
  CHECK(trace.calls[0].tokens == Tokens{});
  CHECK(trace.calls[0].duration == std::chrono::seconds(1));
  CHECK(trace.calls[1].tokens == Tokens{.input = 1200, .output = 30});
  CHECK(trace.calls[1].duration == std::chrono::milliseconds(2500));  // since the command ended
  REQUIRE(graph.links().size() > 0);
  CHECK(graph.links()[0].is_error == (exit_code != 0));
  CHECK(graph.links()[0].ran.length == std::chrono::milliseconds(1500));
  REQUIRE(graph.sessions().size() == 1);
  CHECK(trace[graph.sessions()[0].title] == "Why");
  const Excerpt excerpt = Excerpts(trace).of(trace.calls[0]);
  CHECK(excerpt.prompt == "why?");
  CHECK(excerpt.answer == "Look");
}

TEST_CASE("a log of changes to a chat leads to the same calls as the chat") {
  Json begun = request(0);
  begun["response"] = Json::array({{{"value", "L"}}});
  begun.erase("result");
  const Json done = request(0);
  const std::string log =
      whole(chat(kEmpty)) + change(2, {"requests"}, Json::array({begun})) +
      Json({{"kind", 2}, {"k", {"requests", 0, "response"}}, {"i", 0}, {"v", done["response"]}})
          .dump() +
      "\n" + change(1, {"requests", 0, "result"}, done["result"]) +
      change(1, {"customTitle"}, "Renamed") + change(1, {"requests", 0, "vote"}, 1) +
      R"({"kind":3,"k":["requests",0,"vote"]})"
      "\n";
  const Graph graph = link(read_changes(log), {});
  const Trace& trace = graph.trace();
  CHECK(complaints_of(trace).empty());
  REQUIRE(trace.calls.size() == 2);
  CHECK(trace.calls[0].source.line == 2);  // the request was added there
  CHECK(trace.calls[1].tokens == Tokens{.input = 1200, .output = 30});
  REQUIRE(graph.sessions().size() == 1);
  CHECK(trace[graph.sessions()[0].title] == "Renamed");
}

TEST_CASE("a change to a chat that cannot be read is reported where it is") {
  const std::string log = whole(chat(kEmpty)) + "{\"kind\":1,\"k\":[\n" +
                          change(2, {"requests"}, Json::array({request(0)})) +
                          change(1, {"requests", 7, "vote"}, 1);
  const Trace trace = read_changes(log);
  CHECK(trace.calls.size() == 2);
  CHECK(trace.sources.front().skipped == 2);
}

TEST_CASE("a request without rounds is one call, with the tools that its response shows") {
  Json one = request(1);
  one["result"]["metadata"].erase("toolCallRounds");
  one["result"]["metadata"].erase("toolCallResults");
  const Graph graph = link(read_log(chat(Json::array({one})).dump()), {});
  const Trace& trace = graph.trace();
  REQUIRE(trace.calls.size() >= 1);
  CHECK(trace.calls[0].tokens == Tokens{.input = 1200, .output = 30});
  REQUIRE(trace.tool_uses.size() > 0);
  CHECK(trace[trace.tool_uses.back().name] == "bash");
}

TEST_CASE("a request that failed is a call that failed, unless its rounds were answered") {
  const bool is_cancelled = GENERATE(true, false);
  Json failed = request(0);
  failed["response"] = kEmpty;
  failed["result"] =
      is_cancelled ? Json::object() : Json({{"errorDetails", {{"code", "rateLimited"}}}});
  failed["modelState"]["value"] = is_cancelled ? 2 : 3;
  const Trace trace = read_log(chat(Json::array({failed})).dump());
  REQUIRE(trace.calls.size() == 1);
  CHECK(trace.calls[0].outcome == Outcome::error);
  CHECK(trace[trace.calls[0].error] == (is_cancelled ? "canceled" : "rateLimited"));

  Json answered = request(0);
  answered["result"]["errorDetails"] = {{"code", "canceled"}};
  CHECK(read_log(chat(Json::array({answered})).dump()).calls.size() == 2);
}

TEST_CASE("a tool of a chat failed if it was denied or its result is an error") {
  const Json how = GENERATE(Json({{"isConfirmed", false}}), Json({{"isConfirmed", {{"type", 0}}}}),
                            Json({{"resultDetails", {{"isError", true}, {"output", "no"}}}}));
  Json one = request(0);
  one["response"] = Json::array({tool_part("t1", "bash", how)});
  const Graph graph = link(read_log(chat(Json::array({one})).dump()), {});
  REQUIRE(graph.links().size() > 0);
  CHECK(graph.links()[0].is_error);
}

TEST_CASE("a chat has the work of its subagents, and no call of theirs") {
  Json one = request(0);
  one["response"].push_back(
      tool_part("t2", "runSubagent",
                {{"toolSpecificData",
                  {{"kind", "subagent"}, {"agentName", "Explore"}, {"result", "it rounds"}}}}));
  one["response"].push_back(tool_part("t3", "read", {{"subAgentInvocationId", "t2"}}));
  one["result"]["metadata"]["toolCallRounds"][0]["toolCalls"].push_back(
      call_of("t2", "runSubagent"));
  const Trace trace = read_log(chat(Json::array({one})).dump());
  REQUIRE(trace.calls.size() == 3);
  size_t unrecorded = 0;
  for (const Call& call : trace.calls)
    if (call.outcome == Outcome::unrecorded) {
      ++unrecorded;
      CHECK(trace[call.spawned_by] == "t2");
      CHECK(trace[call.agent_type] == "Explore");
    }
  CHECK(unrecorded == 1);
}

TEST_CASE("a chat that was exported as well counts once") {
  Folder folder;
  Json exported = chat(Json::array({request(0)}));
  exported.erase("sessionId");
  exported["responderUsername"] = "GitHub Copilot";
  folder.write("chat.json", exported.dump());
  folder.write("s.jsonl", whole(chat(Json::array({request(0)}))));
  Progress progress;
  const Trace trace = load({folder.path()}, {}, progress).value();
  CHECK(trace.calls.size() == 2);
}
