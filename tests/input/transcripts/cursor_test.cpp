#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "by_line.h"
#include "link/graph/queries.h"
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

TEST_CASE("a turn of Cursor goes on until its user says something, in however many lines") {
  const Json use = {{"type", "tool_use"}, {"name", "Read"}, {"input", {{"path", "x"}}}};
  const Graph graph =
      link(read_log(said("user", text("dig")) + said("assistant", use) + said("assistant", use) +
                    said("assistant", text("dug")) + said("assistant", text("and raked")) +
                    said("user", text("rest")) + said("assistant", text("good night"))),
           {});
  REQUIRE(graph.conversations().size() == 1);
  CHECK(number_turns(graph, graph.conversations().front()) == std::vector<uint32_t>{1, 1, 1, 1, 2});
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

TEST_CASE("a transcript that Cursor wrote as plain text is steps, with what each tool gave") {
  const std::string text =
      "user:\n<user_query>\ndig\n</user_query>\n\nassistant:\n[Thinking] where?\nI look.\n\n"
      "[Tool call] Read\n  path: a.txt\n[Tool call] Write\n  path: b.txt\n  contents: one\n"
      "    path: two\n\n[Tool result] Write\n[Tool result] Read\n  south\n\nSouth.\n"
      "[Tool call] Shell\n  {\"command\": \"ls\"}\n\nuser:\nthanks\n\nassistant:\nDone.\n";
  std::string ends = text;
  for (size_t at = 0; (at = ends.find('\n', at)) != std::string::npos; at += 2)
    ends.replace(at, 1, "\r\n");
  Folder folder;
  Progress progress;
  for (const std::string& each : {text, ends}) {
    const std::string path = folder.write("t.txt", each);
    for (const std::string& named : {path, folder.path()}) {
      const Graph graph = link(load({named}, {}, progress).value(), {});
      const Trace& trace = graph.trace();
      REQUIRE(trace.calls.size() == 3);
      CHECK(trace[trace.calls[0].session] == "t");
      CHECK(trace.calls[0].source.line == 7);
      REQUIRE(graph.tool_uses_of(CallId(0)).size() == 2);
      CHECK(trace[graph.tool_uses_of(CallId(0))[1]->target] == "b.txt");
      REQUIRE(graph.tool_uses_of(CallId(1)).size() == 1);
      CHECK(trace[graph.tool_uses_of(CallId(1))[0]->name] == "Shell");
      Excerpts excerpts(trace);
      CHECK(excerpts.of(trace.calls[0]).prompt == "dig");
      CHECK(excerpts.of(trace.calls[0]).answer == "I look.");
      CHECK(excerpts.of(trace.calls[1]).answer == "South.");
      CHECK(links_by_line(graph) ==
            "7->21 tool_use_id\n7->21 tool_use_id\n7->21 transcript\n21->29 transcript");
      CHECK(complaints_of(trace).empty());
    }
  }
}

TEST_CASE("YAML that begins as Cursor's transcripts do is none") {
  for (const char* text :
       {"user:\n  name: ann\nassistant:\n  name: bob\n", "user: ann\n", "user:\n- assistant\n"})
    CHECK_FALSE(load_log(text));
}

TEST_CASE(
    "what a tool of no name gave, in a transcript of Cursor's, is of the first that gave none") {
  const std::string text =
      "user:\n<user_query>\ndig\n</user_query>\n\nassistant:\n[Tool call] Read\n  path: a.txt\n"
      "[Tool call] Shell\n[Tool call] Read\n  path: b.txt\n[Tool result] Read\n  from a\n"
      "[Tool result]\n  from the shell\n[Tool result] Read\n  from b\n[Tool result] Read\n  "
      "more\n\nDone.\n";
  Folder folder;
  Progress progress;
  const Trace trace = load({folder.write("t.txt", text)}, {}, progress).value();
  std::string given;
  for (const ToolResult& result : trace.tool_results) {
    size_t number = 0;
    while (number < trace.tool_uses.size() && trace.tool_uses[number].id != result.tool_use)
      ++number;
    given += fmt::format("{};", result.tool_use ? std::to_string(number) : "none");
  }
  CHECK(given.starts_with("0;1;2;none;"));
}
