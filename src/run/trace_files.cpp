#include "run/trace_files.h"

#include <fmt/format.h>

#include <set>
#include <sstream>

#include "base/sha256.h"
#include "base/text.h"
#include "keep/audit_log.h"
#include "keep/output.h"
#include "keep/output_folder.h"
#include "keep/query_index.h"
#include "run/answer.h"
#include "run/written_files.h"

namespace xtrace {

namespace {

/// What an answer says of itself in its records: `metrics.total_tokens_in`.
class AnswerRecords {
 public:
  explicit AnswerRecords(const Document& document) {
    for (const Section& section : document.sections())
      if (const Record* record = std::get_if<Record>(&section))
        for (size_t i = 0; i < record->table.columns.size(); ++i)
          cells_.emplace_back(path_of(record->table, i), &record->table.cells[i]);
  }
  std::optional<std::string> text(std::string_view path) const {
    const Text* text = get<Text>(path);
    return text == nullptr ? std::nullopt : std::optional(std::string(text->view()));
  }
  std::optional<int64_t> count(std::string_view path) const { return copy<int64_t>(path); }
  std::optional<double> dollars(std::string_view path) const {
    const Dollars* amount = get<Dollars>(path);
    if (amount == nullptr) return std::nullopt;
    return static_cast<double>(amount->billionths) / 1e9;
  }
  std::optional<double> milliseconds(std::string_view path) const {
    const Duration* length = get<Duration>(path);
    if (length == nullptr) return std::nullopt;
    return static_cast<double>(length->count()) / 1e6;
  }

  std::optional<std::string> moment(std::string_view path) const {
    const Moment* moment = get<Moment>(path);
    return moment == nullptr ? std::nullopt : std::optional(format_time(*moment));
  }

 private:
  static std::string path_of(const Table& table, size_t column) {
    std::string key(table.columns[column].key);
    return table.name.empty() ? key : fmt::format("{}.{}", table.name, key);
  }
  template <class Kind>
  const Kind* get(std::string_view path) const {
    for (const auto& [name, cell] : cells_)
      if (name == path) return std::get_if<Kind>(cell);
    return nullptr;
  }
  template <class Kind>
  std::optional<Kind> copy(std::string_view path) const {
    const Kind* found = get<Kind>(path);
    return found == nullptr ? std::nullopt : std::optional(*found);
  }

  std::vector<std::pair<std::string, const Cell*>> cells_;
};

QueryRow row_of(const AnswerRecords& said) {
  QueryRow row;
  row.query_id = said.text("queryId").value_or("");
  row.project_id = said.text("projectId").value_or("");
  row.mode = said.text("mode");
  row.level = said.text("level");
  row.started = said.moment("metrics.started");
  row.steps = said.count("metrics.steps");
  row.total_latency_ms = said.milliseconds("metrics.total_latency_ms");
  row.total_tokens_in = said.count("metrics.total_tokens_in");
  row.total_tokens_out = said.count("metrics.total_tokens_out");
  row.total_cost_usd = said.dollars("metrics.total_cost_usd");
  row.subgraph_digest = said.text("subgraphDigest");
  row.graph_version = said.text("graphVersion");
  row.snapshot_ref = said.text("snapshotRef");
  return row;
}

/// None of these may be replaced by a trace.
std::vector<std::string> files_read(const Request& request, const LinkedRuns& runs) {
  std::vector<std::string> files = runs.inputs();
  for (const std::vector<std::string>& more : {request.inputs, settings_of(request)})
    files.insert(files.end(), more.begin(), more.end());
  return files;
}

}  // namespace

Result<Exit> write_trace_files(const Request& request, const LinkedRuns& runs) {
  Result<size_t> queries = count_queries(request, runs);
  if (!queries) return tl::unexpected(queries.error());
  Result<OutputFolder> folder =
      OutputFolder::open(request.files.output_dir, readers_of(request), files_read(request, runs));
  if (!folder) return tl::unexpected(folder.error());
  std::vector<QueryRow> rows;
  std::string written;
  std::set<std::pair<std::string, std::string>> written_ids;
  Audit audit;
  std::unique_ptr<Door> door;
  for (size_t query = 0; query < *queries; ++query) {
    // Each as if it were asked for alone, which is how it can be checked.
    Result<std::unique_ptr<Door>> opened = open_door(request, runs, &audit);
    if (!opened) return tl::unexpected(opened.error());
    door = *std::move(opened);
    Result<Document> answer = xtrace::answer(request, runs, *door, query);
    if (!answer) return tl::unexpected(answer.error());
    std::ostringstream text;
    write_document(request, *answer, text);
    QueryRow row = row_of(AnswerRecords(*answer));
    // Two that look alike when what is secret of their names is replaced.
    for (int nth = 2; !written_ids.emplace(row.project_id, row.query_id).second; ++nth)
      row.query_id = fmt::format("{}~{}", *AnswerRecords(*answer).text("queryId"), nth);
    std::string bytes = std::move(text).str();
    Result<std::string> file =
        folder->write(row.project_id, row.query_id, [&](std::ostream& out) { out << bytes; });
    if (!file) return tl::unexpected(file.error());
    written += printable(fmt::format("{}/{}", request.files.output_dir, *file)) + '\n';
    row.trace_ref = *std::move(file);
    row.trace_sha256 = sha256_of(bytes);
    rows.push_back(std::move(row));
  }
  if (!request.files.index.empty())
    if (Status noted = index_queries(request.files.index, rows); !noted)
      return tl::unexpected(noted.error());
  if (!request.audit_log.empty() && door != nullptr)
    if (Status kept = write_audit(request.audit_log, audit, *door); !kept)
      return tl::unexpected(kept.error());
  if (Status written_answer = print_answer([&](std::ostream& out) { out << written; });
      !written_answer)
    return tl::unexpected(written_answer.error());
  return Exit::answered;
}

}  // namespace xtrace
