#include "keep/query_index.h"

#include <fmt/format.h>

#include <string_view>
#include <type_traits>

#include "keep/private_database.h"
#include "sqlite/sqlite_file.h"

namespace xtrace {

namespace {

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
constexpr std::string_view kKeyColumns[] = {"project_id", "query_id"};
constexpr size_t kKeys = std::size(kKeyColumns);

constexpr SqliteTable kTable = {"Query", kCreate, kColumns, kKeyColumns, 1};

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

Status write_rows(SqliteFile& file, std::span<const QueryRow> rows) {
  SqliteFile::Statement statement = file.prepare(upsert());
  if (statement == nullptr) return file.failed();
  for (const QueryRow& row : rows) {
    bool bound = SqliteBinding(statement.get())
                     .all(row.query_id, row.project_id, row.trace_ref, row.mode, row.level,
                          row.started, row.steps, row.total_latency_ms, row.total_tokens_in,
                          row.total_tokens_out, row.total_cost_usd, row.subgraph_digest,
                          row.graph_version, row.snapshot_ref, row.trace_sha256);
    if (!bound || sqlite3_step(statement.get()) != SQLITE_DONE) return file.failed();
    sqlite3_reset(statement.get());
  }
  return {};
}

/// What another program may have written: of another type than ours, a value is unknown.
class RowReader {
 public:
  explicit RowReader(sqlite3_stmt* statement) : statement_(statement) {}
  void next(std::string& text) { text = taken<std::string>().value_or(""); }
  template <class Value>
  void next(std::optional<Value>& value) {
    value = taken<Value>();
  }

 private:
  template <class Value>
  std::optional<Value> taken() {
    int at = at_++, type = sqlite3_column_type(statement_, at);
    if constexpr (std::is_same_v<Value, std::string>) {
      if (type != SQLITE_TEXT) return {};
      const unsigned char* text = sqlite3_column_text(statement_, at);
      size_t size = static_cast<size_t>(sqlite3_column_bytes(statement_, at));
      return std::string(reinterpret_cast<const char*>(text), size);
    } else if constexpr (std::is_same_v<Value, int64_t>) {
      if (type != SQLITE_INTEGER) return {};
      return sqlite3_column_int64(statement_, at);
    } else {
      if (type != SQLITE_FLOAT && type != SQLITE_INTEGER) return {};
      return sqlite3_column_double(statement_, at);
    }
  }

  sqlite3_stmt* statement_;
  int at_ = 0;
};

QueryRow row_at(sqlite3_stmt* statement) {
  QueryRow row;
  RowReader reader(statement);
  reader.next(row.query_id);
  reader.next(row.project_id);
  reader.next(row.trace_ref);
  reader.next(row.mode);
  reader.next(row.level);
  reader.next(row.started);
  reader.next(row.steps);
  reader.next(row.total_latency_ms);
  reader.next(row.total_tokens_in);
  reader.next(row.total_tokens_out);
  reader.next(row.total_cost_usd);
  reader.next(row.subgraph_digest);
  reader.next(row.graph_version);
  reader.next(row.snapshot_ref);
  reader.next(row.trace_sha256);
  return row;
}

}  // namespace

Result<std::vector<QueryRow>> read_index(const std::string& path) {
  Result<SqliteFile> file = SqliteFile::open_to_read(path);
  if (!file) return tl::unexpected(file.error());
  if (Status known = file->check(kTable); !known) return tl::unexpected(known.error());
  SqliteFile::Statement statement = file->prepare(
      fmt::format("SELECT {} FROM Query ORDER BY project_id, query_id", fmt::join(kColumns, ", ")));
  if (statement == nullptr) return file->failed();
  std::vector<QueryRow> rows;
  int code = 0;
  while ((code = sqlite3_step(statement.get())) == SQLITE_ROW)
    rows.push_back(row_at(statement.get()));
  if (code != SQLITE_DONE) return file->failed();
  return rows;
}

Status index_queries(const std::string& path, std::span<const QueryRow> rows,
                     std::chrono::milliseconds patience) {
  return change_private_database(path, patience, kTable,
                                 [&](SqliteFile& file) { return write_rows(file, rows); });
}

}  // namespace xtrace
