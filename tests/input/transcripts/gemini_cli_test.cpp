#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "by_line.h"
#include "link/graph/graph.h"
#include "reading.h"
#include "reread.h"

using namespace xtrace;

namespace {

using Json = nlohmann::json;

Json message(const char* id, const char* type, const char* text) {
  return {{"id", id}, {"type", type}, {"content", text}, {"timestamp", "2026-01-01T10:00:00Z"}};
}

Json tool(const char* id, const char* output) {
  Json response = {{"functionResponse", {{"id", id}, {"response", {{"output", output}}}}}};
  return {{"id", id},
          {"name", "read_file"},
          {"args", {{"file_path", "a.txt"}}},
          {"status", "success"},
          {"timestamp", "2026-01-01T10:00:05Z"},
          {"result", Json::array({response})}};
}

Json with_tool(Json message, Json call) {
  message["toolCalls"] = Json::array({std::move(call)});
  return message;
}

Json chat(std::vector<Json> messages) {
  return {{"sessionId", "s"}, {"messages", std::move(messages)}};
}

}  // namespace

TEST_CASE("a tool's use and its output in one message of Gemini CLI are two steps") {
  Json log = chat({message("m1", "user", "read it"),
                   with_tool(message("m2", "gemini", "I read"), tool("t1", "pears")),
                   message("m3", "info", "an update is there"), message("m4", "gemini", "pears")});
  log["messages"][3]["timestamp"] = "2026-01-01T10:00:08Z";
  int indent = GENERATE(-1, 1);
  Folder folder;
  Progress progress;
  Graph graph = link(load({folder.write("chat.json", log.dump(indent))}, {}, progress).value(), {});
  const Trace& trace = graph.trace();
  CHECK(trace.sources.front().format == "gemini-cli");
  CHECK(trace.sources.front().records == 1);
  REQUIRE(trace.calls.size() == 2);
  CHECK(trace[trace.calls[0].id] == "m2");
  CHECK(trace[trace.calls[0].session] == "s");
  CHECK(trace.calls[1].start == trace.calls[0].start + std::chrono::seconds(5));
  REQUIRE(graph.links().size() == 2);
  CHECK(graph.links()[0].rule == Rule::tool_use_id);
  CHECK(graph.links()[1].rule == Rule::transcript);
  Excerpts excerpts(trace);
  Excerpt first = excerpts.of(trace.calls[0]), second = excerpts.of(trace.calls[1]);
  CHECK(first.prompt == "read it");
  CHECK(first.answer == "I read");
  CHECK(second.prompt == "pears");
  CHECK(second.answer == "pears");
}

TEST_CASE("a message knows its line in a chat that is written over many") {
  Trace trace = read_log(chat({message("m1", "user", "x"), message("m2", "gemini", "y")}).dump(1));
  std::string text = chat({message("m1", "user", "x"), message("m2", "gemini", "y")}).dump(1);
  std::string before = text.substr(0, text.rfind("\"content\": \"y\""));
  long lines = std::count(before.begin(), before.end(), '\n');  // the line of the `{` before it
  CHECK(trace.calls.front().source.line == lines);
}

TEST_CASE("two checkpoints of one chat have its messages once") {
  Json first =
      chat({message("m1", "user", "x"), with_tool(message("m2", "gemini", "y"), tool("t1", "z"))});
  Json second = first;
  second["messages"].push_back(message("m3", "gemini", "w"));
  Folder folder;
  Progress progress;
  Trace trace =
      load({folder.write("1.json", first.dump(1)), folder.write("2.json", second.dump(1))}, {},
           progress)
          .value();
  CHECK(trace.calls.size() == 2);
  CHECK(trace.sources[1].copies == 3);
}

TEST_CASE("Gemini's thoughts are output, cached tokens no input, and zeroes mean not counted") {
  Json message_of = message("m", "gemini", "x");
  message_of["tokens"] = {{"input", 100},  {"output", 10}, {"cached", 60},
                          {"thoughts", 5}, {"tool", 7},    {"total", 122}};
  Json uncounted = message("n", "gemini", "y");
  uncounted["tokens"] = {{"input", 0}, {"output", 0}, {"cached", 0}, {"total", 0}};
  Trace trace = read_log(chat({message_of, uncounted}).dump());
  REQUIRE(trace.calls.size() == 2);
  CHECK(trace.calls[0].tokens == Tokens{.input = 47, .output = 15, .cache_read = 60});
  CHECK(trace.calls[1].tokens == Tokens{});
}

TEST_CASE("a tool of Gemini CLI fails by its status, its response or its exit code") {
  Json call = tool("t1", "all well");
  SECTION("status") {
    call["status"] = "cancelled";
  }
  SECTION("response") {
    call["result"][0]["functionResponse"]["response"] = {{"error", "no such file"}};
  }
  SECTION("exit code") {
    call["name"] = "run_shell_command";
    call["result"][0]["functionResponse"]["response"]["output"] = "Output: x\nExit Code: 2\n";
  }
  Trace trace = read_log(chat({with_tool(message("m", "gemini", ""), call)}).dump());
  REQUIRE(trace.tool_results.size() > 0);
  CHECK(trace.tool_results.front().is_error);
}

TEST_CASE("messages that are no objects cost only themselves") {
  Trace trace = read_log(R"({"sessionId":"s","messages":[null,7,{"type":"user"},"x",)"
                         R"({"id":"m","type":"gemini","content":["a",{"text":"b"}]}]})");
  REQUIRE(trace.calls.size() == 1);
  CHECK(trace[trace.calls.front().id] == "m");
}

TEST_CASE("an error that Gemini CLI shows is a failed call if the API failed") {
  const auto failed = [](const char* text, bool is_answered) {
    std::vector<Json> said = {message("m1", "user", "go")};
    if (is_answered) said.push_back(message("m2", "gemini", "so"));
    said.push_back(message("m3", "error", text));
    said.push_back(message("m4", "user", "on"));
    said.push_back(message("m5", "gemini", "so"));
    size_t count = 0;
    for (const Call& call : read_log(chat(std::move(said)).dump()).calls)
      count += call.outcome == Outcome::error ? 1 : 0;
    return count;
  };
  CHECK(failed("[API Error: 429 rate]", false) == 1);
  CHECK(failed("Cannot open clipboard", false) == 0);
  SECTION("also where what was asked is answered, or taken back") {
    CHECK(failed("[API Error: 429 rate]", true) == 1);
  }
}

TEST_CASE("only a command of Gemini CLI fails by its exit code, which is a line by itself") {
  const auto fails = [](const char* name, const char* output) {
    Json call = tool("t1", output);
    call["name"] = name;
    const Trace trace =
        read_log(chat({message("m1", "user", "go"), with_tool(message("m2", "gemini", "x"), call),
                       message("m3", "gemini", "so")})
                     .dump());
    return trace.tool_results.front().is_error;
  };
  CHECK(fails("run_shell_command", "Output: a\nExit Code: 1"));
  CHECK(fails("run_shell_command", "Output: a\nExit Code: 127\nSignal: (none)"));
  CHECK_FALSE(fails("run_shell_command", "Output: a\nExit Code: 0"));
  CHECK_FALSE(fails("run_shell_command", "Output: a\nExit Code: (none)"));
  CHECK_FALSE(fails("run_shell_command", "Output: a\nExit Code: 1 in the log"));
  CHECK_FALSE(fails("read_file", "step\nExit Code: 1\nsee above"));
}

TEST_CASE("what goes on from before a prompt that was taken back reads what tools gave by then") {
  const auto line = [](const Json& json) { return json.dump() + "\n"; };
  const auto answer = [](const char* id) {
    Json answer = message(id, "gemini", "so");
    answer["model"] = "m";
    return answer;
  };
  const Graph graph = link(
      read_log(line({{"sessionId", "s"}, {"projectHash", "p"}}) +
               line(message("1", "user", "one")) +
               line(with_tool(answer("A"), tool("t1", "pears"))) +
               line(message("2", "user", "two")) + line(answer("B")) + line({{"$rewindTo", "2"}}) +
               line(message("3", "user", "three")) + line(answer("C"))),
      {});
  const Trace& trace = graph.trace();
  std::string readers;
  for (const Link& link : graph.links())
    if (link.kind == LinkKind::tool_result) readers += trace[trace[link.to].id];
  CHECK(readers == "BC");
}

TEST_CASE("what Gemini CLI rewound to is asked again with what was asked before, again and again") {
  const auto line = [](const Json& record) { return record.dump() + "\n"; };
  const auto answer = [](const char* id) {
    Json said = message(id, "gemini", id);
    said["tokens"] = {{"input", 5}, {"output", 5}};
    return said;
  };
  const std::string rewound = line({{"$rewindTo", "A"}});
  const std::string log = line({{"sessionId", "s"}, {"projectHash", "p"}}) +
                          line(message("1", "user", "one")) + line(message("2", "user", "two")) +
                          line(answer("A")) + rewound + line(message("3", "user", "three")) +
                          rewound + line(answer("B")) + rewound +
                          line(message("4", "user", "four")) + line(answer("C"));
  const Trace trace = read_log(log);
  REQUIRE(trace.calls.size() == 3);
  CHECK(trace.calls[0].message_count == 2);
  CHECK(trace.calls[1].message_count == 2);
  CHECK(trace.calls[2].message_count == 3);
  for (const Call& call : trace.calls) CHECK_FALSE(call.previous);
}

TEST_CASE("how Gemini CLI answers its own summary is no call, whether or not it says `tokens`") {
  const bool says = GENERATE(true, false);
  Json made_up = message("n2", "gemini", "Got it.");
  if (says) made_up["tokens"] = nullptr;
  const Json change = {
      {"$set",
       {{"messages", {message("n1", "user", "<state_snapshot>sum</state_snapshot>"), made_up}}}}};
  const Json head = {{"sessionId", "s"}, {"projectHash", "h"}, {"startTime", "t"}};
  const Trace trace = read_log(head.dump() + "\n" + message("m1", "user", "dig").dump() + "\n" +
                               message("m2", "gemini", "dug").dump() + "\n" + change.dump() + "\n" +
                               message("m3", "user", "sow").dump() + "\n" +
                               message("m4", "gemini", "sown").dump() + "\n");
  CHECK(trace.calls.size() == 2);
}

TEST_CASE("what a tool gave is known, though Gemini CLI took back that it was asked for") {
  const auto line = [](const Json& record) { return record.dump() + "\n"; };
  Json asks = with_tool(message("A", "gemini", "so"), tool("t1", "pears"));
  asks["model"] = "m";
  Json answer = message("B", "gemini", "no");
  answer["model"] = "m";
  const Graph graph =
      link(read_log(line({{"sessionId", "s"}, {"projectHash", "p"}}) +
                    line(message("1", "user", "one")) + line(asks) + line({{"$rewindTo", "1"}}) +
                    line(message("2", "user", "two")) + line(answer)),
           {});
  const std::vector<CallId> calls(graph.timeline().in_order().begin(),
                                  graph.timeline().in_order().end());
  REQUIRE(calls.size() == 2);
  const std::span<const Activity> done = graph.activities().tools_of(calls[0]);
  REQUIRE(done.size() == 1);
  CHECK(done[0].outcome == Outcome::ok);
  CHECK_FALSE(done[0].reader);
}
