#include "input/bytes/database.h"

#include <sqlite3.h>

#include <atomic>
#include <catch2/catch.hpp>
#include <stdexcept>
#include <thread>

#include "reading.h"

using namespace xtrace;

namespace {

/// A database of OpenCode that its program has open.
class OpenCode {
 public:
  explicit OpenCode(const std::string& path, const std::string& journal = "wal") {
    REQUIRE(sqlite3_open(path.c_str(), &database_) == SQLITE_OK);
    sqlite3_busy_timeout(database_, 5000);
    run("PRAGMA journal_mode = " + journal);
    run("PRAGMA wal_autocheckpoint = 0");
    run("CREATE TABLE session (id TEXT PRIMARY KEY, parent_id TEXT, directory TEXT, title TEXT, "
        "version TEXT, time_created INT, time_updated INT);"
        "CREATE TABLE message (id TEXT PRIMARY KEY, session_id TEXT, data TEXT);"
        "CREATE TABLE part (id TEXT PRIMARY KEY, message_id TEXT, session_id TEXT, data TEXT);"
        "INSERT INTO session VALUES ('ses_1', NULL, '/g', 'Beds', '1.2.20', 1, 2)");
  }
  ~OpenCode() { sqlite3_close(database_); }
  OpenCode(const OpenCode&) = delete;
  OpenCode& operator=(const OpenCode&) = delete;

  void run(const std::string& sql) {
    // Also called by a thread beside the test, where Catch must not be asked.
    if (sqlite3_exec(database_, sql.c_str(), nullptr, nullptr, nullptr) != SQLITE_OK)
      throw std::runtime_error(sqlite3_errmsg(database_));
  }
  /// A message of a user and the answer to it.
  void add_turn(int nth) {
    const std::string id = std::to_string(1000 + nth);
    run("BEGIN; INSERT INTO message VALUES ('msg_" + id + "a', 'ses_1', '{\"role\":\"user\"}');" +
        "INSERT INTO part VALUES ('prt_" + id + "a', 'msg_" + id +
        "a', 'ses_1', '{\"type\":\"text\",\"text\":\"go " + id + "\"}');" +
        "INSERT INTO message VALUES ('msg_" + id +
        "b', 'ses_1', '{\"role\":\"assistant\",\"time\":{\"created\":1788422400000},"
        "\"modelID\":\"m\",\"tokens\":{\"input\":1,\"output\":1}}');" +
        "INSERT INTO part VALUES ('prt_" + id + "b', 'msg_" + id +
        "b', 'ses_1', '{\"type\":\"text\",\"text\":\"done\"}'); COMMIT");
  }

 private:
  sqlite3* database_ = nullptr;
};

Result<Trace> load_path(const std::string& path) {
  Progress progress;
  return load({path}, {}, progress);
}

}  // namespace

TEST_CASE("a database is read with what stands in its log alone, and nothing is made beside it") {
  Folder folder;
  const std::string path = folder.path() + "/opencode.db";
  OpenCode store(path, GENERATE("wal", "delete"));
  store.add_turn(1);
  store.run("PRAGMA wal_checkpoint(PASSIVE)");
  store.add_turn(2);
  const std::vector<std::string> names = folder.names();
  Trace trace = load_path(path).value();
  CHECK(trace.calls.size() == 2);
  CHECK(trace.sources.front().format == "opencode");
  CHECK(trace.sources.front().unpacked_bytes);
  CHECK(complaints_of(trace) == "");
  CHECK(folder.names() == names);
}

TEST_CASE("a database is read as of one moment while its program writes to it") {
  Folder folder;
  const std::string path = folder.path() + "/opencode.db";
  OpenCode store(path);
  store.add_turn(0);
  std::atomic<bool> done = false;
  std::thread writer([&] {
    for (int i = 1; i < 300 && !done; ++i) {
      store.add_turn(i);
      if (i % 7 == 0) store.run("PRAGMA wal_checkpoint(TRUNCATE)");
    }
  });
  size_t before = 0;
  for (int i = 0; i < 20; ++i) {
    Result<Trace> trace = load_path(path);
    if (!trace) continue;  // it says that it is written to all the time
    CHECK(complaints_of(*trace) == "");
    CHECK(trace->calls.size() >= before);
    before = trace->calls.size();
  }
  done = true;
  writer.join();
  CHECK(before > 0);
}

TEST_CASE("what is no JSON in a database is counted, and the rest of it used") {
  Folder folder;
  const std::string path = folder.path() + "/opencode.db";
  OpenCode store(path);
  store.add_turn(1);
  store.run("INSERT INTO part VALUES ('prt_9', 'msg_1001b', 'ses_1', '{broken')");
  Trace trace = load_path(path).value();
  CHECK(trace.calls.size() == 1);
  CHECK(trace.sources.front().skipped == 1);
}

TEST_CASE("what is no database of an agent is called what it is") {
  Folder folder;
  const std::string path = folder.path() + "/other.db";
  sqlite3* database = nullptr;
  REQUIRE(sqlite3_open(path.c_str(), &database) == SQLITE_OK);
  std::string sql = "CREATE TABLE other (x)",
              says = "supported: OpenCode, Goose, Copilot CLI, Kiro, Amazon Q";
  SECTION("of something else") {}
  SECTION("of Cursor's editor") {
    sql = "CREATE TABLE cursorDiskKV (key, value)";
    says = "looks like the state of Cursor's editor";
  }
  SECTION("of Cursor's CLI, empty") {
    sql = "CREATE TABLE blobs (id, data); CREATE TABLE meta (key, value)";
    says = "its session is unknown";
  }
  REQUIRE(sqlite3_exec(database, sql.c_str(), nullptr, nullptr, nullptr) == SQLITE_OK);
  sqlite3_close(database);
  Result<Trace> trace = load_path(path);
  REQUIRE_FALSE(trace);
  CHECK_THAT(trace.error().what, Catch::Contains(says));
  const std::string torn = folder.write("torn.db", std::string("SQLite format 3\0", 16) + "x");
  Result<Trace> of_torn = load_path(torn);
  REQUIRE_FALSE(of_torn);
  CHECK_THAT(of_torn.error().what, Catch::Contains("truncated SQLite database"));
}

namespace {

/// What is said of a database with these tables.
std::string refusal_of(const std::string& tables) {
  Folder folder;
  const std::string path = folder.path() + "/sessions.db";
  sqlite3* database = nullptr;
  REQUIRE(sqlite3_open(path.c_str(), &database) == SQLITE_OK);
  REQUIRE(sqlite3_exec(database, tables.c_str(), nullptr, nullptr, nullptr) == SQLITE_OK);
  sqlite3_close(database);
  Result<Trace> trace = load_path(path);
  REQUIRE(!trace);
  return trace.error().what.substr(path.size() + 2);
}

}  // namespace

TEST_CASE("a database whose tables are called as an agent's, and hold others, is named") {
  CHECK(refusal_of("CREATE TABLE sessions (id TEXT, prompt_tokens INT, completion_tokens INT);"
                   "CREATE TABLE messages (id TEXT, session_id TEXT, parts TEXT, model TEXT)") ==
        "looks like sessions of Crush (SQLite), which are not supported");
  CHECK(refusal_of("CREATE TABLE sessions (id TEXT); CREATE TABLE messages (id TEXT)") ==
        "looks like sessions of Goose (SQLite) in an unsupported version: its tables have missing "
        "columns");
  CHECK(refusal_of("CREATE TABLE session (id TEXT); CREATE TABLE message (id TEXT);"
                   "CREATE TABLE part (id TEXT)") ==
        "looks like sessions of OpenCode (SQLite) in an unsupported version: its tables have "
        "missing columns");
}

TEST_CASE("a small database makes no large session") {
  const std::string session =
      "CREATE TABLE session (id TEXT PRIMARY KEY, parent_id TEXT, directory TEXT, title TEXT, "
      "version TEXT, time_created INT, time_updated INT);";
  const std::string part =
      "CREATE TABLE part (id TEXT, message_id TEXT, session_id TEXT, data TEXT);";
  const std::string data = "printf('{\"role\":\"user\",\"x\":\"%.*c\"}', 100000000, 'x')";
  CHECK_THAT(refusal_of(session + part +
                        "CREATE TABLE message (id TEXT, session_id TEXT, data TEXT "
                        "GENERATED ALWAYS AS (" +
                        data + ") VIRTUAL)"),
             Catch::StartsWith("unrecognized SQLite database"));
  CHECK_THAT(
      refusal_of(session + part + "CREATE VIEW message AS SELECT 'a' AS id, 'b' AS session_id, " +
                 data + " AS data"),
      Catch::StartsWith("unrecognized SQLite database"));
  CHECK_THAT(refusal_of(session + part +
                        "CREATE TABLE message (id TEXT, session_id TEXT, data TEXT);"
                        "INSERT INTO message VALUES ('a', 'b', '{}'), ('a', 'b', '{}')"),
             Catch::Contains("has rows with the same id (table message)"));
}
