#include <fmt/format.h>
#include <sqlite3.h>

#include <catch2/catch.hpp>
#include <stdexcept>

#include "link/graph/graph.h"
#include "reading.h"

using namespace xtrace;

namespace {

const std::string kSessionColumns =
    "(id TEXT PRIMARY KEY, parent_id TEXT, directory TEXT, title TEXT, version TEXT, "
    "time_created INT, time_updated INT);";
const std::string kFormerTables =
    "CREATE TABLE session " + kSessionColumns +
    "CREATE TABLE message (id TEXT PRIMARY KEY, session_id TEXT, data TEXT);"
    "CREATE TABLE part (id TEXT PRIMARY KEY, message_id TEXT, session_id TEXT, data TEXT);";
const std::string kSessionTable = "CREATE TABLE session_v2 " + kSessionColumns;
const std::string kMessageTable =
    "CREATE TABLE session_message (id TEXT PRIMARY KEY, session_id TEXT, type TEXT, seq INT, "
    "time_created INT, data TEXT);";

/// A database of OpenCode; moments are seconds of one minute.
class Store {
 public:
  explicit Store(const std::string& tables) {
    REQUIRE(sqlite3_open((folder_.path() + "/opencode.db").c_str(), &database_) == SQLITE_OK);
    run(tables);
  }
  ~Store() { sqlite3_close(database_); }
  Store(const Store&) = delete;
  Store& operator=(const Store&) = delete;

  void run(const std::string& sql) {
    if (sqlite3_exec(database_, sql.c_str(), nullptr, nullptr, nullptr) != SQLITE_OK)
      throw std::runtime_error(sqlite3_errmsg(database_));
  }
  static std::string at(double second) {
    return fmt::format("{:.0f}", 1788422400e3 + second * 1e3);
  }

  void session(const std::string& table, const std::string& id, int second = 0,
               const std::string& parent = "NULL") {
    run(fmt::format("INSERT INTO {} VALUES ('{}', {}, '/g', 'Beds', '2.0', {}, 0)", table, id,
                    parent, at(second)));
  }
  /// As of version 2: the order of rows is that of `seq`, whatever their ids and times.
  void message(const std::string& session, const std::string& id, int seq, const std::string& type,
               double second, const std::string& fields) {
    run(
        fmt::format("INSERT INTO session_message VALUES ('{0}', '{1}', '{2}', {3}, {4}, "
                    "'{{\"time\":{{\"created\":{4},\"completed\":{5}}},{6}}}')",
                    id, session, type, seq, at(second), at(second + 1), fields));
  }
  void former(const std::string& session, const std::string& id, const std::string& role,
              double second) {
    run(fmt::format(
        "INSERT INTO message VALUES ('{0}', '{1}', '{{\"role\":\"{2}\",\"modelID\":\"m\","
        "\"time\":{{\"created\":{3},\"completed\":{4}}},\"tokens\":{{\"input\":1,\"output\":1}}}}'"
        ")",
        id, session, role, at(second), at(second + 1)));
    run(
        fmt::format("INSERT INTO part VALUES ('p_{0}', '{0}', '{1}', "
                    "'{{\"type\":\"text\",\"text\":\"go\"}}')",
                    id, session));
  }
  Graph read() const {
    Progress progress;
    return link(load({folder_.path()}, {}, progress).value(), {});
  }

 private:
  Folder folder_;
  sqlite3* database_ = nullptr;
};

const std::string kAnsweredMessage =
    R"("agent":"build","model":{"id":"m","providerID":"p"},"finish":"stop","cost":0.5,)"
    R"("tokens":{"input":10,"output":20,"reasoning":3,"cache":{"read":40,"write":5}},)";
const std::string kSaid = kAnsweredMessage + R"("content":[{"type":"text","text":"done"}])";

std::string calls_of(const Graph& graph) {
  const Trace& trace = graph.trace();
  std::string told;
  for (const Call& call : trace.calls)
    told += fmt::format("{}:{} ", trace[call.session], trace[call.id]);
  return told;
}

}  // namespace

TEST_CASE("OpenCode 2 keeps a message in a row, whose type tells who said it") {
  Store store(kSessionTable + kMessageTable);
  store.session("session_v2", "ses_1");
  store.message("ses_1", "msg_z", 1, "user", 1, R"("text":"look")");
  store.message("ses_1", "msg_b", 2, "assistant", 2,
                kAnsweredMessage +
                    R"("content":[{"type":"reasoning","text":"hm"},{"type":"tool","id":"t1",)"
                    R"("name":"read","state":{"status":"error","input":{"filePath":"a"},)"
                    R"("error":{"type":"unknown","message":"none"},"content":[]},)"
                    R"("time":{"created":1,"ran":2,"completed":3}}])");
  store.message("ses_1", "msg_a", 3, "assistant", 4, kSaid);
  store.message("ses_1", "msg_c", 4, "idle", 5, R"("outcome":"succeeded")");
  const Graph graph = store.read();
  const Trace& trace = graph.trace();
  REQUIRE(calls_of(graph) == "ses_1:msg_b ses_1:msg_a ");
  const Call& call = trace.calls.front();
  CHECK(trace[call.model] == "m");
  CHECK(trace[call.provider] == "p");
  CHECK(call.cost == 500'000'000);
  CHECK(call.tokens == Tokens{.input = 10, .output = 23, .cache_read = 40, .cache_creation = 5});
  REQUIRE(!trace.tool_results.empty());
  CHECK(trace.tool_results.back().is_error);
  CHECK(complaints_of(trace) == "");
}

TEST_CASE("sessions of OpenCode from before version 2 are read beside those of since") {
  Store store(kFormerTables + kSessionTable + kMessageTable);
  store.session("session", "ses_old");
  store.former("ses_old", "msg_1", "user", 1);
  store.former("ses_old", "msg_2", "assistant", 2);
  store.session("session_v2", "ses_new");
  store.message("ses_new", "msg_3", 1, "user", 11, R"("text":"look")");
  store.message("ses_new", "msg_4", 2, "assistant", 12, kSaid);
  CHECK(calls_of(store.read()) == "ses_old:msg_2 ses_new:msg_4 ");
}

TEST_CASE("what a session of OpenCode has in both its stores counts once") {
  const bool is_beta = GENERATE(false, true);
  Store store(kFormerTables + kMessageTable + (is_beta ? "" : kSessionTable));
  store.session("session", "ses_1");
  if (!is_beta) store.session("session_v2", "ses_1");
  store.former("ses_1", "msg_1", "user", 1);
  store.former("ses_1", "msg_2", "assistant", 2);
  store.message("ses_1", "msg_3", 1, "user", 1, R"("text":"go")");
  store.message("ses_1", "msg_4", 2, "assistant", 2.02, kSaid);  // the step of msg_2
  store.message("ses_1", "msg_5", 3, "user", 8, R"("text":"and then")");
  store.message("ses_1", "msg_6", 4, "assistant", 9, kSaid);
  const Graph graph = store.read();
  CHECK(calls_of(graph) == "ses_1:msg_2 ses_1:msg_6 ");
  REQUIRE(graph.links().size() == 1);
  CHECK(graph.links().front().kind == LinkKind::continuation);
}

TEST_CASE("a summary of OpenCode 2 that tells what it used up is a call of the program's own") {
  Store store(kSessionTable + kMessageTable);
  store.session("session_v2", "ses_1");
  store.message("ses_1", "msg_1", 1, "user", 1, R"("text":"look")");
  store.message("ses_1", "msg_2", 2, "assistant", 2, kSaid);
  store.message("ses_1", "msg_3", 3, "compaction", 4,
                R"("status":"completed","summary":"so far","recent":"","model":{"id":"n",)"
                R"("providerID":"p"},"cost":0.25,"tokens":{"input":7,"output":8})");
  store.message("ses_1", "msg_4", 4, "compaction", 5,
                R"("status":"completed","summary":"so far","recent":"")");
  store.message("ses_1", "msg_5", 5, "user", 6, R"("text":"on")");
  store.message("ses_1", "msg_6", 6, "assistant", 7, kSaid);
  const Graph graph = store.read();
  const Trace& trace = graph.trace();
  REQUIRE(calls_of(graph) == "ses_1:msg_2 ses_1:msg_3 ses_1:msg_6 ");
  CHECK(trace.calls[1].sums_up);
  CHECK(trace.calls[1].cost == 250'000'000);
  CHECK(trace[trace.calls[1].model] == "n");
  CHECK(trace.calls[2].is_compacted);
}

TEST_CASE("a subagent of OpenCode 2 is linked by the session that the tool names") {
  Store store(kSessionTable + kMessageTable);
  store.session("session_v2", "ses_1");
  store.session("session_v2", "ses_2", 3, "'ses_1'");
  store.message("ses_1", "msg_1", 1, "user", 1, R"("text":"look")");
  const char* told = GENERATE("metadata", "structured");
  store.message("ses_1", "msg_2", 2, "assistant", 2,
                kAnsweredMessage +
                    fmt::format(R"("content":[{{"type":"tool","id":"t1","name":"subagent",)"
                                R"("state":{{"status":"completed","input":{{"agent":"explore",)"
                                R"("prompt":"Find"}},"{}":{{"sessionID":"ses_2"}},)"
                                R"("content":[{{"type":"text","text":"x"}}]}},)"
                                R"("time":{{"created":1,"ran":2,"completed":3}}}}])",
                                told));
  store.message("ses_2", "msg_3", 1, "user", 3, R"("text":"Find")");
  store.message("ses_2", "msg_4", 2, "assistant", 4, kSaid);
  const Graph graph = store.read();
  const Trace& trace = graph.trace();
  CHECK(calls_of(graph) == "ses_1:msg_2 ses_1:msg_4 ");
  CHECK(trace.calls.back().in_subagent);
  size_t spawns = 0;
  for (const Link& link : graph.links()) spawns += link.kind == LinkKind::subagent_spawn;
  CHECK(spawns == 1);
}

TEST_CASE("what a fork of an OpenCode 2 session takes over counts once") {
  Store store(kSessionTable + kMessageTable);
  store.session("session_v2", "ses_1");
  store.message("ses_1", "msg_1", 1, "user", 1, R"("text":"look")");
  store.message("ses_1", "msg_2", 2, "assistant", 2, kSaid);
  store.session("session_v2", "ses_2", 10);
  store.message("ses_2", "msg_f_1", 1, "user", 1, R"("text":"look")");
  store.message("ses_2", "msg_f_2", 2, "assistant", 2, kSaid);
  store.message("ses_2", "msg_3", 3, "user", 11, R"("text":"on")");
  store.message("ses_2", "msg_4", 4, "assistant", 12, kSaid);
  CHECK(calls_of(store.read()) == "ses_1:msg_2 ses_2:msg_4 ");
}
