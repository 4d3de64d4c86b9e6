#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "by_line.h"
#include "link/graph/graph.h"
#include "link/graph/queries.h"
#include "reading.h"

using namespace xtrace;

namespace {

using Json = nlohmann::json;

/// An event of a run of OpenHands 0.
Json numbered(int id, const char* source, Json more) {
  more.update({{"id", id},
               {"source", source},
               {"timestamp", "2026-01-01T10:00:" + std::to_string(10 + id)}});
  return more;
}

Json asks() {
  return {{"action", "message"}, {"args", {{"content", "mend it"}}}};
}
Json runs(const char* command) {
  return {{"action", "run"}, {"args", {{"command", command}}}};
}
Json gives(const char* kind, int exit_code, int cause) {
  Json event = {{"observation", kind},
                {"content", "so"},
                {"extras", {{"metadata", {{"exit_code", exit_code}}}}}};
  if (cause >= 0) event["cause"] = cause;
  return event;
}

/// Which response it was of.
Json of_response(Json event, const char* id) {
  event["tool_call_metadata"] = {{"tool_call_id", id},
                                 {"model_response",
                                  {{"id", id},
                                   {"model", "opus"},
                                   {"usage", {{"prompt_tokens", 100}, {"completion_tokens", 5}}}}}};
  return event;
}

Graph graph_of_run(const Json& log, const char* name = "run.json") {
  Folder folder;
  Progress progress;
  return link(load({folder.write(name, log.dump() + "\n")}, {}, progress).value(), {});
}

std::string results_in(const Graph& graph) {
  std::string text;
  for (const Link& link : graph.links())
    if (link.kind == LinkKind::tool_result)
      text += fmt::format("{} {}{}\n", word(link.rule), confidence(link),
                          link.is_error ? " failed" : "");
  return text;
}

}  // namespace

TEST_CASE("what OpenHands 0 wrote into the cache is no plain input") {
  Json event = of_response(numbered(1, "agent", runs("ls")), "r1");
  Json& usage = event["tool_call_metadata"]["model_response"]["usage"];
  usage.update({{"prompt_tokens_details", {{"cached_tokens", 20}}},
                {"cache_creation_input_tokens", 70},
                {"cache_read_input_tokens", 20}});
  const Graph graph = graph_of_run({numbered(0, "user", asks()), event});
  REQUIRE(graph.trace().calls.size() == 1);
  CHECK(graph.trace().calls[0].tokens ==
        Tokens{.input = 10, .output = 5, .cache_read = 20, .cache_creation = 70});
}

TEST_CASE("what an action of OpenHands gave has the action's number as its cause") {
  const Graph graph = graph_of_run(
      {numbered(0, "user", asks()), numbered(1, "agent", runs("ls")),
       numbered(2, "agent", gives("run", 1, 1)), numbered(3, "agent", runs("make")),
       numbered(4, "agent", gives("error", 0, 3)), numbered(5, "agent", runs("rm")),
       numbered(6, "agent", gives("user_rejected", 0, 5)), numbered(7, "agent", runs("pwd")),
       numbered(8, "agent", gives("run", 0, 7)), numbered(9, "agent", runs("true"))});
  CHECK(graph.trace().calls.size() == 5);
  CHECK(results_in(graph) ==
        "tool_use_id 1 failed\ntool_use_id 1 failed\ntool_use_id 1 failed\ntool_use_id 1\n");
  CHECK(graph.orphans().empty());
}

TEST_CASE("a file tool of OpenHands reports its failure in words") {
  const std::string text =
      GENERATE("ERROR:\nNo replacement was performed, old_str did not appear.",
               "[Your proposed edit has introduced new syntax error(s). Retry.]",
               "[No exact match found in a.py for\n```\nx\n```]");
  const auto edits = [](const std::string& words) {
    Json event = gives("edit", 0, 1);
    event["content"] = words;
    return event;
  };
  const auto results = [&](const std::string& words) {
    return results_in(
        graph_of_run({numbered(0, "user", asks()), numbered(1, "agent", runs("edit")),
                      numbered(2, "agent", edits(words)), numbered(3, "agent", runs("true"))}));
  };
  CHECK(results(text) == "tool_use_id 1 failed\n");
  CHECK(results("A file that has ERROR:\n in it") == "tool_use_id 1\n");
}

TEST_CASE("numbered words of OpenHands that nothing caused are the program's") {
  const Graph graph = graph_of_run({numbered(0, "user", asks()), numbered(1, "agent", runs("ls")),
                                    numbered(2, "agent", gives("run", 0, 1)),
                                    numbered(3, "agent", gives("error", 0, -1)),
                                    numbered(4, "agent", runs("make"))});
  REQUIRE(graph.trace().calls.size() == 2);
  CHECK(results_in(graph) == "tool_use_id 1\n");
  CHECK(graph.orphans().empty());
  CHECK(number_turns(graph, graph.conversations()[0]).back() == 1);
}

TEST_CASE("of events of OpenHands without numbers a result is the action's right before it") {
  const Json told = {{"observation", "run"}, {"content", "so"}, {"exit_code", 1}};
  const Json says = {{"action", "message"}, {"content", "mend it"}};
  const Json finish = {{"action", "finish"}, {"thought", "done"}};
  const Json run = {{"action", "run"}, {"command", "ls"}};
  const Json none = {{"observation", "null"}, {"content", ""}, {"extras", Json::object()}};
  const Json pairs = {Json::array({says, none}), Json::array({run, told}),
                      Json::array({finish, none})};
  const Json history = GENERATE_COPY(Json::array({says, run, told, finish}), pairs);
  const Graph graph = graph_of_run({{"instance_id", "i1"}, {"history", history}}, "output.jsonl");
  CHECK(graph.trace().calls.size() == 2);  // the first message is the user's
  CHECK(results_in(graph) == "transcript 0.9 failed\n");
  CHECK(graph.orphans().empty());
}

TEST_CASE("a run of OpenHands tells what it cost and that it broke off") {
  const Json history = {numbered(0, "user", asks()),
                        of_response(numbered(1, "agent", runs("ls")), "r1")};
  Json line = {{"instance_id", "i1"}, {"history", history}, {"error", "AgentStuckInLoopError: x"}};
  line["metrics"] = {{"accumulated_cost", 1.25},
                     {"costs", {{{"cost", 1.0}}, {{"cost", 0.25}}}},
                     {"token_usages", Json::array()}};
  SECTION("in all") {
    const Graph graph = graph_of_run(line, "output.jsonl");
    REQUIRE(graph.sessions().size() == 1);
    CHECK(graph.sessions()[0].use.cost == 1'250'000'000);
    CHECK(graph.sessions()[0].use.calls == 2);
    CHECK(graph.trace().calls[0].cost == kNoCount);
    CHECK(complaints_of(graph.trace()).find("ended with an error") != std::string::npos);
  }
  SECTION("and each response, where as many are counted") {
    line["metrics"]["costs"].erase(1);
    line["metrics"]["token_usages"].push_back(
        {{"response_id", "r1"}, {"model", "opus"}, {"prompt_tokens", 100}});
    CHECK(graph_of_run(line, "output.jsonl").trace().calls[0].cost == 1'000'000'000);
  }
}

TEST_CASE("what events of OpenHands count grows until the last one") {
  const auto spent = [](Json event, double cost) {
    event["llm_metrics"] = {{"accumulated_cost", cost}};
    return event;
  };
  const Graph graph = graph_of_run(
      {numbered(0, "user", asks()), spent(numbered(1, "agent", runs("ls")), 0.25),
       numbered(2, "agent", gives("run", 0, 1)), spent(numbered(3, "agent", runs("make")), 0.75)});
  REQUIRE(graph.trace().usage_statements.size() == 2);
  CHECK_FALSE(graph.trace().usage_statements[0].counts());
  CHECK(graph.trace().usage_statements[1].cost == 750'000'000);
}

TEST_CASE("an instance of OpenHands that failed before anything happened is told of") {
  const Json history = GENERATE(Json(nullptr), Json::array());
  const Json run = {{"instance_id", "garden-1"},
                    {"history", history},
                    {"metrics", nullptr},
                    {"error", "Runtime died"},
                    {"test_result", Json::object()}};
  const Trace trace = read_log(run.dump() + "\n");
  CHECK(trace.calls.empty());
  CHECK(trace.sources.front().format == "openhands");
  CHECK(trace.sources.front().skipped == 0);
  REQUIRE(trace.complaints.size() == 1);
  CHECK_THAT(complaints_of(trace), Catch::Contains("the run ended with an error"));
}
