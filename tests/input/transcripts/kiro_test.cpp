#include <catch2/catch.hpp>
#include <set>

#include "link/graph/graph.h"
#include "reading.h"
#include "reread.h"

using namespace xtrace;

namespace {

const std::string kSession =
    R"({"sessionId":"s1","title":"Beds","workspaceDirectory":"/srv/garden","history":[)"
    R"({"message":{"id":"a","role":"user","content":[{"type":"text","text":"dig"}]}},)"
    R"({"message":{"id":"b","role":"assistant","content":"On it."},"executionId":"e1"},)"
    R"({"message":{"id":"c","role":"user","content":"rest"}},)"
    R"({"message":{"id":"d","role":"assistant","content":"Good night."}}]})";

const std::string kAction =
    R"({"executionId":"e1","actionId":"x","chat":[{"role":"human","content":"dig"},)"
    R"({"role":"bot","content":"It is dug."}],)"
    R"("metadata":{"modelId":"m","startTime":1788508800000,"endTime":1788508803000}})";

}  // namespace

TEST_CASE("a session of Kiro's IDE is its prompts and answers") {
  const Trace trace = read_log(kSession);
  REQUIRE(trace.calls.size() == 2);
  for (const Call& call : trace.calls) CHECK(trace[call.session] == "s1");
  CHECK(complaints_of(trace).empty());
  std::string notes;
  for (const SessionNote& note : trace.session_notes)
    notes += std::string(trace[note.session]) + ": " + std::string(trace[note.text]) + "\n";
  CHECK(notes == "s1: /srv/garden\ns1: Beds\n");
}

TEST_CASE("an answer of Kiro's IDE that its actions tell is told by these, in the same session") {
  Folder folder;
  folder.write("s1.json", kSession);
  folder.write(GENERATE("a.chat", "z.chat"), kAction);
  Progress progress;
  const Trace trace = load({folder.path()}, {}, progress).value();
  Excerpts excerpts(trace);
  std::string answers;
  for (const Call& call : trace.calls) {
    CHECK(trace[call.session] == "s1");
    answers +=
        std::string(excerpts.of(call).prompt) + ": " + std::string(excerpts.of(call).answer) + "\n";
  }
  CHECK_THAT(answers, Catch::Contains("dig: It is dug.\n"));
  CHECK_THAT(answers, Catch::Contains("rest: Good night.\n"));
  CHECK(trace.calls.size() == 2);
}

TEST_CASE("what a session of Kiro's IDE tells behind an execution goes on with its last action") {
  std::string later = kAction;  // an action that takes no time, as far as that is told
  later.replace(later.find(R"("x")"), 3, R"("y")");
  const std::string more = R"({"role":"bot","content":"And watered."})";
  later.insert(later.find("],"), "," + more);
  later.replace(later.find("1788508800000"), 13, "1788508804000");
  later.replace(later.find("1788508803000"), 13, "1788508804000");
  Folder folder;
  folder.write("s1.json", kSession);
  folder.write("s2.chat", kAction);
  folder.write("s3.chat", later);
  Progress progress;
  const Graph graph = link(load({folder.path()}, {}, progress).value(), {});
  Excerpts excerpts(graph.trace());
  REQUIRE(graph.links().size() == 2);
  std::set<std::string> links;
  for (const Link& link : graph.links())
    links.insert(std::string(excerpts.of(graph.trace()[link.from]).answer) + " " +
                 std::string(excerpts.of(graph.trace()[link.to]).answer));
  CHECK(links == std::set<std::string>{"It is dug. And watered.", "And watered. Good night."});
}

TEST_CASE("a session of Continue, in the words of Kiro's, is not read as one") {
  const Trace trace =
      read_log(R"({"sessionId":"s","title":"Beds","workspaceDirectory":"/srv/garden","history":[)"
               R"({"message":{"role":"user","content":"dig"},"contextItems":[]}]})");
  CHECK(trace.calls.empty());
  REQUIRE(trace.complaints.size() == 1);
  CHECK_THAT(trace.complaints.front().what, Catch::Contains("Continue"));
}

TEST_CASE("a command of Kiro that ended with a code fails, though it is a success") {
  const auto fails = [](const std::string& status) {
    const Trace trace = read_log(
        R"({"conversation_id":"c","history":[{"user":{"content":{"Prompt":{"prompt":"dig"}}},)"
        R"("assistant":{"ToolUse":{"message_id":"m1","content":"","tool_uses":[)"
        R"({"id":"t","name":"execute_bash","args":{}}]}}},{"user":{"content":{"ToolUseResults":)"
        R"({"tool_use_results":[{"tool_use_id":"t","status":"Success","content":[{"Json":)"
        R"({"exit_status":")" +
        status +
        R"(","stdout":""}}]}]}}},"assistant":{"Response":{"message_id":"m2","content":"so"}}}]})");
    REQUIRE_FALSE(trace.tool_results.empty());
    return trace.tool_results.back().is_error;
  };
  CHECK(fails("1"));
  CHECK(fails("exit status: 127"));
  CHECK_FALSE(fails("0"));
  CHECK_FALSE(fails("exit status: 0"));
}

TEST_CASE(
    "what stands beside a session of Kiro's CLI tells where it was held and what it is called") {
  Folder folder;
  folder.write("s1.jsonl",
               R"({"version":"v1","kind":"Prompt","data":{"message_id":"m1","content":[)"
               R"({"kind":"text","data":"dig"}],"meta":{"timestamp":1788255000}}})"
               "\n"
               R"({"version":"v1","kind":"AssistantMessage","data":{"message_id":"m2","content":[)"
               R"({"kind":"text","data":"dug"}]}})"
               "\n");
  folder.write("s1.json", R"({"session_id":"s1","cwd":"/srv/garden","title":"Beds",)"
                          R"("session_state":{"conversation_metadata":{}}})");
  Progress progress;
  const Trace trace = load({folder.path()}, {}, progress).value();
  REQUIRE(trace.calls.size() == 1);
  std::string notes;
  for (const SessionNote& note : trace.session_notes) {
    CHECK(note.session == trace.calls[0].session);
    notes += std::string(trace[note.text]) + "\n";
  }
  CHECK(notes == "/srv/garden\nBeds\n");
}

TEST_CASE("tools of Kiro without ids are read by the entry behind them, in which nobody asks") {
  const Graph graph = link(
      read_log(
          R"({"conversation_id":"c","history":[{"user":{"content":{"Prompt":{"prompt":"dig"}}},)"
          R"("assistant":{"ToolUse":{"message_id":"","content":"","tool_uses":[)"
          R"({"id":"","name":"fs_read","args":{}},{"id":"","name":"execute_bash","args":{}}]}}},)"
          R"({"user":{"content":null},"assistant":{"ToolUse":{"message_id":"","content":"",)"
          R"("tool_uses":[{"id":"","name":"fs_read","args":{}}]}}},{"user":{"content":null},)"
          R"("assistant":{"Response":{"message_id":"","content":"dug"}}}]})"),
      {});
  const Trace& trace = graph.trace();
  REQUIRE(trace.calls.size() == 3);
  std::string told;
  for (const Link& link : graph.links())
    if (link.kind == LinkKind::tool_result) {
      told += std::to_string(link.from.index) + ">" + std::to_string(link.to.index) + " ";
      CHECK(confidence(link) == Approx(0.9));
    }
  CHECK(told == "0>1 0>1 1>2 ");
  CHECK(graph.call_turns()[2].number == graph.call_turns()[0].number);
}

TEST_CASE(
    "what stands beside a session of Kiro's CLI tells its parent, whatever it has of a state") {
  const auto line = [](const std::string& kind, const std::string& text) {
    return R"({"version":"v1","kind":")" + kind + R"(","data":{"message_id":")" + text +
           R"(","content":[{"kind":"text","data":")" + text + R"("}]}})" + "\n";
  };
  Folder folder;
  folder.write("s1.jsonl", line("Prompt", "dig") + line("AssistantMessage", "dug"));
  folder.write("s2.jsonl", line("Prompt", "rake") + line("AssistantMessage", "raked"));
  folder.write("s2.json", R"({"session_id":"s2","cwd":"/g","created_at":"2026-09-20T10:00:05Z",)"
                          R"("parent_session_id":"s1","session_state":{"version":"v1"}})");
  Progress progress;
  const Trace trace = load({folder.path()}, {}, progress).value();
  REQUIRE(trace.calls.size() == 2);
  for (const Call& call : trace.calls) CHECK(trace[call.session] == "s1");
}

namespace {

std::string event(int second, const std::string& payload, const char* whose = "e") {
  return R"({"id":")" + (whose + std::to_string(second)) + R"(","timestamp":"2026-10-01T10:00:0)" +
         std::to_string(second) + R"(.000Z","payload":{)" + payload + "}}\n";
}

}  // namespace

TEST_CASE("events of newer Kiro are answers, each until a tool gives something") {
  Folder folder;
  const std::string session = "sessions/9f3c/sess_1/";
  folder.write(session + "session.json",
               R"({"schemaVersion":"1.0.0","id":"sess_1","title":"Beds","workspacePaths":["/g"]})");
  folder.write(
      session + "messages.jsonl",
      event(0, R"("type":"session_start","content":"dig")") +
          event(1, R"("type":"turn_start","executionId":"x")") +
          event(2, R"("type":"assistant","content":"On it.","modelId":"auto")") +
          event(
              3,
              R"("type":"tool_call","toolCallId":"t1","toolName":"bash","args":{"command":"dig"})") +
          event(4, R"("type":"tool_result","toolCallId":"t1","content":"dug","success":false)") +
          event(5, R"("type":"assistant","content":"It is dug.","modelId":"auto")") +
          event(6,
                R"("type":"usage_summary","promptTurnSummaries":[{"unit":"credit","usage":1.2}])"));
  folder.write(session + "sub-executions/s1.jsonl",
               event(3, R"("type":"user","content":"look")", "s") +
                   event(4, R"("type":"assistant","content":"fine")", "s"));
  Progress progress;
  const Trace trace = load({folder.path()}, {}, progress).value();
  CHECK(complaints_of(trace) == "");
  REQUIRE(trace.calls.size() == 3);
  for (const Call& call : trace.calls) CHECK(trace[call.session] == "sess_1");
  Excerpts excerpts(trace);
  CHECK(excerpts.of(trace.calls[0]).prompt == "dig");
  CHECK(excerpts.of(trace.calls[0]).answer == "On it.");
  CHECK(excerpts.of(trace.calls[1]).answer == "It is dug.");
  CHECK(trace.calls[2].in_subagent);
  REQUIRE(!trace.tool_results.empty());
  CHECK(trace.tool_results.back().is_error);
}
