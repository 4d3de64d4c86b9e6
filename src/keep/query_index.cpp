#include "keep/query_index.h"

#include <fmt/format.h>

#include <string_view>

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

}  // namespace

Status index_queries(const std::string& path, std::span<const QueryRow> rows,
                     std::chrono::milliseconds patience) {
  Result<SqliteFile> file = SqliteFile::open(path, patience);
  if (!file) return tl::unexpected(file.error());
  return file->change(kTable, [&] { return write_rows(*file, rows); });
}

}  // namespace xtrace
