#include "keep/snapshot_file.h"

#include <sqlite3.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "keep/private_database.h"
#include "reading.h"
#include "sqlite/session_store.h"
#include "sqlite/sqlite_file.h"

using namespace xtrace;

namespace {

Status keep(const std::string& path, const std::string& time, const std::string& graph = "{}",
            int64_t days = 7) {
  Snapshot snapshot;
  snapshot.last_updated = time;
  snapshot.json = graph;
  return keep_snapshot(path, snapshot, days);
}

std::string why_not(const Status& kept) {
  if (kept) return "none";
  CHECK(kept.error().exit == Exit::output);
  return kept.error().what;
}

int add_row(void* rows, int count, char** values, char**) {
  for (int i = 0; i < count; ++i)
    *static_cast<std::string*>(rows) +=
        std::string(values[i] != nullptr ? values[i] : "NULL") + (i + 1 < count ? "|" : "\n");
  return 0;
}

/// The rows of an answer, a line each.
std::string ask(const std::string& path, const std::string& sql) {
  sqlite3* database = nullptr;
  REQUIRE(sqlite3_open(path.c_str(), &database) == SQLITE_OK);
  std::string rows;
  CHECK(sqlite3_exec(database, sql.c_str(), add_row, &rows, nullptr) == SQLITE_OK);
  sqlite3_close(database);
  return rows;
}

/// The times of the snapshots that a file holds, in its order.
std::string times(const std::string& path) {
  if (path.ends_with(".json")) {
    std::string text;
    const nlohmann::json root = nlohmann::json::parse(project_file(path));
    for (const auto& item : root["snapshots"])
      text += item["lastUpdated"].get<std::string>() + "\n";
    return text;
  }
  return ask(path, "SELECT last_updated FROM Snapshot ORDER BY rowid");
}

}  // namespace

TEST_CASE("snapshots are kept as JSON, newest last") {
  Folder folder;
  std::string path = folder.path() + "/graph.json";
  REQUIRE(keep(path, "2026-05-02T10:00:00Z", R"({"b": 0.0001, "a": [1]})"));
  CHECK(folder.read("graph.json") == R"({"snapshots": [
{"lastUpdated":"2026-05-02T10:00:00Z","graph":{"b":0.0001,"a":[1]}}
]}
)");
  REQUIRE(keep(path, "2026-05-01T10:00:00.5+02:00"));
  REQUIRE(keep(path, "2026-05-02T10:00:00.001Z"));
  CHECK(times(path) ==
        "2026-05-01T10:00:00.5+02:00\n2026-05-02T10:00:00Z\n"
        "2026-05-02T10:00:00.001Z\n");
}

TEST_CASE("snapshots are kept in a database") {
  for (const char* name : {"g.sqlite", "g.sqlite3", "g.db"}) {
    Folder folder;
    std::string path = folder.path() + "/" + name;
    REQUIRE(keep(path, "2026-05-02T10:00:00Z", R"({"nodes": []})"));
    CHECK(ask(path, "SELECT last_updated, view, json FROM Snapshot") ==
          "2026-05-02T10:00:00Z|explanation|{\"nodes\": []}\n");
  }
}

TEST_CASE("a snapshot is not kept twice, and another of the same time is") {
  for (const char* name : {"g.db", "g.json"}) {
    Folder folder;
    std::string path = folder.path() + "/" + name;
    REQUIRE(keep(path, "2026-05-02T10:00:00Z", R"({"a": 1})"));
    std::string once = folder.read(name);
    REQUIRE(keep(path, "2026-05-02T10:00:00Z", R"({"a": 1})"));
    CHECK(times(path) == "2026-05-02T10:00:00Z\n");
    REQUIRE(keep(path, "2026-05-02T10:00:00Z", R"({"a": 2})"));
    CHECK(times(path) == "2026-05-02T10:00:00Z\n2026-05-02T10:00:00Z\n");
  }
}

TEST_CASE("what is older than the newest by more than the days to keep goes") {
  for (const char* name : {"g.db", "g.json"}) {
    Folder folder;
    std::string path = folder.path() + "/" + name;
    REQUIRE(keep(path, "2020-01-01T00:00:00Z"));  // old for the clock, which has no say
    REQUIRE(keep(path, "2020-01-02T12:00:00Z"));
    REQUIRE(keep(path, "2020-01-08T00:00:00.000Z"));  // seven days later to the moment
    CHECK(times(path) == "2020-01-01T00:00:00Z\n2020-01-02T12:00:00Z\n2020-01-08T00:00:00.000Z\n");
    REQUIRE(keep(path, "2020-01-08T00:00:00.001Z"));
    CHECK(times(path) ==
          "2020-01-02T12:00:00Z\n2020-01-08T00:00:00.000Z\n2020-01-08T00:00:00.001Z\n");
    REQUIRE(keep(path, "2019-01-01T00:00:00Z"));  // too old already
    CHECK(times(path) ==
          "2020-01-02T12:00:00Z\n2020-01-08T00:00:00.000Z\n2020-01-08T00:00:00.001Z\n");
    REQUIRE(keep(path, "2100-01-01T00:00:00Z", "{}", 1'000'000));
    CHECK(times(path).size() > 90);
    REQUIRE(keep(path, "2100-01-01T00:00:00Z", "{}", 0));
    CHECK(times(path) == "2100-01-01T00:00:00Z\n");
  }
}

TEST_CASE("a JSON file that is something else is left as it is") {
  Folder folder;
  for (const char* other :
       {"no JSON", "[]", "{}", R"({"snapshots": {}})", R"({"snapshots": [], "mine": 1})",
        R"({"snapshots": [{"lastUpdated": "2026-05-02T10:00:00Z"}]})",
        R"({"snapshots": [{"lastUpdated": "yesterday", "graph": {}}]})",
        R"({"snapshots": [{"lastUpdated": "2026-05-02T10:00:00Z", "graph": []}]})",
        R"({"snapshots": [)"}) {
    std::string path = folder.write("other.json", other);
    CHECK(why_not(keep(path, "2026-05-02T10:00:00Z")) ==
          "--snapshot: '" + path +
              "' is not a snapshot file; it was not changed; use another file");
    CHECK(folder.read("other.json") == other);
  }
  CHECK(why_not(keep("/dev/null", "2026-05-02T10:00:00Z")) ==
        "--snapshot: '/dev/null' is not a regular file; it was not changed; use another file");
  CHECK(why_not(keep(folder.path(), "2026-05-02T10:00:00Z")).find("is not a regular file") !=
        std::string::npos);
  CHECK(why_not(keep(folder.path() + "/none/g.json", "2026-05-02T10:00:00Z"))
            .starts_with("cannot write '"));
  CHECK(keep(folder.write("empty.json", ""), "2026-05-02T10:00:00Z"));
}

TEST_CASE("a database that is something else is left as it is") {
  Folder folder;
  std::string path = folder.path() + "/other.db";
  ask(path, "CREATE TABLE Mine (x); INSERT INTO Mine VALUES (1)");
  std::string before = folder.read("other.db");
  CHECK(why_not(keep(path, "2026-05-02T10:00:00Z")) ==
        "'" + path +
            "' is not an xtrace database: its table Snapshot is missing or different; use another "
            "file; nothing was changed");
  CHECK(folder.read("other.db") == before);
  path = folder.write("text.db", "no database at all, but a text that is long enough to be one");
  CHECK(why_not(keep(path, "2026-05-02T10:00:00Z")) ==
        "'" + path + "' is not an SQLite database; use another file; nothing was changed");
}

TEST_CASE("rows of others stay, whatever their time is") {
  Folder folder;
  std::string path = folder.path() + "/g.db";
  REQUIRE(keep(path, "2026-05-02T10:00:00Z"));
  ask(path, "INSERT INTO Snapshot VALUES ('yesterday', 'mine', 'x'), (NULL, NULL, NULL)");
  REQUIRE(keep(path, "2026-06-02T10:00:00Z"));
  CHECK(times(path) == "yesterday\nNULL\n2026-06-02T10:00:00Z\n");
}

TEST_CASE("a snapshot without a time has no place") {
  Folder folder;
  Status kept = keep(folder.path() + "/g.json", "");
  REQUIRE_FALSE(kept);
  CHECK(kept.error().exit == Exit::input);
  CHECK(folder.names().empty());
}

TEST_CASE("of a database that could not be filled nothing stays, but what others made meanwhile") {
  constexpr std::string_view kColumns[] = {"last_updated"};
  const SqliteTable table = {
      "Snapshot", "CREATE TABLE Snapshot (last_updated TEXT)", kColumns, {}, 1};
  Folder folder;
  const std::string path = folder.path() + "/s.db";
  const bool others = GENERATE(false, true);
  const Status changed =
      change_private_database(path, std::chrono::milliseconds(0), table, [&](SqliteFile&) {
        if (others) CHECK(why_not(keep(path, "2026-03-01T10:00:00Z")) == "none");
        return Status(fail(Exit::output, "no room"));
      });
  CHECK(why_not(changed) == "no room");
  if (others)
    CHECK(ask(path, "SELECT last_updated FROM Snapshot") == "2026-03-01T10:00:00Z\n");
  else
    CHECK(folder.names().empty());
}

TEST_CASE("a database that another program makes at the same time gets the rows of both") {
  Folder folder;
  const std::string path = folder.path() + "/s.db";
  constexpr std::string_view kColumns[] = {"last_updated", "view", "json"};
  const SqliteTable table = {"Snapshot",
                             "CREATE TABLE Snapshot (last_updated TEXT, view TEXT, json TEXT)",
                             kColumns,
                             {},
                             1};
  bool is_first = true;
  REQUIRE(change_private_database(path, std::chrono::seconds(1), table, [&](SqliteFile& file) {
    if (std::exchange(is_first, false)) CHECK(keep(path, "2026-03-01T10:00:00Z"));
    const bool added = file.run("INSERT INTO Snapshot (last_updated) VALUES ('ours')");
    return added ? Status() : Status(file.failed());
  }));
  CHECK(ask(path, "SELECT last_updated FROM Snapshot") == "2026-03-01T10:00:00Z\nours\n");
  CHECK(folder.names() == std::vector<std::string>{"s.db"});
}

TEST_CASE("snapshots are their owner's alone, in a file that others could read before too") {
  Folder folder;
  const std::string name = GENERATE("s.json", "s.db");
  const std::string path = folder.write(name, "");
  std::filesystem::permissions(path, std::filesystem::perms(0644));
  REQUIRE(keep(path, "2026-03-01T10:00:00Z"));
  CHECK(std::filesystem::status(path).permissions() == std::filesystem::perms(0600));
}

TEST_CASE("a database of snapshots is input: the graph of the latest moment in it") {
  Folder folder;
  const std::string path = folder.path() + "/g.db";
  REQUIRE(keep(path, "2025-06-20T14:00:00.5Z", R"({"nodes": [1, 2]})"));
  REQUIRE(keep(path, "2025-06-20T14:00:00Z", R"({"nodes": [1]})"));
  std::vector<std::string> graphs;
  REQUIRE(read_session_store(folder.read("g.db"), path, [&](std::string_view graph) -> Status {
    graphs.emplace_back(graph);
    return {};
  }));
  CHECK(graphs == std::vector<std::string>{R"({"nodes": [1, 2]})"});
}
