#include <catch2/catch.hpp>

#include "link/graph/graph.h"
#include "link/graph/queries.h"
#include "reading.h"
#include "reread.h"

using namespace xtrace;

TEST_CASE("a trajectory of mini-swe-agent tells costs as its gateway does, and of the whole run") {
  const Trace trace = read_log(
      R"({"trajectory_format":"mini-swe-agent-1","info":{"model_stats":{"instance_cost":0.75,"api_calls":2}},)"
      R"("messages":[{"role":"user","content":"mend"},)"
      R"({"role":"assistant","content":"so","extra":{"response":{"id":"a","created":1767261600,)"
      R"("model":"large","usage":{"prompt_tokens":5,"completion_tokens":2,"total_tokens":7,"cost":0.25}}}}]})");
  REQUIRE(trace.calls.size() == 1);
  CHECK(trace.calls[0].cost == 250'000'000);
  CHECK(trace.calls[0].start == Time(std::chrono::seconds(1767261600)));
  REQUIRE(trace.usage_statements.size() == 1);
  CHECK(trace.usage_statements[0].cost == 750'000'000);
  CHECK(trace.usage_statements[0].calls == 2);
}

namespace {

/// A run of these messages behind the task, which is recorded as text.
Graph run_of_messages(const std::string& messages) {
  Folder folder;
  Progress progress;
  const std::string log =
      R"({"trajectory_format":"mini-swe-agent-1.1","info":{"config":{"model":{"model_name":"m"}}},)"
      R"("messages":[{"role":"system","content":"s"},{"role":"user","content":"mend"},)" +
      messages + "]}\n";
  return link(load({folder.write("run.traj.json", log)}, {}, progress).value(), {});
}

}  // namespace

TEST_CASE("what a command of mini-swe-agent gave is a result, and not said by the user") {
  const Graph graph = run_of_messages(
      R"({"role":"assistant","content":"I look","extra":{"actions":[{"command":"ls"}],"timestamp":1767261600}},)"
      R"({"role":"user","content":"none","extra":{"returncode":1,"timestamp":1767261602}},)"
      R"({"role":"assistant","content":"hm","extra":{"actions":[],"timestamp":1767261604}},)"
      R"({"role":"user","content":"give a command","extra":{"timestamp":1767261605}},)"
      R"({"role":"assistant","content":"end","extra":{"actions":[{"command":"exit"}],"timestamp":1767261608}})");
  const Trace& trace = graph.trace();
  REQUIRE(trace.calls.size() == 3);
  REQUIRE(graph.conversations().size() == 1);
  CHECK(number_turns(graph, graph.conversations()[0]).back() == 1);
  std::string results;
  for (const Link& link : graph.links())
    if (link.kind == LinkKind::tool_result)
      results += fmt::format("{} {} {}", word(link.rule), confidence(link), link.is_error);
  CHECK(results == "transcript 0.9 true");
  std::string quoted;
  const Reread payloads(trace);
  for (const Quote& quote : payloads.quotes(trace[graph.timeline().in_order()[1]]))
    if (quote.kind == Quote::Kind::tool_result) quoted += quote.text;
  CHECK(quoted == "none");
}

TEST_CASE("a response of the Responses API is an answer of mini-swe-agent") {
  const Graph graph = run_of_messages(
      R"({"object":"response","id":"r1","model":"gpt","output":[{"type":"reasoning"},)"
      R"({"type":"function_call","call_id":"c1","name":"bash","arguments":"{\"command\":\"ls\"}"}],)"
      R"("usage":{"input_tokens":100,"output_tokens":20,"total_tokens":120,"input_tokens_details":{"cached_tokens":30}},)"
      R"("extra":{"actions":[{"command":"ls","tool_call_id":"c1"}],"cost":0.25,"timestamp":1767261600}},)"
      R"({"type":"function_call_output","call_id":"c1","output":"a","extra":{"returncode":0}},)"
      R"({"object":"response","id":"r2","model":"gpt","output":[{"type":"message","content":[{"type":"output_text","text":"done"}]}]})");
  const Trace& trace = graph.trace();
  REQUIRE(trace.calls.size() == 2);
  CHECK(trace.calls[0].tokens == Tokens{.input = 70, .output = 20, .cache_read = 30});
  CHECK(trace.calls[0].cost == 250'000'000);
  CHECK(trace.calls[0].outcome == Outcome::ok);
  REQUIRE(graph.links().size() == 2);
  CHECK(graph.links()[0].rule == Rule::tool_use_id);
  CHECK(Excerpts(trace).of(trace.calls[1]).answer == "done");
}
