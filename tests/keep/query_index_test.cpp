#include "keep/query_index.h"

#include <sqlite3.h>

#include <catch2/catch.hpp>
#include <memory>

#include "reading.h"

using namespace xtrace;

namespace {

/// A database as others see it, who look into the index or keep something of their own there.
class Database {
 public:
  explicit Database(const std::string& path) {
    REQUIRE(sqlite3_open(path.c_str(), &database_) == 0);
  }
  ~Database() { sqlite3_close(database_); }
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;

  /// The rows of an answer, a line each, columns parted by `|`.
  std::string ask(const std::string& sql) {
    std::string rows;
    char* error = nullptr;
    sqlite3_exec(database_, sql.c_str(), add_row, &rows, &error);
    INFO((error != nullptr ? error : ""));
    CHECK(error == nullptr);
    sqlite3_free(error);
    return rows;
  }

 private:
  static int add_row(void* rows, int count, char** values, char**) {
    std::string& text = *static_cast<std::string*>(rows);
    if (!text.empty()) text += '\n';
    for (int i = 0; i < count; ++i)
      text += (i > 0 ? "|" : "") + std::string(values[i] != nullptr ? values[i] : "NULL");
    return 0;
  }

  sqlite3* database_ = nullptr;
};

QueryRow row(std::string query, std::string project = "shop") {
  QueryRow row;
  row.query_id = std::move(query);
  row.project_id = std::move(project);
  return row;
}

Status index(const std::string& path, std::vector<QueryRow> rows) {
  return index_queries(path, rows, std::chrono::milliseconds(0));
}

std::string error_of(const Status& written) {
  if (written) return "none";
  CHECK(written.error().exit == Exit::output);
  return written.error().what;
}

std::string ids_in(const std::string& path) {
  return Database(path).ask("SELECT project_id, query_id FROM Query ORDER BY 1, 2");
}

}  // namespace

TEST_CASE("a new index holds what is known of each query, and NULL for the rest") {
  Folder folder;
  std::string path = folder.path() + "/index.sqlite";
  QueryRow known = row("q1");
  known.trace_ref = "shop/q1.json";
  known.mode = "local_graph";
  known.level = "basic";
  known.started = "2026-01-31T09:00:00.000Z";
  known.steps = 5;
  known.total_latency_ms = 520.5;
  known.total_tokens_in = 700;
  known.total_tokens_out = 240;
  known.total_cost_usd = 0.01;
  known.subgraph_digest = "d1";
  known.graph_version = "v1";
  known.snapshot_ref = "s1";
  known.trace_sha256 = "e3b0";
  REQUIRE(index(path, {known, row("q2")}));
  CHECK(Database(path).ask("SELECT * FROM Query ORDER BY query_id") ==
        "q1|shop|shop/q1.json|local_graph|basic|2026-01-31T09:00:00.000Z|5|520.5|700|240|0.01|d1|"
        "v1|s1|e3b0\n"
        "q2|shop|NULL|NULL|NULL|NULL|NULL|NULL|NULL|NULL|NULL|NULL|NULL|NULL|NULL");
  CHECK(Database(path).ask("PRAGMA user_version") == "1");
  CHECK(folder.names() == std::vector<std::string>{"index.sqlite"});
}

TEST_CASE("a query that is known already is replaced, in its own project alone") {
  Folder folder;
  std::string path = folder.path() + "/index.sqlite";
  QueryRow first = row("q"), other = row("q", "library"), second = row("q");
  first.steps = 1;
  first.mode = "old";
  other.steps = 2;
  second.steps = 3;
  REQUIRE(index(path, {first, other}));
  REQUIRE(index(path, {second}));
  CHECK(Database(path).ask("SELECT project_id, steps, mode FROM Query ORDER BY 1") ==
        "library|2|NULL\nshop|3|NULL");
}

TEST_CASE("the same rows make the same file") {
  Folder folder;
  for (const char* name : {"/a", "/b"})
    REQUIRE(index(folder.path() + name, {row("q1"), row("q2"), row("q1")}));
  CHECK(folder.read("a") == folder.read("b"));
}

TEST_CASE("text is data and nothing else") {
  Folder folder;
  std::string path = folder.path() + "/index.sqlite";
  std::string hostile = "'); DROP TABLE Query; --", with_nul("a\0b", 3);
  REQUIRE(index(path, {row(hostile, "\"?1"), row(with_nul), row("\u202e日本")}));
  CHECK(Database(path).ask("SELECT query_id FROM Query WHERE project_id = '\"?1'") == hostile);
  CHECK(Database(path).ask("SELECT hex(query_id) FROM Query WHERE length(hex(query_id)) = 6") ==
        "610062");
}

TEST_CASE("a row that cannot be written leaves everything as it was") {
  Folder folder;
  std::string path = folder.path() + "/index.sqlite";
  QueryRow old = row("q1");
  old.steps = 1;
  REQUIRE(index(path, {old}));
  Database(path).ask(
      "CREATE TRIGGER no BEFORE INSERT ON Query WHEN new.query_id = 'q3' "
      "BEGIN SELECT RAISE(ABORT, 'not this\x1b one'); END");
  std::string before = folder.read("index.sqlite");
  QueryRow renewed = row("q1");
  renewed.steps = 2;
  CHECK(error_of(index(path, {renewed, row("q2"), row("q3"), row("q4")})) ==
        "cannot write '" + path + "': not this\\x1b one; nothing was changed");
  CHECK(folder.read("index.sqlite") == before);
  CHECK(Database(path).ask("SELECT query_id, steps FROM Query") == "q1|1");
  CHECK(folder.names() == std::vector<std::string>{"index.sqlite"});
}

TEST_CASE("what others keep in the database stays, and so do their columns") {
  Folder folder;
  std::string path = folder.path() + "/index.sqlite";
  REQUIRE(index(path, {row("q1")}));
  Database(path).ask(
      "CREATE TABLE notes (text); INSERT INTO notes VALUES ('mine');"
      "ALTER TABLE Query ADD COLUMN reviewed TEXT; UPDATE Query SET reviewed = 'yes'");
  REQUIRE(index(path, {row("q1"), row("q2")}));
  CHECK(Database(path).ask("SELECT * FROM notes") == "mine");
  CHECK(Database(path).ask("SELECT query_id, reviewed FROM Query ORDER BY 1") == "q1|yes\nq2|NULL");
}

TEST_CASE("a database of something else is refused and left alone") {
  Folder folder;
  std::string path = folder.path() + "/other.sqlite";
  std::string sql = GENERATE(
      as<std::string>(), "CREATE TABLE notes (text)", "CREATE TABLE Query (id INTEGER PRIMARY KEY)",
      "CREATE TABLE q (query_id, project_id); CREATE VIEW Query AS SELECT * FROM q");
  Database(path).ask(sql);
  std::string before = folder.read("other.sqlite");
  CHECK(error_of(index(path, {row("q")})) ==
        "'" + path +
            "' is not an xtrace database: its table Query is missing or different; use another "
            "file; nothing was changed");
  CHECK(folder.read("other.sqlite") == before);
}

TEST_CASE("a table Query with another key is not ours") {
  Folder folder;
  std::string path = folder.path() + "/other.sqlite";
  REQUIRE(index(path, {}));
  Database(path).ask(
      "CREATE TABLE copy AS SELECT * FROM Query; DROP TABLE Query;"
      "ALTER TABLE copy RENAME TO Query");
  CHECK(error_of(index(path, {row("q")})).find("is missing or different") != std::string::npos);
}

TEST_CASE("an index of a newer version is refused and left alone") {
  Folder folder;
  std::string path = folder.path() + "/index.sqlite";
  REQUIRE(index(path, {row("q1")}));
  Database(path).ask("PRAGMA user_version = 2");
  std::string before = folder.read("index.sqlite");
  CHECK(error_of(index(path, {row("q2")})) ==
        "'" + path +
            "' was made by a newer xtrace (table version 2, supported version 1); use the newer "
            "xtrace, or another file; nothing was changed");
  CHECK(folder.read("index.sqlite") == before);
}

TEST_CASE("a file that is no database is refused and left alone") {
  Folder folder;
  std::string bytes = GENERATE(as<std::string>(), "{}\n", std::string(10'000, 'x'));
  std::string path = folder.write("log.jsonl", bytes);
  CHECK(error_of(index(path, {row("q")})) ==
        "'" + path + "' is not an SQLite database; use another file; nothing was changed");
  CHECK(folder.read("log.jsonl") == bytes);
  CHECK(folder.names() == std::vector<std::string>{"log.jsonl"});
}

TEST_CASE("an index that somebody else writes at the moment is left to them") {
  Folder folder;
  std::string path = folder.path() + "/index.sqlite";
  REQUIRE(index(path, {row("q1")}));
  {
    Database other(path);
    other.ask("BEGIN IMMEDIATE");
    CHECK(error_of(index(path, {row("q2")})) ==
          "'" + path + "' is in use by another program; try again later; nothing was changed");
  }
  REQUIRE(index(path, {row("q3")}));
  CHECK(ids_in(path) == "shop|q1\nshop|q3");
}

TEST_CASE("an index is its owner's alone, and so is an older one from now on") {
  Folder folder;
  const std::string path = folder.path() + "/index.sqlite", old = folder.write("old.sqlite", "");
  std::filesystem::permissions(old, std::filesystem::perms(0644));
  for (const std::string& file : {path, old}) {
    REQUIRE(index(file, {row("q1")}));
    CHECK(std::filesystem::status(file).permissions() == std::filesystem::perms(0600));
    CHECK(ids_in(file) == "shop|q1");
  }
  CHECK(folder.names() == std::vector<std::string>{"index.sqlite", "old.sqlite"});
}

TEST_CASE("an index that cannot be made says why") {
  Folder folder;
  std::string path = folder.path() + "/none/index.sqlite";
  CHECK(error_of(index(path, {})) ==
        "cannot write '" + path + "': there is no folder '" + folder.path() + "/none'");
}

TEST_CASE("names that mean something to SQLite are names of files") {
  Folder folder;
  std::filesystem::path before = std::filesystem::current_path();
  std::filesystem::current_path(folder.path());
  for (const char* name : {":memory:", "file:x?mode=memory"}) CHECK(index(name, {row("q")}));
  std::filesystem::current_path(before);
  CHECK(folder.names() == std::vector<std::string>{":memory:", "file:x?mode=memory"});
}
