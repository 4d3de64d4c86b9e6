#include "cli/verify_index.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/sha256.h"

namespace xtrace {

namespace {

using Json = nlohmann::json;

/// A column, and where a trace says the same.
struct Figure {
  const char* column;
  const char* place;
  Json row;
};

template <class Value>
Json json_of(const std::optional<Value>& value) {
  return value ? Json(*value) : Json();
}

std::vector<Figure> figures_of(const QueryRow& row) {
  return {{"mode", "/mode", json_of(row.mode)},
          {"level", "/level", json_of(row.level)},
          {"started", "/metrics/started", json_of(row.started)},
          {"steps", "/metrics/steps", json_of(row.steps)},
          {"total_latency_ms", "/metrics/total_latency_ms", json_of(row.total_latency_ms)},
          {"total_tokens_in", "/metrics/total_tokens_in", json_of(row.total_tokens_in)},
          {"total_tokens_out", "/metrics/total_tokens_out", json_of(row.total_tokens_out)},
          {"total_cost_usd", "/metrics/total_cost_usd", json_of(row.total_cost_usd)},
          {"subgraph_digest", "/subgraphDigest", json_of(row.subgraph_digest)},
          {"graph_version", "/graphVersion", json_of(row.graph_version)},
          {"snapshot_ref", "/snapshotRef", json_of(row.snapshot_ref)}};
}

Json at(const Json& trace, const char* place) {
  Json::json_pointer pointer(place);
  return trace.contains(pointer) ? trace.at(pointer) : Json();
}

/// A database keeps amounts as binary fractions.
bool is_same(const Json& a, const Json& b) {
  if (!a.is_number() || !b.is_number()) return a == b;
  double x = a.get<double>(), y = b.get<double>();
  return std::abs(x - y) <= 1e-9 * std::max(1.0, std::abs(x));
}

std::string place_of(const std::filesystem::path& path) {
  return path.lexically_normal().string();
}

}  // namespace

Result<IndexCheck> IndexCheck::open(const std::string& path,
                                    const std::vector<std::string>& folders) {
  Result<std::vector<QueryRow>> rows = read_index(path);
  if (!rows) return tl::unexpected(rows.error());
  IndexCheck check;
  check.has_folders_ = !folders.empty();
  check.rows_ = *std::move(rows);
  for (size_t i = 0; i < check.rows_.size(); ++i) {
    const QueryRow& row = check.rows_[i];
    check.by_key_.emplace(Key(row.project_id, row.query_id), i);
    if (!row.trace_ref) continue;
    for (const std::string& folder : folders)
      check.by_place_.emplace(place_of(std::filesystem::path(folder) / *row.trace_ref), i);
  }
  return check;
}

/// By where the trace lies; one that was moved, by what it is of.
const QueryRow* IndexCheck::find(const std::string& path, const Json& trace) {
  auto note = [&](size_t row) {
    found_.insert(row);
    return &rows_[row];
  };
  if (auto placed = by_place_.find(place_of(path)); placed != by_place_.end())
    return note(placed->second);
  Json project = trace.value("projectId", Json("")), query = at(trace, "/queryId");
  if (!project.is_string() || !query.is_string()) return nullptr;
  auto known = by_key_.find(Key(project.get<std::string>(), query.get<std::string>()));
  if (known == by_key_.end() || found_.contains(known->second)) return nullptr;
  return note(known->second);
}

std::vector<std::string> IndexCheck::differences(const std::string& path, const Json& trace,
                                                 const Show& show) {
  const QueryRow* row = find(path, trace);
  if (row == nullptr)
    return {fmt::format("no row for the trace of query {}", show(at(trace, "/queryId")))};
  std::vector<std::string> lines;
  auto compare = [&](const char* column, const Json& noted, const Json& said) {
    if (!is_same(noted, said))
      lines.push_back(
          fmt::format("{} is {}, but {} in the trace", column, show(noted), show(said)));
  };
  Json project = trace.value("projectId", Json(""));
  compare("project_id", row->project_id, project);
  // One that looks like another's gets a number behind it.
  Json query = at(trace, "/queryId");
  if (!query.is_string() || !row->query_id.starts_with(query.get<std::string>() + "~"))
    compare("query_id", row->query_id, query);
  for (const Figure& figure : figures_of(*row))
    compare(figure.column, figure.row, at(trace, figure.place));
  if (Result<std::string> digest = sha256_of_file(path, UINT64_MAX);
      digest && row->trace_sha256 != *digest)
    lines.push_back(fmt::format("trace_sha256 is {}, but the file has {}",
                                show(json_of(row->trace_sha256)), show(*digest)));
  return lines;
}

std::vector<std::string> IndexCheck::unmatched(const Show& show) const {
  std::vector<std::string> lines;
  if (!has_folders_) return lines;
  for (size_t i = 0; i < rows_.size(); ++i)
    if (!found_.contains(i))
      lines.push_back(fmt::format("query {}: no trace {}", show(rows_[i].query_id),
                                  show(json_of(rows_[i].trace_ref))));
  return lines;
}

}  // namespace xtrace
