#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "by_line.h"
#include "reading.h"
#include "reread.h"

using namespace xtrace;

namespace {

using Json = nlohmann::json;

class PiLog {
 public:
  PiLog() { line({{"type", "session"}, {"id", "s"}, {"cwd", "/code"}, {"modelId", "opus"}}); }
  PiLog& line(Json line) {
    line["timestamp"] = "2026-01-01T10:00:" + std::to_string(10 + next_++) + "Z";
    text_ += line.dump() + "\n";
    return *this;
  }
  PiLog& says(const char* role, const char* text, const Json& more = Json::object()) {
    Json message = {{"role", role}, {"content", {{{"type", "text"}, {"text", text}}}}};
    message.update(more);
    return line({{"type", "message"}, {"message", message}});
  }
  PiLog& uses(const char* id) {
    Json use = {{"type", "toolCall"}, {"id", id}, {"name", "read"}, {"arguments", {{"path", "a"}}}};
    return line({{"type", "message"},
                 {"message", {{"role", "assistant"}, {"content", {use}}, {"model", "opus-4"}}}});
  }
  Graph graph() const { return link(read_log(text_), {}); }
  std::string text() const { return text_; }

 private:
  std::string text_;
  int next_ = 0;
};

/// A message that says what it follows.
Json entry(const char* id, const char* after, const char* role, const char* text) {
  return {{"type", "message"},
          {"id", id},
          {"parentId", after},
          {"message", {{"role", role}, {"content", text}}}};
}

}  // namespace

TEST_CASE("every answer of a pi session is a call, linked by tools and by order") {
  PiLog log;
  log.says("user", "go").uses("t1");
  log.says("toolResult", "no", {{"toolCallId", "t1"}, {"isError", true}});
  log.says("assistant", "done", {{"stopReason", "stop"}});
  Graph graph = log.graph();
  const Trace& trace = graph.trace();
  REQUIRE(trace.calls.size() == 2);
  CHECK(trace[trace.calls[0].model] == "opus-4");
  CHECK(trace[trace.calls[1].model] == "opus");  // nothing but the session's line shows it
  CHECK(trace[trace.calls[1].session] == "s");
  CHECK(trace[trace.tool_uses.front().target] == "a");
  CHECK(links_by_line(graph) == "3->5 tool_use_id error\n3->5 transcript");
}

TEST_CASE("a change of the model holds for what follows") {
  PiLog log;
  log.says("user", "go").says("assistant", "one");
  log.line({{"type", "model_change"}, {"modelId", "haiku"}}).says("assistant", "two");
  Graph graph = log.graph();
  CHECK(graph.trace()[graph.trace().calls.at(1).model] == "haiku");
}

TEST_CASE("an answer of pi that failed is an attempt; one that was stopped half-way is an answer") {
  PiLog log;
  log.says("user", "go");
  log.line({{"type", "message"},
            {"message",
             {{"role", "assistant"},
              {"content", Json::array()},
              {"model", "opus"},
              {"usage", {{"input", 0}, {"output", 0}, {"cacheRead", 0}, {"cacheWrite", 0}}},
              {"stopReason", "error"},
              {"errorMessage", "529 overloaded"}}}});
  log.says("assistant", "half", {{"stopReason", "aborted"}, {"errorMessage", "aborted by user"}});
  Graph graph = log.graph();
  const Trace& trace = graph.trace();
  REQUIRE(trace.calls.size() == 2);
  CHECK(trace.calls[0].outcome == Outcome::error);
  CHECK(trace[trace.calls[0].error] == "http_529");
  CHECK(trace.calls[0].tokens == Tokens{});
  CHECK(trace[trace.calls[1].error] == "aborted");
  CHECK(trace.calls[1].answer);
  CHECK(links_by_line(graph) == "3->4 same_messages");
}

TEST_CASE("an answer of pi is sound though the call behind it failed") {
  PiLog log;
  log.says("user", "go").says("assistant", "one", {{"stopReason", "stop"}});
  log.line({{"type", "message"},
            {"message",
             {{"role", "assistant"},
              {"content", Json::array()},
              {"stopReason", "error"},
              {"errorMessage", "529 overloaded"}}}});
  const Graph graph = log.graph();
  const Trace& trace = graph.trace();
  REQUIRE(trace.calls.size() == 2);
  CHECK(trace.calls[0].outcome == Outcome::ok);
  CHECK(trace.calls[1].outcome == Outcome::error);
}

TEST_CASE("all four counters of pi are apart, and it tells what the call cost") {
  PiLog log;
  log.says("assistant", "x",
           {{"usage",
             {{"input", 1},
              {"output", 2},
              {"cacheRead", 3},
              {"cacheWrite", 4},
              {"cost", {{"input", 1}, {"total", 0.0299775}}}}}});
  Graph graph = log.graph();
  CHECK(graph.trace().calls.at(0).cost == 29977500);
  CHECK(graph.trace().calls.at(0).tokens ==
        Tokens{.input = 1, .output = 2, .cache_read = 3, .cache_creation = 4});
}

TEST_CASE("a session of pi goes on with its summary") {
  PiLog log;
  log.says("user", "one").says("assistant", "two");
  log.line({{"type", "compaction"}, {"summary", "they talked"}});
  log.says("user", "three").says("assistant", "four");
  Graph graph = log.graph();
  CHECK(graph.trace().calls.at(1).message_count == 2);
  CHECK(links_by_line(graph) == "3->6 summary");
}

TEST_CASE("a branch of a pi session goes on from where it left") {
  PiLog log;
  log.line(entry("a", "", "user", "one")).line(entry("b", "a", "assistant", "two"));
  log.line(entry("c", "b", "user", "three")).line(entry("d", "c", "assistant", "four"));
  log.line(entry("e", "b", "user", "another")).line(entry("f", "e", "assistant", "five"));
  CHECK(links_by_line(log.graph()) == "3->5 transcript\n3->7 transcript");
}

TEST_CASE("a second branch behind a summary of pi goes on with the summary as the first did") {
  PiLog log;
  log.line(entry("a", "", "user", "one")).line(entry("b", "a", "assistant", "two"));
  log.line({{"type", "compaction"}, {"id", "c"}, {"parentId", "b"}, {"summary", "they talked"}});
  log.line(entry("d", "c", "user", "three")).line(entry("e", "d", "assistant", "four"));
  log.line(entry("f", "c", "user", "another")).line(entry("g", "f", "assistant", "five"));
  const Graph graph = log.graph();
  CHECK(links_by_line(graph) == "3->6 summary\n3->8 summary");
  CHECK(graph.trace().calls.at(1).message_count == 2);
  CHECK(graph.trace().calls.at(2).message_count == 2);
}

TEST_CASE("who goes back before a summary of pi goes on with all that was said") {
  PiLog log;
  log.line(entry("a", "", "user", "one")).line(entry("b", "a", "assistant", "two"));
  log.line({{"type", "compaction"}, {"id", "c"}, {"parentId", "b"}, {"summary", "they talked"}});
  log.line({{"type", "label"}, {"id", "d"}, {"parentId", "c"}});
  log.line(entry("e", "b", "user", "another")).line(entry("f", "e", "assistant", "five"));
  CHECK(links_by_line(log.graph()) == "3->7 transcript");
}

TEST_CASE("calls that pi makes on its own count, where it tells what they used up") {
  const auto usage = [](int input) {
    return Json{{"input", input}, {"output", 1}, {"cost", {{"total", input * 0.1}}}};
  };
  PiLog log;
  log.line(entry("a", "", "user", "one")).line(entry("b", "a", "assistant", "two"));
  log.line({{"type", "compaction"},
            {"id", "c"},
            {"parentId", "b"},
            {"summary", "they talked"},
            {"usage", usage(1)}});
  log.line(entry("d", "c", "user", "three")).line(entry("e", "d", "assistant", "four"));
  log.line({{"type", "usage"},
            {"id", "f"},
            {"parentId", "e"},
            {"kind", "cache_warm"},
            {"model", "small"},
            {"usage", usage(2)}});
  log.line({{"type", "branch_summary"},
            {"id", "g"},
            {"parentId", "b"},
            {"fromId", "e"},
            {"summary", "in vain"},
            {"usage", usage(3)}});
  log.line(entry("h", "g", "user", "five")).line(entry("i", "h", "assistant", "six"));
  const Graph graph = log.graph();
  const std::vector<Call>& calls = graph.trace().calls;
  REQUIRE(calls.size() == 6);
  CHECK(calls[1].sums_up);
  CHECK(calls[1].cost == 100'000'000);
  CHECK(calls[2].is_compacted);
  CHECK(graph.trace()[calls[3].model] == "small");
  CHECK(calls[3].tokens.input == 2);
  CHECK(calls[4].sums_up);
  CHECK(calls[4].tokens.input == 3);
  CHECK(links_by_line(graph) ==
        "3->4 transcript\n4->6 summary\n6->7 transcript\n6->8 transcript\n3->10 transcript");
}

TEST_CASE("what a tool of pi asked models for is that of an agent it started") {
  PiLog log;
  log.says("user", "go").uses("t1");
  log.says("toolResult", "found",
           {{"toolCallId", "t1"},
            {"toolName", "search"},
            {"usage", {{"input", 50}, {"output", 5}, {"cost", {{"total", 0.5}}}}}});
  log.says("assistant", "done");
  const Graph graph = log.graph();
  const Trace& trace = graph.trace();
  REQUIRE(trace.calls.size() == 3);
  const Call& work = trace.calls.back();
  CHECK(work.in_subagent);
  CHECK(trace[work.spawned_by] == "t1");
  CHECK(trace[work.agent_type] == "search");
  CHECK(work.tokens.input == 50);
  CHECK(work.cost == 500'000'000);
}

TEST_CASE("what the user ran by himself is told to the model") {
  PiLog log;
  log.line({{"type", "message"},
            {"message", {{"role", "bashExecution"}, {"command", "date"}, {"output", "noon"}}}});
  log.says("assistant", "noon");
  Folder folder;
  Progress progress;
  Trace trace = load({folder.write("pi.jsonl", log.text())}, {}, progress).value();
  REQUIRE(trace.calls.size() == 1);
  CHECK(trace.calls.front().message_count == 1);
  Excerpt excerpt = Excerpts(trace).of(trace.calls.front());
  CHECK(excerpt.prompt == "date\nnoon");
  CHECK(excerpt.answer == "noon");
}

TEST_CASE("what pi prints as JSON is read once, though it tells each message several times") {
  const std::string use =
      R"({"role":"assistant","content":[{"type":"toolCall","id":"t1","name":"read","arguments":{"path":"a"}}],)"
      R"("model":"opus","usage":{"input":12,"output":3,"cost":{"total":0.5}},"stopReason":"toolUse",)"
      R"("timestamp":1767261602000})";
  std::string log =
      R"({"type":"session","id":"s","cwd":"/garden","timestamp":"2026-01-01T10:00:00Z"})"
      "\n"
      R"({"type":"agent_start"})"
      "\n"
      R"({"type":"message_start","message":{"role":"user","content":"dig","timestamp":1767261601000}})"
      "\n"
      R"({"type":"message_end","message":{"role":"user","content":"dig","timestamp":1767261601000}})"
      "\n";
  log += R"({"type":"message_update","message":)" + use + "}\n";
  log += R"({"type":"message_end","message":)" + use + "}\n";
  log +=
      R"({"type":"tool_execution_end","toolCallId":"t1","toolName":"read","result":{"content":[{"type":"text","text":"no"}]},"isError":true})"
      "\n";
  const bool is_told_again = GENERATE(false, true);
  const std::string result =
      R"({"role":"toolResult","toolCallId":"t1","content":[{"type":"text","text":"no"}],"isError":true,"timestamp":1767261603000})";
  if (is_told_again) log += R"({"type":"message_end","message":)" + result + "}\n";
  log += R"({"type":"turn_end","message":)" + use + R"(,"toolResults":[)" + result + "]}\n";
  log +=
      R"({"type":"message_end","message":{"role":"assistant","content":[{"type":"text","text":"dug"}],"model":"opus","usage":{"input":20,"output":4},"timestamp":1767261604000}})"
      "\n"
      R"({"type":"agent_end","messages":[]})"
      "\n";
  Graph graph = link(read_log(log), {});
  const Trace& trace = graph.trace();
  CHECK(trace.sources.front().format == "pi");
  CHECK(trace.sources.front().skipped == 0);
  REQUIRE(trace.calls.size() == 2);
  CHECK(trace[trace.calls[0].session] == "s");
  CHECK(trace.calls[0].tokens.input == 12);
  CHECK(trace.calls[0].cost == 500'000'000);
  CHECK(trace.calls[1].message_count == 3);
  REQUIRE(graph.links().size() == 2);
  CHECK(graph.links()[0].rule == Rule::tool_use_id);
  CHECK(graph.links()[0].is_error);
  CHECK(trace.calls[1].duration == (is_told_again ? std::chrono::seconds(1) : kNoDuration));
}

TEST_CASE("a session of pi and what its run printed are one session, and each answer counts once") {
  PiLog log;
  const Json used = {{"usage", {{"input", 10}, {"output", 2}}}, {"stopReason", "stop"}};
  log.says("user", "go").says("assistant", "done", used);
  const auto printed = [&](const char* role, const char* text, int second, const Json& more) {
    Json message = {{"role", role},
                    {"content", {{{"type", "text"}, {"text", text}}}},
                    {"timestamp", 1767261600000 + int64_t{1000} * second}};
    message.update(more);
    return Json{{"type", "message_end"}, {"message", message}}.dump() + "\n";
  };
  const std::string stream = R"({"type":"session","id":"s","cwd":"/code"})"
                             "\n" +
                             printed("user", "go", 11, Json::object()) +
                             printed("assistant", "done", 11, used);
  Folder folder;
  SECTION("however they are named") {
    const bool is_first = GENERATE(true, false);
    folder.write(is_first ? "a.jsonl" : "z.jsonl", stream);
    folder.write("m.jsonl", log.text());
    Progress progress;
    const Trace trace = load({folder.path()}, {}, progress).value();
    REQUIRE(trace.calls.size() == 1);
    CHECK(trace.calls[0].tokens.input == 10);
    CHECK(trace.sources[is_first ? 0 : 1].copies == 2);
  }
  SECTION("but what a run printed when the session's file had ended counts") {
    const bool opens_anew = GENERATE(true, false);
    folder.write("a.jsonl", stream +
                                (opens_anew ? R"({"type":"session","id":"s","cwd":"/code"})"
                                              "\n"
                                            : "") +
                                printed("user", "more", 40, Json::object()) +
                                printed("assistant", "well", 41, used));
    folder.write("m.jsonl", log.text());
    Progress progress;
    const Trace trace = load({folder.path()}, {}, progress).value();
    CHECK(trace.calls.size() == 2);
    CHECK(trace.sources[0].copies == 2);
  }
  SECTION("but a run that began when the session's file had ended counts") {
    folder.write("a.jsonl", R"({"type":"session","id":"s","cwd":"/code"})"
                            "\n" +
                                printed("user", "more", 40, Json::object()) +
                                printed("assistant", "well", 41, used));
    folder.write("m.jsonl", log.text());
    Progress progress;
    const Trace trace = load({folder.path()}, {}, progress).value();
    CHECK(trace.calls.size() == 2);
  }
}

TEST_CASE("a session of Oh My Pi begins with its title") {
  PiLog log;
  log.says("user", "go").says("assistant", "done");
  const Trace trace = read_log(
      R"({"type":"title","v":1,"title":"Beds","source":"auto","updatedAt":"2026-01-01T10:00:00Z"})"
      "\n" +
      log.text());
  CHECK(complaints_of(trace) == "");
  CHECK(trace.calls.size() == 1);
  REQUIRE(trace.session_notes.size() == 2);
  CHECK(trace[trace.session_notes[0].text] == "Beds");
}
