#include "run/graph_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <sstream>

#include "base/number.h"
#include "base/text.h"
#include "keep/health.h"
#include "keep/snapshot_file.h"
#include "run/answer.h"
#include "run/beside.h"
#include "run/page_size.h"

namespace xtrace {

namespace {

/// A number of the record `metrics`; 0 where an answer has none of that name.
int64_t metric_of(const Document& document, std::string_view key) {
  for (const Section& section : document.sections())
    if (const Record* record = std::get_if<Record>(&section);
        record != nullptr && record->table.name == "metrics")
      for (size_t i = 0; i < record->table.columns.size(); ++i)
        if (const int64_t* number = std::get_if<int64_t>(&record->table.cells[i]);
            number != nullptr && record->table.columns[i].key == key)
          return *number;
  return 0;
}

/// Only a story has summaries.
bool is_explanation(const Document& document) {
  return std::any_of(document.sections().begin(), document.sections().end(),
                     [](const Section& one) {
                       const Stream* stream = std::get_if<Stream>(&one);
                       return stream != nullptr && stream->name == "summaries";
                     });
}

}  // namespace

Status keep_snapshot_of(const GraphFiles& files, Moment newest, std::string json, Health& health,
                        std::string_view view) {
  if (files.snapshot.empty() || json.empty()) return {};
  Snapshot snapshot;
  if (newest.time != kNoTime) snapshot.last_updated = format_time(newest);
  snapshot.json = std::move(json);
  snapshot.view = view;
  Stopwatch watch;
  Status kept = keep_snapshot(files.snapshot, snapshot, files.days());
  if (!kept) return kept;
  std::error_code error;
  uintmax_t bytes = std::filesystem::file_size(files.snapshot, error);
  health.note_snapshot(watch.read(), error ? 0 : static_cast<int64_t>(bytes));
  return {};
}

Status keep_graph(const Answered& answered) {
  const Request& request = answered.request;
  Health& health = answered.health;
  if (!request.graph.any()) return {};
  // By a door of its own: what it lets through has no say in the answer.
  Result<std::unique_ptr<Door>> door = open_door(request, answered.runs);
  if (!door) return tl::unexpected(door.error());
  Stopwatch folding;
  Result<Document> tables = answer_as_tables(request, answered.runs, **door);
  if (!tables) return tl::unexpected(tables.error());
  if (int64_t folded = metric_of(*tables, "folded_nodes"); folded > 0)
    health.note_prune(folding.read(), folded,
                      metric_of(*tables, "total_edges") - metric_of(*tables, "shown_edges"));
  if (!request.graph.snapshot.empty()) {
    std::ostringstream json;
    write_json(*tables, request.paper, json);
    Status kept = keep_snapshot_of(request.graph, answered.runs.newest(), json.str(), health,
                                   is_explanation(*tables) ? "explanation" : "dag");
    if (!kept) return kept;
  }
  // After the JSON, which ends with what was replaced: counting makes the rows once more.
  health.note_graph(static_cast<int64_t>(count_rows(*tables, "nodes")),
                    static_cast<int64_t>(count_rows(*tables, "edges")));
  return {};
}

Status write_metrics(const GraphFiles& files, const Health& health) {
  for (const std::string& path : files.metrics)
    if (Status written = write_health(path, health); !written) return written;
  return {};
}

}  // namespace xtrace
