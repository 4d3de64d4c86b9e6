#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "by_line.h"
#include "reading.h"
#include "reread.h"

using namespace xtrace;

namespace {

using Json = nlohmann::json;

std::string said(const char* role, const Json& piece) {
  return Json{{"role", role}, {"message", {{"content", {piece}}}}}.dump() + "\n";
}

Json text(const char* text) {
  return {{"type", "text"}, {"text", text}};
}

}  // namespace

TEST_CASE("the store of Cursor's CLI is its conversation as it stands, in the order of its root") {
  Folder folder;
  Progress progress;
  const std::string path =
      folder.write("store.db", project_file("fixtures/agents/cursor-store.db"));
  const Graph graph = link(load({path}, {}, progress).value(), {});
  const Trace& trace = graph.trace();
  REQUIRE(trace.calls.size() == 3);
  CHECK(trace[trace.calls[0].session] == "0e0e0000-0000-4000-8000-000000000001");
  CHECK_FALSE(trace.calls[0].model);
  CHECK(trace[trace.calls[2].model] == "gpt-5.2");
  Excerpts excerpts(trace);
  CHECK_THAT(excerpts.of(trace.calls[0]).prompt, Catch::Contains("Dig the south bed"));
  CHECK(excerpts.of(trace.calls[2]).answer == "It is dug.");
  REQUIRE(graph.links().size() == 3);
  CHECK(graph.links()[0].rule == Rule::tool_use_id);
}

TEST_CASE("a transcript in Cursor's folder of subagents is that of a subagent of its parent") {
  Folder folder;
  folder.write("p/p.jsonl",
               said("user", text("dig")) +
                   said("assistant", {{"type", "tool_use"},
                                      {"name", "Task"},
                                      {"input", {{"prompt", "measure"}, {"subagent_type", "m"}}}}));
  folder.write("p/subagents/c.jsonl",
               said("user", text("measure")) + said("assistant", text("20")));
  Progress progress;
  const Graph graph = link(load({folder.path()}, {}, progress).value(), {});
  const Trace& trace = graph.trace();
  REQUIRE(trace.calls.size() == 2);
  CHECK(trace[trace.calls[1].session] == "p");
  CHECK(trace[trace.calls[1].agent] == "c");
  REQUIRE(graph.links().size() == 1);
  CHECK(graph.links()[0].kind == LinkKind::subagent_spawn);
  CHECK(graph.links()[0].rule == Rule::prompt);
}
