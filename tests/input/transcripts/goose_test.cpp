#include <algorithm>
#include <catch2/catch.hpp>

#include "link/graph/graph.h"
#include "reading.h"

using namespace xtrace;

namespace {

std::string goose_line(const char* role, int second, const std::string& piece) {
  return R"({"role":")" + std::string(role) + R"(","created":)" +
         std::to_string(1788255000 + second) + R"(,"content":[)" + piece + "]}\n";
}

}  // namespace

TEST_CASE("what Goose tells the user in the model's name is no call") {
  const std::string heading = R"({"working_dir":"/srv/garden","message_count":4})"
                              "\n";
  const auto notice = [](const char* words) {
    return goose_line("assistant", 3,
                      R"({"type":"systemNotification","msg":")" + std::string(words) + "\"}");
  };
  const std::string before = goose_line("user", 0, R"({"type":"text","text":"dig"})") +
                             goose_line("assistant", 2, R"({"type":"text","text":"dug"})");
  const std::string after = goose_line("user", 5, R"({"type":"text","text":"sow"})") +
                            goose_line("assistant", 6, R"({"type":"text","text":"sown"})");
  CHECK(read_log(heading + before + notice("a hint") + after).calls.size() == 2);
  const Trace trace = read_log(heading + before + notice("Conversation compacted") + after);
  REQUIRE(trace.calls.size() == 2);
  CHECK(trace.calls[1].is_compacted);
}

TEST_CASE("what goose run prints is its conversation, as one document and as a stream") {
  const std::string asks =
      goose_line("assistant", 2,
                 R"({"type":"toolRequest","id":"t1","toolCall":{"status":"success",)"
                 R"("value":{"name":"shell","arguments":{"command":"ls"}}}})");
  const std::string brings =
      goose_line("user", 4,
                 R"({"type":"toolResponse","id":"t1","toolResult":{"status":"error",)"
                 R"("error":"no such file"}})");
  const std::string ends = goose_line("assistant", 7, R"({"type":"text","text":"done"})");
  const auto streamed = [](const std::string& message) {
    return R"({"type":"message","message":)" + message.substr(0, message.size() - 1) + "}\n";
  };
  const auto item = [](const std::string& message) {
    return message.substr(0, message.size() - 1);
  };
  const std::string log =
      GENERATE_COPY(R"({"messages":[)" + item(asks) + "," + item(brings) + "," + item(ends) +
                        R"(],"metadata":{"total_tokens":9,"status":"completed"}})",
                    streamed(asks) + streamed(brings) + streamed(ends) +
                        R"({"type":"complete","total_tokens":9})");
  const Graph graph = link(read_log(log), {});
  REQUIRE(graph.trace().calls.size() == 2);
  CHECK(graph.trace().sources.front().skipped == 0);
  REQUIRE(graph.activities().tools_of(CallId(0)).size() == 1);
  CHECK(graph.activities().tools_of(CallId(0)).front().outcome == Outcome::error);
  CHECK(graph.trace().calls[1].start >= graph.trace().calls[0].start);
}

namespace {

std::string session_of(const std::string& id, const std::string& about, const std::string& lines) {
  std::string messages = lines;
  std::replace(messages.begin(), messages.end(), '\n', ',');
  if (!messages.empty()) messages.pop_back();
  return R"({"id":")" + id + R"(","working_dir":"/g",)" + about + R"("conversation":[)" + messages +
         "]}\n";
}

std::string delegates(const char* use, const char* instructions) {
  return goose_line("assistant", 2,
                    R"({"type":"toolRequest","id":")" + std::string(use) +
                        R"(","toolCall":{"status":"success","value":{"name":"delegate",)" +
                        R"("arguments":{"instructions":")" + instructions + R"("}}}})");
}

std::string gives(const char* use, const char* meta) {
  return goose_line("user", 9,
                    R"({"type":"toolResponse","id":")" + std::string(use) +
                        R"(","toolResult":{"status":"success","value":{"content":)" +
                        R"([{"type":"text","text":"fine"}],"_meta":)" + meta + "}}}");
}

}  // namespace

TEST_CASE("what a session of Goose used up in all is told in the words of each version") {
  const char* about = GENERATE(
      R"("accumulated_usage":{"input_tokens":100,"output_tokens":5,"total_tokens":105,)"
      R"("cache_read_input_tokens":60,"cache_write_input_tokens":30},"accumulated_cost":null,)",
      R"("accumulated_input_tokens":100,"accumulated_output_tokens":5,)"
      R"("accumulated_total_tokens":105,"accumulated_cache_read_tokens":60,)"
      R"("accumulated_cache_write_tokens":30,)");
  const Trace trace =
      read_log(session_of("s", about,
                          goose_line("user", 0, R"({"type":"text","text":"dig"})") +
                              goose_line("assistant", 2, R"({"type":"text","text":"dug"})")));
  REQUIRE(trace.usage_statements.size() == 1);
  CHECK(trace.usage_statements.front().tokens ==
        Tokens{.input = 10, .output = 5, .cache_read = 60, .cache_creation = 30});
}

TEST_CASE("a subagent of Goose is part of the session that it names, by the use that started it") {
  const auto [told, meta] = GENERATE(table<const char*, const char*>(
      {{"seek", R"({"subagent_session_id":"c"})"}, {"look", "{}"}}));  // named, or by its words
  const std::string prompt = goose_line("user", 0, R"({"type":"text","text":"dig"})");
  const std::string child =
      session_of("c", R"("session_type":"sub_agent","parent_session_id":"b",)",
                 goose_line("user", 3, R"({"type":"text","text":"look"})") +
                     goose_line("assistant", 6, R"({"type":"text","text":"fine"})"));
  const std::string others =
      session_of("a", "", prompt + delegates("t1", "look") + gives("t1", "{}"));
  const std::string parent =
      session_of("b", "", prompt + delegates("t2", told) + gives("t2", meta));
  const Graph graph = link(read_log(others + parent + child), {});
  const Trace& trace = graph.trace();
  REQUIRE(trace.calls.size() == 3);
  CHECK(trace[trace.calls[2].session] == "b");
  CHECK(trace.calls[2].in_subagent);
  size_t spawns = 0;
  for (const Link& link : graph.links())
    if (link.kind == LinkKind::subagent_spawn) {
      ++spawns;
      CHECK(trace[trace.calls[link.from.index].session] == "b");
    }
  CHECK(spawns == 1);
}

namespace {

std::string streamed_piece(const char* id, const char* role, int second, const std::string& piece) {
  return R"({"type":"message","message":{"id":")" + std::string(id) + R"(","role":")" + role +
         R"(","created":)" + std::to_string(1788255000 + second) + R"(,"content":[)" + piece +
         "]}}\n";
}

const std::string kGooseNotification =
    R"({"type":"notification","extension_id":"developer","log":{"message":"digging"}})"
    "\n";
const std::string kGooseRun =
    streamed_piece("m1", "assistant", 0, R"({"type":"text","text":"I "})") +
    streamed_piece("m1", "assistant", 1, R"({"type":"text","text":"dig."})") +
    streamed_piece("m1", "assistant", 1,
                   R"({"type":"toolRequest","id":"t1","toolCall":{"status":"success",)"
                   R"("value":{"name":"dig","arguments":{}}}})") +
    kGooseNotification +
    streamed_piece("m2", "user", 2,
                   R"({"type":"toolResponse","id":"t1","toolResult":{"status":"success",)"
                   R"("value":{"content":[],"isError":false}}})") +
    streamed_piece("m3", "assistant", 5, R"({"type":"text","text":"Dug."})");

}  // namespace

TEST_CASE("pieces of an answer that goose run streams are one call, with or without its id") {
  std::string log = kGooseRun;
  if (GENERATE(false, true))
    for (const std::string id : {R"("id":"m1",)", R"("id":"m2",)", R"("id":"m3",)"})
      for (size_t at = log.find(id); at != log.npos; at = log.find(id)) log.erase(at, id.size());
  const Graph graph = link(read_log(log), {});
  const Trace& trace = graph.trace();
  CHECK(complaints_of(trace) == "");
  REQUIRE(trace.calls.size() == 2);
  CHECK(trace.calls[0].duration == std::chrono::seconds(1));
  CHECK(trace.calls[1].duration == std::chrono::seconds(3));
  REQUIRE(graph.activities().tools_of(CallId(0)).size() == 1);
  CHECK(graph.activities().tools_of(CallId(0)).front().outcome == Outcome::ok);
}

TEST_CASE("the totals that end a run of Goose count as they are stated last") {
  const auto complete = [](int input) {
    return R"({"type":"complete","total_tokens":)" + std::to_string(input + 90) +
           R"(,"input_tokens":)" + std::to_string(input) +
           R"(,"output_tokens":90,"cache_read_input_tokens":1500,"cost_usd":0.004})"
           "\n";
  };
  const Trace trace = read_log(kGooseRun + complete(1800) + complete(2000));
  CHECK(complaints_of(trace) == "");
  std::vector<Tokens> counted;
  for (const UsageStatement& row : trace.usage_statements)
    if (row.counts()) counted.push_back(row.tokens);
  CHECK(counted == std::vector<Tokens>{Tokens{.input = 500, .output = 90, .cache_read = 1500}});
}

TEST_CASE("a run of Goose that fails is a failure of its last call, or a call that failed") {
  const std::string error = R"({"type":"error","error":"connect ECONNRESET"})"
                            "\n"
                            R"({"type":"complete","total_tokens":null})"
                            "\n";
  const auto told = [](const std::string& log) {
    const Trace trace = read_log(log);
    CHECK(complaints_of(trace) == "");
    std::string words;
    for (const Call& call : trace.calls)
      words += std::string(word(call.outcome)) + " " + std::string(trace[call.error]) + ";";
    return words;
  };
  CHECK(told(error) == "error ECONNRESET;");
  CHECK(told(streamed_piece("m1", "assistant", 0, R"({"type":"text","text":"I "})") + error) ==
        "error ECONNRESET;");
}

TEST_CASE("a line about an error that any program may write is no run of Goose") {
  const Result<Trace> trace = load_log(R"({"type":"error","error":"no disk"})"
                                       "\n");
  REQUIRE(trace);
  CHECK(trace->calls.empty());
  CHECK_THAT(complaints_of(*trace), Catch::Contains("an object of unknown shape"));
}
