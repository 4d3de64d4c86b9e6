#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"

namespace xtrace {

/// One query, as the index knows it. What is unknown becomes NULL.
struct QueryRow {
  std::string query_id, project_id;
  std::optional<std::string> trace_ref;  ///< where its trace was written
  std::optional<std::string> mode, level;
  std::optional<std::string> started;  ///< RFC 3339, UTC
  std::optional<int64_t> steps;
  std::optional<double> total_latency_ms;
  std::optional<int64_t> total_tokens_in, total_tokens_out;
  std::optional<double> total_cost_usd;
  std::optional<std::string> subgraph_digest, graph_version, snapshot_ref;
  std::optional<std::string> trace_sha256;  ///< of the file that trace_ref names
};

/// Adds the rows to the table `Query` of an SQLite database, each in place of an older one of the
/// same project and query; all of them or none. The database is made if it is not there. One that
/// is something else, or was made by a newer version, is left as it is, and so is all that others
/// keep in it. Another writer is waited for, so long.
Status index_queries(const std::string& path, std::span<const QueryRow> rows,
                     std::chrono::milliseconds patience = std::chrono::seconds(5));

/// All rows of such a database, by project and query; it is left as it is. Exit::input: it is none.
Result<std::vector<QueryRow>> read_index(const std::string& path);

}  // namespace xtrace
