#include "input/transcripts/cline_text_tools.h"

#include <fmt/format.h>

#include <catch2/catch.hpp>

#include "cline_task.h"
#include "link/graph/queries.h"
#include "reread.h"

using namespace xtrace;

namespace {

/// A task in which the model writes what tools are to do.
void write_task_of_texts(const Folder& folder, bool is_shown) {
  Task task(folder);
  task.sends(0, "user", Task::text("<task>\nlook\n</task>"));
  task.sends(3, "assistant", Task::text("I read.\n<read_file>\n<path>a.txt</path>\n</read_file>"));
  task.sends(4, "user", Task::text("[read_file for 'a.txt'] Result:\n\nhello"));
  task.sends(6, "assistant",
             Task::text("<execute_command>\n<command>make</command>\n</execute_command>"));
  task.sends(8, "user",
             Task::text("[execute_command for 'make'] Result:\nThe user denied this operation."));
  task.sends(9, "assistant",
             Task::text("<attempt_completion><result>x</result>"
                        "</attempt_completion>"));
  if (is_shown) {
    task.shows(0, "task", "look").requests(1, 10, 0.5);
    task.shows(2, "tool", nlohmann::json{{"tool", "readFile"}}).requests(5, 20, 0.5);
    task.shows(6, "command", "make", "ask").shows(7, "command_output", "no");
    task.requests(8, 30, 0.5).shows(9, "completion_result", "x");
  }
  task.write();
}

std::string results_of(const Graph& graph) {
  std::string text;
  for (const Link& link : graph.links())
    if (link.kind == LinkKind::tool_result)
      text += fmt::format("{} {} {}{}\n", word(link.rule), confidence(link),
                          graph.trace()[graph.trace().tool_uses[link.tool_use.index].name],
                          link.is_error ? " failed" : "");
  return text;
}

}  // namespace

TEST_CASE("a tool that Cline's model calls in its text is read, and what it gave is its result") {
  Folder folder;
  write_task_of_texts(folder, GENERATE(true, false));
  const Graph graph = graph_of_tasks(folder);
  const Trace& trace = graph.trace();
  REQUIRE(trace.calls.size() == 3);
  CHECK(results_of(graph) == "transcript 0.9 read_file\ntranscript 0.9 execute_command failed\n");
  CHECK(graph.orphans().empty());
  CHECK(number_turns(graph, graph.conversations()[0]).back() == 1);
  const ToolUse* use = graph.tool_uses_of(graph.timeline().in_order()[0]).front();
  CHECK(trace[use->target] == "a.txt");
  std::string told, asked;
  const Reread payloads(trace);
  for (const Quote& quote : payloads.quotes(trace[graph.timeline().in_order()[1]])) {
    if (quote.kind == Quote::Kind::tool_result) told += quote.text;
    if (quote.kind == Quote::Kind::tool_use) asked += quote.text;
  }
  CHECK(told == "hello");
  CHECK(asked == R"({"command":"make"})");
}

TEST_CASE("a result in Cline's text of a tool that was not called before it is the program's") {
  Folder folder;
  Task task(folder);
  task.sends(0, "user", Task::text("look")).sends(3, "assistant", Task::text("Which one?"));
  task.sends(4, "user", Task::text("[read_file for 'a.txt'] Result:\nhello"));
  task.sends(6, "assistant", Task::text("done")).write();
  const Graph graph = graph_of_tasks(folder);
  REQUIRE(graph.trace().calls.size() == 2);
  CHECK(results_of(graph).empty());
  CHECK(graph.orphans().empty());
  CHECK(number_turns(graph, graph.conversations()[0]).back() == 1);
}

TEST_CASE("a task that Roo Code's model starts in its text is the child that is on record") {
  Folder folder;
  Task parent(folder, "t1"), child(folder, "t2");
  parent.sends(0, "user", Task::text("<task>\nplan\n</task>"));
  parent.sends(3, "assistant",
               Task::text("<new_task><mode>code</mode><message>measure</message></new_task>"));
  parent.sends(20, "user", Task::text("[new_task completed] Result: 20 cm"));
  parent.sends(25, "assistant", Task::text("done")).write();
  child.sends(4, "user", Task::text("measure")).sends(18, "assistant", Task::text("20 cm"));
  child.write();
  parent.notes({{"id", "t1"}, {"number", 1}, {"task", "p"}, {"tokensIn", 1}, {"childIds", {"t2"}}});
  child.notes(
      {{"id", "t2"}, {"parentTaskId", "t1"}, {"number", 2}, {"task", "measure"}, {"tokensIn", 1}});
  const Graph graph = graph_of_tasks(folder);
  size_t spawns = 0;
  for (const Link& link : graph.links()) spawns += link.kind == LinkKind::subagent_spawn ? 1 : 0;
  CHECK(spawns == 1);
  CHECK(results_of(graph) == "transcript 0.9 new_task\n");
}

TEST_CASE("tools in text are elements that end, with what stands in them as arguments") {
  const auto uses_in = [](const char* text) {
    Draft draft;
    Block& said = draft.blocks.emplace_back();
    said.kind = Block::Kind::text;
    said.text = text;
    read_text_tools("1", draft);
    std::string uses;
    for (const Block& block : draft.blocks)
      if (block.kind == Block::Kind::tool_use) uses += fmt::format("{}{} ", block.name, block.text);
    return uses;
  };
  CHECK(uses_in("<write_to_file>\n<path>a</path>\n<content>\n<b></content>\n</content>\n"
                "</write_to_file>") == R"(write_to_file{"path":"a","content":"<b></content>"} )");
  CHECK(uses_in("<use_mcp_tool><server_name>gh</server_name><tool_name>find</tool_name>"
                "</use_mcp_tool>")
            .starts_with("mcp__gh__find{"));
  CHECK(uses_in("<read_file><path>a</path>") == "");
  CHECK(uses_in("<div>x</div>") == "");
}

TEST_CASE("a name that Cline's reader made up stays one where another format tells it") {
  const Trace trace = read_log(
      R"({"schema_version":"ATIF-v1.7","session_id":"s","agent":{"name":"main"},"steps":[)"
      R"({"step_id":1,"source":"user","message":"look"},)"
      R"({"step_id":2,"source":"agent","message":"","tool_calls":[{"tool_call_id":)"
      R"("by-order-execute_command-1-1","function_name":"execute_command","arguments":{}}],)"
      R"("observation":{"results":[{"source_call_id":"by-order-execute_command-1-1"}]}},)"
      R"({"step_id":3,"source":"agent","message":"done"}]})");
  REQUIRE_FALSE(trace.tool_uses.empty());
  for (const ToolUse& use : trace.tool_uses) CHECK(trace[use.id] == "by-order-execute_command-1-1");
}
