#include <catch2/catch.hpp>

#include "link/graph/graph.h"
#include "link/graph/queries.h"
#include "reading.h"
#include "reread.h"

using namespace xtrace;

namespace {

/// A trajectory whose model writes its commands as text, as those of 2024 do.
constexpr const char* kCommandsAsText =
    R"({"environment":"e","trajectory":[],"info":{},"history":[)"
    R"({"role":"system","content":"You mend programs.","agent":"primary"},)"
    R"({"role":"user","content":"like this","agent":"primary","is_demo":true},)"
    R"({"role":"user","content":"Mend it","agent":"primary"},)"
    R"({"role":"assistant","content":"I look.\nopen main.py","thought":"I look.",)"
    R"("action":"open main.py\n","agent":"primary"},)"
    R"({"role":"user","content":"1: print(1","agent":"primary"},)"
    R"({"role":"assistant","content":"I run it.\npython main.py","action":"python main.py",)"
    R"("agent":"primary"},)"
    R"({"role":"user","content":"SyntaxError","agent":"primary"},)"
    R"({"role":"assistant","content":"I run it again.\npython main.py",)"
    R"("action":"python main.py","agent":"primary"},)"
    R"({"role":"user","content":"SyntaxError","agent":"primary"},)"
    R"({"role":"assistant","content":"I cannot say.","action":"","agent":"primary"}]})";

}  // namespace

TEST_CASE("what a command of SWE-agent gave is a result, and not said by the user") {
  Folder folder;
  Progress progress;
  const Graph graph =
      link(load({folder.write("old.traj", kCommandsAsText)}, {}, progress).value(), {});
  const Trace& trace = graph.trace();
  REQUIRE(trace.calls.size() == 4);
  std::string used;
  for (CallId call : graph.timeline().in_order())
    for (const ToolUse* use : graph.tool_uses_of(call))
      used += std::string(trace[use->name]) + "(" + std::string(trace[use->target]) + ") ";
  CHECK(used == "open(main.py) bash() bash() ");
  size_t read = 0;
  for (const Link& link : graph.links()) read += link.kind == LinkKind::tool_result;
  CHECK(read == 3);
  CHECK(graph.orphans().empty());
  REQUIRE(graph.conversations().size() == 1);
  CHECK(number_turns(graph, graph.conversations()[0]).back() == 1);
}

TEST_CASE("what a command of SWE-agent was and gave is read again") {
  Folder folder;
  Progress progress;
  const Graph graph =
      link(load({folder.write("old.traj", kCommandsAsText)}, {}, progress).value(), {});
  const Reread payloads(graph.trace());
  const std::vector<CallId> calls(graph.timeline().in_order().begin(),
                                  graph.timeline().in_order().end());
  REQUIRE(calls.size() == 4);
  std::string asked, told;
  for (const Quote& quote : payloads.quotes(graph.trace()[calls[1]])) {
    if (quote.kind == Quote::Kind::tool_use) asked = quote.text + " " + quote.tool_use;
    if (quote.kind == Quote::Kind::tool_result) told = quote.text + " " + quote.tool_use;
  }
  const auto id_of = [&](size_t call) {
    return std::string(graph.trace()[graph.tool_uses_of(calls[call]).front()->id]);
  };
  CHECK(asked == R"({"command":"python main.py"} )" + id_of(1));
  CHECK(told == "1: print(1 " + id_of(0));
}

TEST_CASE("the step of SWE-agent that ends its run is a call, though the history lacks it") {
  const auto steps = [](const std::string& last_known) {
    return R"({"environment":"e","info":{},"trajectory":[)"
           R"({"response":"I run it.","action":"python main.py","observation":"8.2"},)"
           R"({"response":")" +
           last_known +
           R"(","action":"ls","observation":"main.py"},)"
           R"({"response":"Done.","action":"submit","observation":"diff --git"}],"history":[)"
           R"({"role":"user","content":"Mend it","agent":"main"},)"
           R"({"role":"assistant","content":"I run it.","action":"python main.py","agent":"main"},)"
           R"({"role":"user","content":"8.2","agent":"main"},)"
           R"({"role":"assistant","content":"I list.","action":"ls","agent":"main"},)"
           R"({"role":"user","content":"main.py","agent":"main"}]})";
  };
  Folder folder;
  Progress progress;
  const Graph graph =
      link(load({folder.write("new.traj", steps("I list."))}, {}, progress).value(), {});
  const std::vector<CallId> calls(graph.timeline().in_order().begin(),
                                  graph.timeline().in_order().end());
  REQUIRE(calls.size() == 3);
  const ToolUse& submit = *graph.tool_uses_of(calls[2]).front();
  CHECK(graph.trace()[submit.name] == "submit");
  const std::span<const Activity> done = graph.activities().tools_of(calls[2]);
  REQUIRE(done.size() == 1);
  CHECK(done[0].outcome == Outcome::ok);
  CHECK(graph.orphans().empty());
  const Excerpt excerpt = Excerpts(graph.trace()).of(graph.trace()[calls[2]]);
  CHECK(excerpt.answer == "Done.");
  // Where nothing shows which step the history ends with, none is known to be missing.
  CHECK(load({folder.write("other.traj", steps("I look."))}, {}, progress).value().calls.size() ==
        2);
}

TEST_CASE("a command of SWE-agent failed if its output says so in the program's words") {
  const auto outcome_of = [](const std::string& output) {
    Folder folder;
    Progress progress;
    const Graph graph = link(
        load({folder.write("run.traj", R"({"environment":"e","trajectory":[],"info":{},)"
                                       R"("history":[{"role":"user","content":"Mend it",)"
                                       R"("agent":"main"},{"role":"assistant","content":)"
                                       R"("I run it.","action":"python a.py","agent":)"
                                       R"("main"},{"role":"user","content":")" +
                                           output +
                                           R"(","agent":"main"},{"role":"assistant",)"
                                           R"("content":"So.","action":"","agent":"main"}]})")},
             {}, progress)
            .value(),
        {});
    return graph.activities().tools_of(graph.timeline().in_order().front()).front();
  };
  CHECK(outcome_of("8.2").outcome == Outcome::ok);
  const Activity slow = outcome_of("half of it\\n\\nEXECUTION TIMED OUT\\n");
  CHECK(slow.outcome == Outcome::error);
  CHECK(slow.tool_error == ToolError::timeout);
  for (const char* words :
       {"Your proposed edit has introduced new syntax error(s). Please",
        "No replacement was performed, old_str `x` did not appear", "Wrong flag!"}) {
    CAPTURE(words);
    CHECK(outcome_of(words).tool_error == ToolError::execution);
  }
}
