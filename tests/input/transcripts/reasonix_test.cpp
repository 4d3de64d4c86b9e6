#include <catch2/catch.hpp>

#include "by_line.h"
#include "reading.h"
#include "reread.h"

using namespace xtrace;

namespace {

const std::string kBare = R"({"role":"user","content":"look"}
{"role":"assistant","content":"","tool_calls":[{"id":"r1","type":"function","function":{"name":"read_file","arguments":"{\"path\":\"a.txt\"}"}}]}
{"role":"tool","tool_call_id":"r1","name":"read_file","content":"A"}
{"role":"assistant","content":"It is A."}
)";

const std::string kTotals =
    R"({"workspace":"/garden","summary":"read a file","turnCount":1,"totalCostUsd":0.5,)"
    R"("cacheHitTokens":900,"cacheMissTokens":300,"totalCompletionTokens":25})";
const std::string kLedger =
    R"({"ts":1767261600000,"session":"s","model":"deepseek-v4","promptTokens":1200,)"
    R"("completionTokens":25,"cacheHitTokens":900,"cacheMissTokens":300,"costUsd":0.5})";

}  // namespace

TEST_CASE("a session of Reasonix may have nothing but messages of Chat Completions") {
  Folder folder;  // excerpts are read from the log again
  Progress progress;
  const Graph graph = link(load({folder.write("s.jsonl", kBare)}, {}, progress).value(), {});
  const Trace& trace = graph.trace();
  CHECK(complaints_of(trace).empty());
  CHECK(trace.sources.front().format == "reasonix");
  REQUIRE(trace.calls.size() == 2);
  CHECK(trace.calls[0].tokens == Tokens{});
  CHECK(trace.calls[0].start == kNoTime);
  CHECK(links_by_line(graph) == "2->4 tool_use_id\n2->4 transcript");
  const Excerpt excerpt = Excerpts(trace).of(trace.calls[1]);
  CHECK(excerpt.answer == "It is A.");
}

TEST_CASE("words with a role alone are no session of Reasonix") {
  const Result<Trace> refused = load_log(R"({"role":"user","content":"a"})"
                                         "\n"
                                         R"({"role":"assistant","content":"b"})"
                                         "\n");
  CHECK((!refused || refused->calls.empty()));
}

TEST_CASE("a newer session of Reasonix has times, flat tool calls and exit codes") {
  const char* code = GENERATE("0", "2");
  const Graph graph = link(read_log(R"({"role":"user","content":"run","createdAt":1767261600000}
{"role":"assistant","content":"","tool_calls":[{"id":"g1","name":"bash","arguments":"{}"}],"createdAt":1767261602000}
{"role":"tool","content":"no rule","tool_call_id":"g1","name":"bash","createdAt":1767261603000,"tool_execution":{"kind":"shell","state":"exited","exitCode":)" +
                                    std::string(code) + R"(,"durationMs":700}}
{"role":"assistant","content":"No.","createdAt":1767261604000,"workDurationMs":4000}
)"),
                           {});
  const Trace& trace = graph.trace();
  CHECK(complaints_of(trace).empty());
  REQUIRE(trace.calls.size() == 2);
  CHECK(trace.calls[0].duration == std::chrono::seconds(2));
  CHECK(trace.calls[1].duration == std::chrono::seconds(1));
  const bool failed = std::string_view(code) != "0";
  CHECK(links_by_line(graph) ==
        (failed ? "2->4 tool_use_id error\n2->4 transcript" : "2->4 tool_use_id\n2->4 transcript"));
}

TEST_CASE("lines of Reasonix with a model and counts are calls with them") {
  const Trace trace = read_log(
      R"({"ts":1767261600000,"role":"user","content":"a"}
{"ts":1767261602000,"role":"assistant","content":"b","model":"deepseek-v4","usage":{"prompt_tokens":1200,"completion_tokens":30,"prompt_cache_hit_tokens":900}}
)");
  REQUIRE(trace.calls.size() == 1);
  CHECK(trace[trace.calls[0].model] == "deepseek-v4");
  CHECK(trace.calls[0].tokens == Tokens{.input = 300, .output = 30, .cache_read = 900});
}

TEST_CASE("the totals next to a session of Reasonix and its ledger state the same tokens once") {
  Folder folder;
  folder.write("sessions/s.jsonl", kBare);
  const bool has_totals = GENERATE(true, false), has_ledger = GENERATE(true, false);
  if (has_totals) folder.write("sessions/s.meta.json", kTotals);
  if (has_ledger) folder.write("usage.jsonl", kLedger);
  Progress progress;
  const Graph graph = link(load({folder.path()}, {}, progress).value(), {});
  REQUIRE(graph.sessions().size() == 1);
  const Session& session = graph.sessions()[0];
  if (has_totals) CHECK(graph.trace()[session.project] == "/garden");
  if (has_totals || has_ledger) {
    CHECK(session.use.tokens == Tokens{.input = 300, .output = 25, .cache_read = 900});
    CHECK(session.use.cost == 500'000'000);
  }
}

TEST_CASE("the file next to a newer session of Reasonix states its title and its folder") {
  Folder folder;
  folder.write("go-1.jsonl", R"({"role":"user","content":"run","createdAt":1767261600000}
{"role":"assistant","content":"No.","createdAt":1767261604000}
)");
  folder.write("go-1.jsonl.meta",
               R"({"id":"go-1","created_at":"2026-01-01T10:00:00Z",)"
               R"("updated_at":"2026-01-01T10:00:04Z","workspace_root":"/garden",)"
               R"("topic_title":"Run","model":"deepseek-v4"})");
  Progress progress;
  const Graph graph = link(load({folder.path()}, {}, progress).value(), {});
  REQUIRE(graph.sessions().size() == 1);
  CHECK(graph.trace()[graph.sessions()[0].title] == "Run");
  CHECK(graph.trace()[graph.sessions()[0].project] == "/garden");
}
