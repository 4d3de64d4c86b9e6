#include <algorithm>
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <sstream>

#include "reading.h"
#include "render/renderer.h"
#include "reread.h"
#include "transcript.h"
#include "view/common/view.h"

using namespace xtrace;

namespace {

using Json = nlohmann::json;

std::string trajectories_of(const Graph& graph, Door::Level level = Door::Level::basic) {
  auto renderer = std::ranges::find(renderers(), "atif", &Renderer::name);
  Reread payloads(graph.trace());
  Door door(Redaction::all, level, 200);
  Result<Document> document =
      find_view("convert")->make()->answer({graph, door, renderer->face, &payloads});
  std::ostringstream out;
  renderer->write(document.value(), Paper{}, out);
  return out.str();
}

Graph read_graph(const std::string& log) {
  Folder folder;
  Progress progress;
  return link(load({folder.write("log", log)}, {}, progress).value(), {});
}

Json step(int second, const char* source, const char* message, const Json& more = Json::object()) {
  Json step = {{"step_id", second},
               {"timestamp", "2026-01-01T10:00:0" + std::to_string(second) + "Z"},
               {"source", source},
               {"message", message}};
  step.update(more);
  return step;
}

std::string trajectory(std::vector<Json> steps) {
  return Json{{"schema_version", "ATIF-v1.7"},
              {"session_id", "s"},
              {"trajectory_id", "s/main"},
              {"agent", {{"name", "main"}}},
              {"steps", std::move(steps)}}
      .dump();
}

Json uses(std::initializer_list<Json> calls) {
  return {{"tool_calls", calls}};
}

Json failed(const char* id) {
  return {{"extra", {{"xtrace.id", id}, {"xtrace.status", "error"}, {"xtrace.error", "aborted"}}}};
}

size_t retries(const Graph& graph) {
  size_t retries = 0;
  for (const Link& link : graph.links()) retries += link.kind == LinkKind::retry;
  return retries;
}

}  // namespace

TEST_CASE("tool uses without an id have one of their own in a trajectory, the same each time") {
  Json look = {{"function_name", "look"}, {"arguments", {{"at", "a"}}}};
  Json dig = {{"function_name", "dig"}, {"arguments", {{"at", "b"}}}};
  Json named = {{"tool_call_id", "t9"}, {"function_name", "dig"}, {"arguments", Json::object()}};
  const Graph graph =
      read_graph(trajectory({step(1, "user", "go"), step(2, "agent", "", uses({look, named, dig})),
                             step(3, "agent", "", uses({look}))}));
  const std::string once = trajectories_of(graph);
  Json steps = Json::parse(once)["steps"];
  CHECK(steps[1]["tool_calls"][0]["tool_call_id"] == "s/main:2/tool-1");
  CHECK(steps[1]["tool_calls"][1]["tool_call_id"] == "t9");
  CHECK(steps[1]["tool_calls"][2]["tool_call_id"] == "s/main:2/tool-3");
  CHECK(steps.back()["tool_calls"][0]["tool_call_id"] == "s/main:3/tool-1");
  CHECK(trajectories_of(graph) == once);
  Json again = Json::parse(trajectories_of(read_graph(once)))["steps"];
  for (size_t i = 0; i < steps.size(); ++i)
    if (steps[i].contains("tool_calls")) CHECK(again[i]["tool_calls"] == steps[i]["tool_calls"]);
}

TEST_CASE("a step of an unknown model is read back as that, whatever the agent's others are") {
  const Graph graph = read_graph(
      trajectory({step(1, "user", "go"), step(2, "agent", "a", {{"model_name", "large"}}),
                  step(3, "user", "on"), step(4, "agent", "b")}));
  const std::string converted = trajectories_of(graph);
  CHECK_FALSE(Json::parse(converted)["agent"].contains("model_name"));
  const Graph back = read_graph(converted);
  const Trace& trace = back.trace();
  REQUIRE(trace.calls.size() == 2);
  CHECK(trace[trace.calls[0].model] == "large");
  CHECK_FALSE(trace.calls[1].model);
}

TEST_CASE("what a user said behind a call that failed keeps it from being tried again") {
  Json use = {{"tool_call_id", "t1"}, {"function_name", "dig"}, {"arguments", Json::object()}};
  Json works = uses({use});
  works["observation"] = {{"results", {{{"source_call_id", "t1"}, {"content", "dug"}}}}};
  const Graph graph = read_graph(
      trajectory({step(1, "user", "go"), step(2, "agent", "", works),
                  step(3, "agent", "", failed("c2")), step(4, "user", "not there"),
                  step(5, "agent", "here", {{"extra", {{"xtrace.duration_ms", 100}}}})}));
  REQUIRE(retries(graph) == 0);
  const Graph back = read_graph(trajectories_of(graph));
  CHECK(back.trace().calls.size() == 3);
  CHECK(retries(back) == 0);
  const std::string full = trajectories_of(graph, Door::Level::full);
  CHECK(Json::parse(full)["steps"][3]["message"] == "not there");
  CHECK(retries(read_graph(full)) == 0);
}

TEST_CASE("steps of which nobody knows what was said are not the same words again") {
  Json first = failed("c1"), second = {{"extra", {{"xtrace.id", "c2"}}}};
  const std::string one = trajectory({step(1, "user", ""), step(1, "agent", "", first)});
  const std::string other = trajectory({step(3, "user", ""), step(3, "agent", "", second)});
  const Graph graph = read_graph(one + "\n" + other + "\n");
  CHECK(graph.trace().calls.size() == 2);
  CHECK(retries(graph) == 0);
}

TEST_CASE("requests without a time are told from each other by their calls") {
  std::string log;
  for (const char* id : {"b1", "b2"})
    log += Json{{"id", id},
                {"request", {{"model", "m"}, {"messages", {{{"role", "user"}, {"content", id}}}}}},
                {"response", {{"error", {{"type", "overloaded_error"}}}}}}
               .dump() +
           "\n";
  const Graph graph = read_graph(log);
  REQUIRE(graph.trace().calls.size() == 2);
  REQUIRE(retries(graph) == 0);
  CHECK(retries(read_graph(trajectories_of(graph))) == 0);
}

TEST_CASE("what a failed step used up is read") {
  Json more = failed("c1");
  more["metrics"] = {{"prompt_tokens", 10}, {"completion_tokens", 20}, {"cost_usd", 0.0001}};
  const Graph graph = read_graph(trajectory({step(1, "user", "go"), step(2, "agent", "", more)}));
  REQUIRE(graph.trace().calls.size() == 1);
  const Call& call = graph.trace().calls[0];
  CHECK(call.outcome == Outcome::error);
  CHECK(call.tokens == Tokens{.input = 10, .output = 20});
  CHECK(call.cost == 100000);
}

TEST_CASE("a subagent of which its tool gave nothing back is no result of the tool") {
  Json use = {{"tool_call_id", "t1"}, {"function_name", "Task"}, {"arguments", Json::object()}};
  Json works = uses({use});
  works["observation"] = {
      {"results", {{{"source_call_id", "t1"}, {"extra", {{"xtrace.is_unread", true}}}}}}};
  const Graph graph = read_graph(trajectory({step(1, "user", "go"), step(2, "agent", "", works),
                                             step(3, "user", "on"), step(4, "agent", "done")}));
  for (const Link& link : graph.links()) CHECK(link.kind != LinkKind::tool_result);
}

TEST_CASE("how long an unanswered call was waited for is known to no trajectory") {
  const std::string call = R"({"id":"c1","session_id":"s","timestamp":"2026-01-01T10:00:00Z",)"
                           R"("request":{"model":"m","messages":[{"role":"user","content":"a"}]}})"
                           "\n",
                    next = R"({"id":"c2","session_id":"s","timestamp":"2026-01-01T10:00:09Z",)"
                           R"("duration_ms":2000,"request":{"model":"m","messages":[)"
                           R"({"role":"user","content":"a"},{"role":"user","content":"b"}]},)"
                           R"("response":{"id":"r2","content":[{"type":"text","text":"c"}]}})"
                           "\n";
  const Graph was = link(read_log(call + next), {});
  const Graph is = link(read_log(trajectories_of(was)), {});
  REQUIRE(was.trace().calls.size() == 2);
  REQUIRE(is.trace().calls.size() == 2);
  CHECK(was.trace().calls[0].outcome == Outcome::unanswered);
  CHECK(is.trace().calls[0].outcome == Outcome::unanswered);
  CHECK(is.trace().calls[0].duration == kNoDuration);
}

TEST_CASE("how tools fared that no call was told of is in a trajectory, and so it is read back") {
  const std::string log =
      Transcript()
          .user("u1", "dig")
          .answer("a1", "m1",
                  uses("t1", "Bash") + "," + uses("t2", "Read") + "," + uses("t3", "Read"))
          .line("r1", "user",
                R"("message":{"role":"user","content":[{"type":"tool_result",)"
                R"("tool_use_id":"t1","content":"no","is_error":true}]})")
          .result("r2", "t2")
          .text();
  const auto fared = [](const Graph& graph) {
    std::string fared;
    for (size_t i = 0; i < graph.trace().calls.size(); ++i)
      for (const Activity& tool : graph.activities().tools_of(CallId(i)))
        fared +=
            std::string(graph.trace()[tool.use->id]) + " " + std::string(word(tool.outcome)) + "\n";
    return fared;
  };
  const Graph before = read_graph(log);
  const std::string known = fared(before);
  CHECK(known.starts_with("t1 error\nt2 ok\nt3 "));
  const std::string converted = trajectories_of(before);
  const Graph back = read_graph(converted);
  CHECK(fared(back) == known);
  CHECK(back.links().empty());
  CHECK(Json::parse(trajectories_of(back))["steps"][1]["observation"] ==
        Json::parse(converted)["steps"][1]["observation"]);
}

TEST_CASE("a call of which nobody knows how long it took is read back as that") {
  Json use = {{"tool_call_id", "t1"}, {"function_name", "dig"}, {"arguments", Json::object()}};
  Json works = uses({use});
  works["observation"] = {{"results", {{{"source_call_id", "t1"}, {"content", "dug"}}}}};
  works["extra"] = {{"xtrace.id", "c1"}, {"xtrace.duration_ms", 500}};
  const Graph graph =
      read_graph(trajectory({step(1, "user", "go"), step(2, "agent", "", works),
                             step(5, "agent", "so", {{"extra", {{"xtrace.id", "c2"}}}})}));
  REQUIRE(graph.trace().calls.size() == 2);
  CHECK(graph.trace().calls[0].duration == std::chrono::milliseconds(500));
  CHECK(graph.trace().calls[1].duration == kNoDuration);
}
