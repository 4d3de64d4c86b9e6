#include "cli/query_index.h"

#include <fmt/format.h>
#include <sqlite3.h>

#include <map>
#include <memory>
#include <string_view>

#include "base/text.h"

namespace xtrace {

namespace {

constexpr int kVersion = 1;

constexpr const char* kCreate = R"(CREATE TABLE Query (
  query_id TEXT NOT NULL,
  project_id TEXT NOT NULL,
  trace_ref TEXT,
  mode TEXT,
  level TEXT,
  started TEXT,
  steps INTEGER,
  total_latency_ms REAL,
  total_tokens_in INTEGER,
  total_tokens_out INTEGER,
  total_cost_usd REAL,
  subgraph_digest TEXT,
  graph_version TEXT,
  snapshot_ref TEXT,
  trace_sha256 TEXT,
  PRIMARY KEY (project_id, query_id)
))";

constexpr std::string_view kColumns[] = {
    "query_id",        "project_id",       "trace_ref",      "mode",
    "level",           "started",          "steps",          "total_latency_ms",
    "total_tokens_in", "total_tokens_out", "total_cost_usd", "subgraph_digest",
    "graph_version",   "snapshot_ref",     "trace_sha256"};
constexpr size_t kKeys = 2;

struct Close {
  void operator()(sqlite3* database) const { sqlite3_close_v2(database); }
  void operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }
};
using Statement = std::unique_ptr<sqlite3_stmt, Close>;

std::string upsert() {
  std::string marks, updates;
  for (size_t i = 0; i < std::size(kColumns); ++i) {
    marks += i == 0 ? "?" : ", ?";
    if (i < kKeys) continue;
    updates += fmt::format("{}{} = excluded.{}", i == kKeys ? "" : ", ", kColumns[i], kColumns[i]);
  }
  return fmt::format(
      "INSERT INTO Query ({}) VALUES ({}) ON CONFLICT (project_id, query_id) DO "
      "UPDATE SET {}",
      fmt::join(kColumns, ", "), marks, updates);
}

/// Binds the values of a row one after another; text is bound, never part of a statement.
class Binding {
 public:
  explicit Binding(sqlite3_stmt* statement) : statement_(statement) {}
  template <class... Values>
  bool all(const Values&... values) {
    return (bind(values) && ...);
  }

 private:
  bool bind(const std::string& text) {
    return sqlite3_bind_text64(statement_, ++at_, text.data(), text.size(), SQLITE_STATIC,
                               SQLITE_UTF8) == SQLITE_OK;
  }
  bool bind(int64_t number) { return sqlite3_bind_int64(statement_, ++at_, number) == SQLITE_OK; }
  bool bind(double number) { return sqlite3_bind_double(statement_, ++at_, number) == SQLITE_OK; }
  template <class Value>
  bool bind(const std::optional<Value>& value) {
    return value ? bind(*value) : sqlite3_bind_null(statement_, ++at_) == SQLITE_OK;
  }

  sqlite3_stmt* statement_;
  int at_ = 0;
};

class Index {
 public:
  Index(const std::string& path, std::chrono::milliseconds patience)
      : path_(path), patience_(patience) {}

  Status write(std::span<const QueryRow> rows) {
    if (Status opened = open(); !opened) return opened;
    // From here on no other writer can come between looking and writing.
    if (!run("BEGIN IMMEDIATE")) return failed();
    Status written = write_in_transaction(rows);
    if (written && !run("COMMIT")) written = failed();
    if (!written) run("ROLLBACK");
    return written;
  }

 private:
  Status open() {
    // A name like ":memory:" or "file:x?mode=memory" means a file here, as everywhere else.
    std::string name = path_.starts_with('/') ? path_ : "./" + path_;
    sqlite3* database = nullptr;
    int code = sqlite3_open_v2(name.c_str(), &database, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE,
                               nullptr);
    database_.reset(database);
    if (code != SQLITE_OK) return failed();
    sqlite3_extended_result_codes(database, 1);
    sqlite3_busy_timeout(database, static_cast<int>(patience_.count()));
    // The file may come from anywhere: what its schema calls must be harmless.
    sqlite3_db_config(database, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
    sqlite3_db_config(database, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
    return {};
  }

  Status write_in_transaction(std::span<const QueryRow> rows) {
    if (Status ready = prepare_table(); !ready) return ready;
    Statement statement = prepare(upsert());
    if (statement == nullptr) return failed();
    for (const QueryRow& row : rows) {
      bool bound = Binding(statement.get())
                       .all(row.query_id, row.project_id, row.trace_ref, row.mode, row.level,
                            row.started, row.steps, row.total_latency_ms, row.total_tokens_in,
                            row.total_tokens_out, row.total_cost_usd, row.subgraph_digest,
                            row.graph_version, row.snapshot_ref, row.trace_sha256);
      if (!bound || sqlite3_step(statement.get()) != SQLITE_DONE) return failed();
      sqlite3_reset(statement.get());
    }
    return {};
  }

  Status prepare_table() {
    std::optional<int64_t> version = number("PRAGMA user_version");
    std::optional<int64_t> tables = number("SELECT count(*) FROM sqlite_schema");
    if (!version || !tables) return failed();
    if (*version > kVersion)
      return refused(
          fmt::format("was made by a newer version of xtrace (its tables are of version "
                      "{}, this one knows {}); use that one, or name another file",
                      *version, kVersion));
    if (*tables == 0) {
      bool made = run(kCreate) && run(fmt::format("PRAGMA user_version = {}", kVersion));
      return made ? Status() : failed();
    }
    if (!has_our_table())
      return refused(
          "is a database of something else, without a table Query like ours; name "
          "another file");
    return {};
  }

  /// More columns than ours do no harm; another key would make an update something else.
  bool has_our_table() {
    std::map<std::string, int64_t> keys;
    Statement columns = prepare(
        "SELECT name, pk FROM pragma_table_info('Query') "
        "WHERE (SELECT type FROM sqlite_schema WHERE name = 'Query') = 'table'");
    int64_t key_columns = 0;
    while (columns != nullptr && sqlite3_step(columns.get()) == SQLITE_ROW) {
      const unsigned char* name = sqlite3_column_text(columns.get(), 0);
      int64_t place = sqlite3_column_int64(columns.get(), 1);
      if (name != nullptr) keys[reinterpret_cast<const char*>(name)] = place;
      key_columns += place > 0;
    }
    for (std::string_view column : kColumns)
      if (!keys.contains(std::string(column))) return false;
    return key_columns == 2 && keys["project_id"] == 1 && keys["query_id"] == 2;
  }

  bool run(const std::string& sql) {
    return sqlite3_exec(database_.get(), sql.c_str(), nullptr, nullptr, nullptr) == SQLITE_OK;
  }
  Statement prepare(const std::string& sql) {
    sqlite3_stmt* statement = nullptr;
    sqlite3_prepare_v2(database_.get(), sql.c_str(), -1, &statement, nullptr);
    return Statement(statement);
  }
  std::optional<int64_t> number(const std::string& sql) {
    Statement statement = prepare(sql);
    if (statement == nullptr || sqlite3_step(statement.get()) != SQLITE_ROW) return std::nullopt;
    return sqlite3_column_int64(statement.get(), 0);
  }

  tl::unexpected<Error> refused(const std::string& why) const {
    return fail(Exit::output, fmt::format("'{}' {}; nothing was changed", printable(path_), why));
  }
  /// Of the last call that went wrong.
  tl::unexpected<Error> failed() const {
    switch (sqlite3_errcode(database_.get()) & 0xff) {
      case SQLITE_NOTADB: return refused("is no SQLite database; name another file");
      case SQLITE_BUSY:
      case SQLITE_LOCKED: return refused("is in use by another program; try again later");
      default: break;
    }
    return fail(Exit::output,
                fmt::format("cannot write '{}': {}; nothing was changed", printable(path_),
                            printable(sqlite3_errmsg(database_.get()))));
  }

  std::string path_;
  std::chrono::milliseconds patience_;
  std::unique_ptr<sqlite3, Close> database_;
};

}  // namespace

Status index_queries(const std::string& path, std::span<const QueryRow> rows,
                     std::chrono::milliseconds patience) {
  return Index(path, patience).write(rows);
}

}  // namespace xtrace
