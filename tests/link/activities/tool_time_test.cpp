#include "link/calls/tool_time.h"

#include <fmt/format.h>

#include <catch2/catch.hpp>

#include "link/activities/critical_path.h"
#include "link/activities/time_account.h"
#include "reading.h"
#include "story.h"
#include "transcript.h"

using namespace xtrace;

namespace {

/// `t1 7, t2 3`: seconds; `t1 ?`: not known.
std::string tool_seconds(const Graph& graph) {
  std::string text;
  for (const Activity& tool : graph.activities().all) {
    if (tool.use == nullptr) continue;
    text += fmt::format("{}{} ", text.empty() ? "" : ", ", graph.trace()[tool.use->id]);
    text += tool.duration == kNoDuration
                ? "?"
                : fmt::format("{}", tool.duration / std::chrono::seconds(1));
  }
  return text;
}

/// `2 model, 7 tool`
std::string seconds_by_part(const PartTimes& parts) {
  std::string text;
  for (size_t i = 0; i < kPathParts; ++i)
    if (parts[i] > Duration{0})
      text += fmt::format("{}{} {}", text.empty() ? "" : ", ", parts[i] / std::chrono::seconds(1),
                          kPathPartWords[i]);
  return text;
}

TimeAccount account_of(const Graph& graph) {
  static const std::vector<uint32_t> kNoLinks;
  return account_for_time(graph, {[](CallId) { return true; }, kNoLinks});
}

CallPath path_of(const Graph& graph) {
  std::vector<uint32_t> links(graph.links().size());
  for (uint32_t i = 0; i < links.size(); ++i) links[i] = i;
  return critical_path(graph, {[](CallId) { return true; }, links});
}

Graph linked(const Transcript& session) {
  return link(read_log(session.text()), {});
}

/// Two tools asked for at once, until 2 s; the results are there after 5 s and after 9 s.
Transcript two_at_once() {
  return Transcript()
      .at(0)
      .user("u1", "go")
      .at(1)
      .answer("a1", "m1", uses("t1", "Bash"))
      .at(2)
      .answer("a2", "m1", uses("t2", "Bash"))
      .at(5)
      .result("r2", "t2")
      .at(9)
      .result("r1", "t1");
}

}  // namespace

TEST_CASE("of tools asked for at once, each takes until its own result is there") {
  const Graph graph = linked(two_at_once().at(12).answer("a3", "m2", says("done")));
  CHECK(tool_seconds(graph) == "t1 7, t2 3");
  CHECK(seconds_by_part(account_of(graph).parts) == "5 model, 7 tool");
  CHECK(account_of(graph).total == std::chrono::seconds(12));
}

TEST_CASE("results that no call was told take until they are there, too") {
  CHECK(tool_seconds(linked(two_at_once())) == "t1 7, t2 3");
}

TEST_CASE("a tool that ended while the answer was still being written ran nobody knows how long") {
  const Graph graph = linked(Transcript()
                                 .at(0)
                                 .user("u1", "go")
                                 .at(1)
                                 .answer("a1", "m1", uses("t1", "Read"))
                                 .at(2)
                                 .result("r1", "t1")
                                 .at(4)
                                 .answer("a2", "m1", uses("t2", "Bash"))
                                 .at(9)
                                 .result("r2", "t2")
                                 .at(12)
                                 .answer("a3", "m2", says("done")));
  CHECK(tool_seconds(graph) == "t1 ?, t2 5");
  CHECK(seconds_by_part(account_of(graph).parts) == "7 model, 5 tool");
}

TEST_CASE("behind the last result it is the person who is waited for, and no tool") {
  const Graph graph = linked(two_at_once()
                                 .at(30)
                                 .user("u2", "wait, do it otherwise")
                                 .at(33)
                                 .answer("a3", "m2", says("done")));
  CHECK(tool_seconds(graph) == "t1 7, t2 3");
  CHECK(seconds_by_part(account_of(graph).parts) == "5 model, 7 tool, 21 person");
  CHECK(seconds_by_part(path_of(graph).parts) == "5 model, 7 tool, 21 person");
}

TEST_CASE("a log's own measure of a tool goes before the dates of its results") {
  Call asked, reader;
  const auto second = [](int at) { return Time(std::chrono::seconds(at)); };
  asked.start = second(0);
  asked.duration = std::chrono::seconds(2);
  reader.start = second(20);
  ToolResult result;
  result.came = second(9);
  CHECK(tool_time(asked, result, &reader).length == std::chrono::seconds(7));
  CHECK_FALSE(tool_time(asked, result, &reader).is_measured);
  result.took = std::chrono::seconds(4);
  CHECK(tool_time(asked, result, &reader).length == std::chrono::seconds(4));
  CHECK(tool_time(asked, result, &reader).is_measured);
  CHECK(tool_time(asked, result, &reader).until == std::chrono::seconds(7));
}

TEST_CASE(
    "a date from another time than the calls', or that is the answer's, tells nothing of a tool") {
  Call asked, reader;
  const auto second = [](int at) { return Time(std::chrono::seconds(at)); };
  asked.start = second(100);
  asked.duration = std::chrono::seconds(2);
  reader.start = second(110);
  ToolResult result;
  for (int came : {9, 102, 200}) {
    result.came = second(came);
    CHECK(tool_time(asked, result, &reader).until == kNoDuration);
    CHECK(tool_time(asked, result, &reader).length == std::chrono::seconds(8));
  }
}

TEST_CASE("what a tool asks a person, the person is waited for with") {
  for (const char* tool : {"AskUserQuestion", "exit_plan_mode", "question"}) {
    const Graph graph = linked(Transcript()
                                   .at(0)
                                   .user("u1", "go")
                                   .at(2)
                                   .answer("a1", "m1", uses("t1", tool) + "," + uses("t2", "Bash"))
                                   .at(5)
                                   .result("r2", "t2")
                                   .at(65)
                                   .result("r1", "t1")
                                   .at(70)
                                   .answer("a2", "m2", says("done")));
    CHECK(seconds_by_part(account_of(graph).parts) == "7 model, 3 tool, 60 person");
    CHECK(seconds_by_part(path_of(graph).parts) == "7 model, 3 tool, 60 person");
  }
}

/// A line a minute of a rollout, from `lines` payloads of items and events.
std::string rollout(std::initializer_list<std::pair<const char*, const char*>> lines) {
  std::string text;
  int minute = 0;
  for (const auto& [type, payload] : lines)
    text += fmt::format(R"({{"timestamp":"2026-01-01T10:{:02}:00Z","type":"{}","payload":{}}})"
                        "\n",
                        minute++, type, payload);
  return text;
}

TEST_CASE("what Codex says of how long a tool ran, the rest of the wait was a person's") {
  const char* const kGo =
      R"({"type":"message","role":"user","content":[{"type":"input_text","text":"go"}]})";
  const char* const kUse =
      R"({"type":"function_call","call_id":"c1","name":"shell_command","arguments":"{}"})";
  const char* const kDone =
      R"({"type":"message","role":"assistant","content":[{"type":"output_text","text":"done"}]})";
  SECTION("in the output of the command") {
    const Graph graph = link(
        read_log(
            rollout({{"session_meta", R"({"id":"s"})"},
                     {"response_item", kGo},
                     {"response_item", kUse},
                     {"response_item", R"({"type":"function_call_output","call_id":"c1","output":)"
                                       R"("Exit code: 0\nWall time: 6 seconds\nOutput:\na"})"},
                     {"response_item", kDone}})),
        {});
    CHECK(tool_seconds(graph) == "c1 6");
    CHECK(seconds_by_part(account_of(graph).parts) == "120 model, 6 tool, 54 permission");
    CHECK(seconds_by_part(path_of(graph).parts) == "120 model, 6 tool, 54 permission");
  }
  SECTION("in an event") {
    const Graph graph = link(
        read_log(rollout(
            {{"session_meta", R"({"id":"s"})"},
             {"response_item", kGo},
             {"response_item", kUse},
             {"event_msg",
              R"({"type":"exec_command_end","call_id":"c1","duration":{"secs":6,"nanos":5}})"},
             {"response_item", R"({"type":"function_call_output","call_id":"c1","output":"a"})"},
             {"response_item", kDone}})),
        {});
    CHECK(tool_seconds(graph) == "c1 6");
    CHECK(seconds_by_part(account_of(graph).parts) == "120 model, 6 tool, 113 permission");
  }
}

TEST_CASE("tools that may have run one after the other waited for nobody") {
  const char* const kResult = R"("toolUseResult":{"durationMs":30000})";
  const Graph graph = linked(Transcript()
                                 .at(0)
                                 .user("u1", "go")
                                 .at(2)
                                 .answer("a1", "m1", uses("t1", "Bash") + "," + uses("t2", "Bash"))
                                 .at(32)
                                 .result("r1", "t1", kResult)
                                 .at(62)
                                 .result("r2", "t2", kResult)
                                 .answer("a2", "m2", says("done")));
  CHECK(seconds_by_part(account_of(graph).parts) == "3 model, 60 tool");
}

/// A session of OpenCode whose first message lasts from 0 s to 100 s, with these tools: name, begin
/// and end in seconds; the second one from 101 s to 103 s.
std::string export_with(
    std::initializer_list<std::tuple<const char*, const char*, int, int, const char*>> tools) {
  std::string parts = R"({"id":"p0","type":"step-finish"})";
  for (const auto& [id, name, from, to, state] : tools)
    parts += fmt::format(
        R"(,{{"id":"p{0}","type":"tool","callID":"{0}","tool":"{1}","state":{{{4},"input":{{}},)"
        R"("time":{{"start":17884{2:05}000,"end":17884{3:05}000}}}}}})",
        id, name, from, to, state);
  const auto message = [](const char* id, int from, int to, const std::string& said) {
    return fmt::format(
        R"({{"info":{{"id":"{}","role":"assistant","modelID":"m","providerID":"p","time":{{)"
        R"("created":17884{:05}000,"completed":17884{:05}000}}}},"parts":[{}]}})",
        id, from, to, said);
  };
  return R"({"info":{"id":"ses_1","version":"1","directory":"/g"},"messages":[{"info":{"id":"m0",)"
         R"("role":"user","time":{"created":1788400001000}},"parts":[{"type":"text","text":"go"}]},)" +
         message("m1", 1, 100, parts) + "," +
         message("m2", 101, 103, R"({"type":"text","text":"done"})") + "]}";
}

TEST_CASE("what tools took of an answer that was written down behind them is not the model's") {
  constexpr const char* kDone = R"("status":"completed","output":"x")";
  SECTION("one that ran to its end") {
    const Graph graph = link(read_log(export_with({{"t1", "bash", 5, 100, kDone}})), {});
    CHECK(tool_seconds(graph) == "t1 95");
    CHECK(seconds_by_part(account_of(graph).parts) == "6 model, 95 tool, 1 unexplained");
    CHECK(seconds_by_part(path_of(graph).parts) == "6 model, 95 tool, 1 unexplained");
    CHECK(account_of(graph).total == std::chrono::seconds(102));
  }
  SECTION("several, whose overlap counts once") {
    const Graph graph = link(read_log(export_with({{"t1", "bash", 5, 30, kDone},
                                                   {"t2", "read", 20, 40, kDone},
                                                   {"t3", "read", 90, 95, kDone}})),
                             {});
    CHECK(tool_seconds(graph) == "t1 25, t2 20, t3 5");
    CHECK(seconds_by_part(account_of(graph).parts) == "61 model, 40 tool, 1 unexplained");
    CHECK(seconds_by_part(path_of(graph).parts) == "61 model, 40 tool, 1 unexplained");
  }
  SECTION("a question to the person, and a tool beside it") {
    const Graph graph = link(
        read_log(export_with({{"t1", "question", 5, 95, kDone}, {"t2", "read", 20, 40, kDone}})),
        {});
    CHECK(seconds_by_part(account_of(graph).parts) ==
          "11 model, 20 tool, 70 person, 1 unexplained");
    CHECK(seconds_by_part(path_of(graph).parts) == "11 model, 20 tool, 70 person, 1 unexplained");
  }
  SECTION("one that the person did not let run") {
    const Graph graph = link(
        read_log(export_with({{"t1", "bash", 5, 95,
                               R"("status":"error","error":"The user rejected permission to use )"
                               R"(this specific tool call.")"}})),
        {});
    CHECK(tool_seconds(graph) == "t1 ?");
    CHECK(seconds_by_part(account_of(graph).parts) == "11 model, 90 permission, 1 unexplained");
    CHECK(seconds_by_part(path_of(graph).parts) == "11 model, 90 permission, 1 unexplained");
  }
}

TEST_CASE("a tool of the vendor's ended before the answer did that holds its result") {
  const std::string search =
      R"({"type":"server_tool_use","id":"s1","name":"web_search","input":{}},)"
      R"({"type":"web_search_tool_result","tool_use_id":"s1","content":[]},)"
      R"({"type":"text","text":"sunny"})";
  SECTION("in a log of calls, whose requests repeat it") {
    const auto call = [](int start, int end, const std::string& messages,
                         const std::string& answer) {
      return fmt::format(
          R"({{"timestamp":{},"duration_ms":{},"request":{{"model":"m","messages":[{}]}},)"
          R"("response":{{"id":"r{}","content":[{}],"usage":{{"output_tokens":1}}}}}})"
          "\n",
          1772323200 + start, (end - start) * 1000, messages, start, answer);
    };
    const std::string asked = R"({"role":"user","content":"the weather?"})";
    const Graph graph = link(read_log(call(0, 6, asked, search) +
                                      call(606, 610,
                                           asked + R"(,{"role":"assistant","content":[)" + search +
                                               R"(]},{"role":"user","content":"and tomorrow?"})",
                                           says("rain"))),
                             {});
    CHECK(tool_seconds(graph) == "s1 ?");
    CHECK(seconds_by_part(account_of(graph).parts) == "10 model, 600 person");
    CHECK(seconds_by_part(path_of(graph).parts) == "10 model, 600 person");
  }
  SECTION("in a transcript") {
    const Graph graph = linked(Transcript()
                                   .at(0)
                                   .user("u1", "the weather?")
                                   .at(6)
                                   .answer("a1", "m1", search)
                                   .at(606)
                                   .user("u2", "and tomorrow?")
                                   .at(610)
                                   .answer("a2", "m2", says("rain")));
    CHECK(tool_seconds(graph) == "s1 ?");
    CHECK(seconds_by_part(account_of(graph).parts) == "10 model, 600 person");
    CHECK(seconds_by_part(path_of(graph).parts) == "10 model, 600 person");
  }
  SECTION("and what was asked for beside it is waited for") {
    const Graph graph = linked(Transcript()
                                   .at(0)
                                   .user("u1", "the weather?")
                                   .at(6)
                                   .answer("a1", "m1", search + "," + uses("t1", "Write"))
                                   .at(9)
                                   .result("r1", "t1")
                                   .at(12)
                                   .answer("a2", "m2", says("done")));
    CHECK(tool_seconds(graph) == "s1 ?, t1 3");
    CHECK(seconds_by_part(path_of(graph).parts) == "9 model, 3 tool");
  }
}

TEST_CASE("what a person took to let a tool run is no time of the tool's") {
  const auto asked_for = [](const char* tool) {
    return Transcript().at(0).user("u1", "go").at(2).answer("a1", "m1", uses("t1", tool));
  };
  SECTION("as the client's own count of the turn tells") {
    const Graph graph =
        linked(asked_for("Write")
                   .at(30)
                   .result("r1", "t1")
                   .answer("a2", "m2", says("done"))
                   .line("d1", "system", R"("subtype":"turn_duration","durationMs":8000)"));
    CHECK(seconds_by_part(account_of(graph).parts) == "3 model, 4 tool, 24 permission");
    CHECK(tool_seconds(graph) == "t1 4");
    for (const Hop& hop : graph.call_hops().all)
      if (hop.tool) CHECK(hop.duration == std::chrono::seconds(4));
  }
  SECTION("of tools asked for at once, all waited while the client's count stood still") {
    const Graph graph =
        linked(two_at_once()
                   .at(12)
                   .answer("a3", "m2", says("done"))
                   .line("d1", "system", R"("subtype":"turn_duration","durationMs":11000)"));
    CHECK(seconds_by_part(account_of(graph).parts) == "5 model, 5 tool, 2 permission");
    CHECK(tool_seconds(graph) == "t1 5, t2 1");
  }
  SECTION("where nothing is left of its time, it is not known how long it ran") {
    const Graph graph =
        linked(asked_for("Write").at(30).result("r1", "t1").answer("a2", "m2", says("done")));
    CHECK(seconds_by_part(account_of(graph).parts) == "3 model, 28 permission");
    CHECK(tool_seconds(graph) == "t1 ?");
  }
  SECTION("unless the client asked for no leave, and something else took long") {
    const auto mode = [](const char* name) {
      return R"("message":{"role":"user","content":"go"},"permissionMode":")" + std::string(name) +
             '"';
    };
    const auto written = [&](const char* name) {
      return linked(Transcript()
                        .at(0)
                        .line("u1", "user", mode(name).c_str())
                        .at(2)
                        .answer("a1", "m1", uses("t1", "Write"))
                        .at(30)
                        .result("r1", "t1")
                        .answer("a2", "m2", says("done")));
    };
    for (const char* asks_nobody : {"acceptEdits", "bypassPermissions"}) {
      CAPTURE(asks_nobody);
      CHECK(seconds_by_part(account_of(written(asks_nobody)).parts) == "3 model, 28 tool");
    }
    CHECK(seconds_by_part(account_of(written("default")).parts) == "3 model, 28 permission");
  }
  SECTION("what the log measured stays") {
    const Graph graph = linked(asked_for("Bash")
                                   .at(30)
                                   .result("r1", "t1", R"("toolUseResult":{"durationMs":3000})")
                                   .answer("a2", "m2", says("done")));
    CHECK(seconds_by_part(account_of(graph).parts) == "3 model, 3 tool, 25 permission");
    CHECK(tool_seconds(graph) == "t1 3");
  }
}
