#include <fmt/format.h>
#include <fmt/ranges.h>

#include <ostream>
#include <span>
#include <string>

#include "render/renderer.h"
#include "render/sqlite/sqlite_tables.h"

namespace xtrace {

namespace {

// Nothing of when, where or by whom the file was made is in it, and pages are wiped before they are
// filled, so that equal answers are equal files.
constexpr const char* kBegin =
    "PRAGMA page_size = 4096; PRAGMA encoding = 'UTF-8'; PRAGMA secure_delete = ON; "
    "PRAGMA user_version = 1; PRAGMA application_id = ";

using Columns = std::span<const std::string_view>;

struct Index {
  std::string_view table;
  Columns columns;
};

/// What one looks for in a graph; a table without such a column has none.
constexpr std::string_view kId[] = {"id"}, kParent[] = {"parent"},
                           kSessionTurn[] = {"session", "turn"}, kAgent[] = {"agent_id"},
                           kRun[] = {"run"}, kTime[] = {"timestamp"}, kSource[] = {"source"},
                           kTarget[] = {"target"}, kName[] = {"name"};
constexpr Index kIndices[] = {{"nodes", kId},       {"nodes", kParent}, {"nodes", kSessionTurn},
                              {"nodes", kAgent},    {"nodes", kRun},    {"nodes", kTime},
                              {"edges", kSource},   {"edges", kTarget}, {"sessions", kId},
                              {"tools", kId},       {"tools", kName},   {"tools", kTarget},
                              {"tool_results", kId}};

/// A question that is asked of a graph again and again.
struct SqlView {
  std::string_view name, table;
  Columns columns;  ///< that it needs of the table
  const char* select;
};

constexpr std::string_view kOfCalls[] = {"type",     "session",     "turn",     "timestamp",
                                         "status",   "model",       "agent_id", "tokens_total",
                                         "cost_usd", "duration_ms", "at"};
constexpr std::string_view kOfHops[] = {"type", "hop_kind", "service"};
constexpr std::string_view kOfTools[] = {"nodes_row", "name", "target", "is_error", "duration_ms"};
constexpr std::string_view kOfEdges[] = {"source", "target", "type", "confidence", "method"};

// A subagent that only its report records (not_recorded) is no call. Sums of dollars are rounded to
// the precision of logs: SQL adds up doubles.
constexpr SqlView kViews[] = {
    {"calls", "nodes", kOfCalls,
     "SELECT * FROM nodes WHERE type = 'inference' AND status <> 'not_recorded'"},
    {"hops", "nodes", kOfHops, "SELECT * FROM nodes WHERE type = 'hop'"},
    {"turns", "nodes", kOfCalls,
     "SELECT session, turn, min(timestamp) AS start, count(*) AS calls, "
     "sum(status = 'error') AS errors, sum(tokens_total) AS tokens_total, "
     "round(sum(cost_usd), 9) AS cost_usd, sum(duration_ms) AS duration_ms "
     "FROM nodes WHERE turn IS NOT NULL AND status <> 'not_recorded' GROUP BY session, turn"},
    {"models", "nodes", kOfCalls,
     "SELECT model, count(*) AS calls, sum(status = 'error') AS errors, "
     "sum(tokens_total) AS tokens_total, round(sum(cost_usd), 9) AS cost_usd, "
     "sum(duration_ms) AS duration_ms FROM nodes "
     "WHERE type = 'inference' AND status <> 'not_recorded' GROUP BY model"},
    {"tool_calls", "tools", kOfTools,
     "SELECT n.session, n.turn, n.agent_id, n.id AS call, n.at, t.* "
     "FROM tools t JOIN nodes n ON n.row = t.nodes_row"},
    {"links", "edges", kOfEdges,
     "SELECT e.type, e.confidence, e.method, e.source, s.agent_id AS source_agent, "
     "s.at AS source_at, e.target, t.agent_id AS target_agent, t.at AS target_at "
     "FROM edges e LEFT JOIN nodes s ON s.id = e.source LEFT JOIN nodes t ON t.id = e.target"},
};

bool add_indices(SqliteFile& file, const SqliteTables& tables) {
  for (const Index& index : kIndices) {
    if (!tables.has(index.table, index.columns)) continue;
    const std::string columns = fmt::format("{}", fmt::join(index.columns, ", "));
    const std::string name = fmt::format("{}_by_{}", index.table, fmt::join(index.columns, "_"));
    if (!file.run(fmt::format("CREATE INDEX {} ON {} ({})", name, index.table, columns)))
      return false;
  }
  return tables.index_children();
}

bool add_views(SqliteFile& file, const SqliteTables& tables) {
  for (const SqlView& view : kViews) {
    const bool has_calls = view.table == "nodes" || tables.has("nodes", kOfCalls);
    if (!has_calls || !tables.has(view.table, view.columns) || tables.has(view.name)) continue;
    if (!file.run(fmt::format("CREATE VIEW {} AS {}", view.name, view.select))) return false;
  }
  return true;
}

bool write_answer_to(const Document& document, std::ostream& out) {
  Result<SqliteFile> file = SqliteFile::in_memory();
  if (!file || !file->run(fmt::format("{}{}; BEGIN", kBegin, kAnswerApplication))) return false;
  {
    SqliteTables tables(*file);
    if (!tables.add(document) || !add_indices(*file, tables) || !add_views(*file, tables))
      return false;
  }
  return file->run("COMMIT") && file->write(out);
}

void write_sqlite(const Document& document, const Paper&, std::ostream& out) {
  if (!write_answer_to(document, out)) out.setstate(std::ios::badbit);
}

}  // namespace

extern constinit const Renderer kSqliteRenderer = {
    .name = "sqlite",
    .summary = "tables as an SQLite database (with -o)",
    .face = Face::tables,
    .write = write_sqlite,
    .needs_file = true,
    .needs_name = true,
    .is_binary = true,
};

}  // namespace xtrace
