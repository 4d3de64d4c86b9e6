#include <fmt/format.h>
#include <sqlite3.h>

#include <catch2/catch.hpp>

#include "link/graph/graph.h"
#include "reading.h"

using namespace xtrace;

namespace {

/// The store of Copilot CLI, in which session `c` has these calls: rows of model, input, output,
/// cached input, how it ended, and of which agent.
std::string store(const Folder& folder, const std::string& rows, bool is_old = false) {
  const std::string path = folder.path() + "/session-store.db";
  const std::string sql = fmt::format(
      R"(CREATE TABLE sessions(id TEXT, cwd TEXT);
         INSERT INTO sessions VALUES('c','/g');
         CREATE TABLE assistant_usage_events(id INTEGER PRIMARY KEY, session_id TEXT, model TEXT,
           input_tokens INT, output_tokens INT, cache_read_tokens INT, cache_write_tokens INT,
           reasoning_tokens INT, duration_ms REAL, finish_reason TEXT, created_at TEXT{});
         INSERT INTO assistant_usage_events(session_id, model, input_tokens, output_tokens,
           cache_read_tokens, duration_ms, finish_reason, created_at{})
         SELECT 'c', column1, column2, column3, column4, 1500.0, column5, '2026-01-01 10:00:05'{}
         FROM (VALUES {});)",
      is_old ? "" : ", agent_id TEXT, parent_tool_call_id TEXT", is_old ? "" : ", agent_id",
      is_old ? "" : ", column6", rows);
  sqlite3* database = nullptr;
  REQUIRE(sqlite3_open(path.c_str(), &database) == SQLITE_OK);
  REQUIRE(sqlite3_exec(database, sql.c_str(), nullptr, nullptr, nullptr) == SQLITE_OK);
  sqlite3_close(database);
  return path;
}

std::string event(const char* type, int second, const std::string& data, const char* more = "") {
  return fmt::format(
      R"({{"type":"{}","data":{},"id":"e{}","timestamp":"2026-01-01T10:00:{}Z","parentId":null{}}})"
      "\n",
      type, data, second, second, more);
}

/// Three answers, the second one of a subagent, and the first asks for it.
const std::string kLog =
    event("session.start", 10, R"({"sessionId":"c","producer":"copilot-agent"})") +
    event("user.message", 11, R"({"content":"go"})") +
    event(
        "assistant.message", 12,
        R"({"messageId":"m1","apiCallId":"a1","model":"large","toolRequests":[{"toolCallId":"t1","name":"task"}]})") +
    event("subagent.started", 13, R"({"toolCallId":"t1","agentName":"dig"})",
          R"(,"agentId":"dig-1")") +
    event("assistant.message", 14,
          R"({"messageId":"m2","apiCallId":"a2","model":"small","content":"earth"})",
          R"(,"agentId":"dig-1")") +
    event("tool.execution_complete", 15,
          R"({"toolCallId":"t1","success":true,"result":{"content":"earth"}})") +
    event("assistant.message", 16,
          R"({"messageId":"m3","apiCallId":"a3","model":"large","content":"done"})");

std::string shutdown(int calls) {
  return event("session.shutdown", 17,
               fmt::format(R"({{"modelMetrics":{{"large":{{"requests":{{"count":{}}},)"
                           R"("usage":{{"inputTokens":9000,"outputTokens":90}}}}}}}})",
                           calls));
}

constexpr const char* kRows =
    "('large',400,40,100,'tool_calls',NULL), ('small',50,5,0,'stop','dig-1'), "
    "('large',600,60,400,'stop','')";

/// Of each call in the order of time: what went in anew, what came out, and of which agent.
std::string counts_of(const Folder& folder) {
  Progress progress;
  const Graph graph = link(load({folder.path()}, {}, progress).value(), {});
  std::string told;
  for (CallId id : graph.timeline().in_order()) {
    const Call& call = graph.trace()[id];
    told +=
        fmt::format("{}/{} {};", call.tokens.input, call.tokens.output, graph.trace()[call.model]);
  }
  for (const Session& session : graph.sessions())
    if (session.use.tokens != Tokens{})
      told += fmt::format(" in all {} calls, {} out", session.use.calls, session.use.tokens.output);
  return told;
}

}  // namespace

TEST_CASE("rows in the store of Copilot CLI are of the answers of their session, in order") {
  Folder folder;
  store(folder, kRows);
  folder.write("c/events.jsonl", kLog);
  CHECK(counts_of(folder) == "300/40 large;50/5 small;200/60 large;");
}

TEST_CASE("rows in the store of Copilot CLI that may be of other answers are the session's") {
  const std::string rows = GENERATE(
      // one too few; another model; one that asks for a tool where none was asked for
      "('large',400,40,100,'tool_calls',NULL), ('large',600,60,400,'stop',NULL)",
      "('large',400,40,100,'tool_calls',NULL), ('large',50,0,0,'stop','dig-1'), "
      "('large',600,60,400,'stop',NULL)",
      "('large',400,40,100,'stop',NULL), ('small',50,0,0,'stop','dig-1'), "
      "('large',600,60,400,'tool_calls',NULL)");
  const std::string calls =
      fmt::format("{0}/{0} large;{0}/{0} small;{0}/{0} large; in all ", kNoCount);
  Folder folder;
  store(folder, rows);
  folder.write("c/events.jsonl", kLog);
  const std::string told = counts_of(folder);
  CHECK(told == calls + (rows.find("dig-1") == std::string::npos ? "2" : "3") + " calls, 100 out");
  folder.write("c/events.jsonl", kLog + shutdown(3));
  CHECK(counts_of(folder) == calls + "3 calls, 90 out");
}

TEST_CASE("rows in the store of Copilot CLI alone are calls that say nothing") {
  Folder folder;
  store(folder, kRows);
  CHECK(counts_of(folder) == "300/40 large;50/5 small;200/60 large;");
  Progress progress;
  const Trace trace = load({folder.path()}, {}, progress).value();
  CHECK(trace[trace.calls[0].session] == "c");
  CHECK(trace.calls[0].duration == std::chrono::milliseconds(1500));
}

TEST_CASE("a store of Copilot CLI that knows of no agents is read") {
  Folder folder;
  store(folder, "('large',400,40,100,'stop',NULL)", true);
  CHECK(counts_of(folder) == "300/40 large;");
}
