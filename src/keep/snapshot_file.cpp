#include "keep/snapshot_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <nlohmann/json.hpp>
#include <ostream>
#include <vector>

#include "base/system.h"
#include "base/text.h"
#include "base/time.h"
#include "keep/output.h"
#include "keep/private_database.h"
#include "sqlite/sqlite_file.h"

namespace xtrace {

namespace {

using Json = nlohmann::ordered_json;

tl::unexpected<Error> refused(const std::string& path, std::string_view why) {
  return fail(Exit::output, fmt::format("--snapshot: '{}' {}; it was not changed; use another file",
                                        printable(path), why));
}

bool is_too_old(Time time, Time newest, int64_t days) {
  constexpr Duration kDay = std::chrono::hours(24);
  if (days > Duration::max() / kDay) return false;
  return elapsed(time, newest) > days * kDay;
}

/// A snapshot of a JSON file, which its text identifies.
struct StoredSnapshot {
  Time time;
  std::string text;
};

std::string text_of(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

/// `{"lastUpdated": …, "graph": {…}}`; empty: that is not what it is.
std::optional<StoredSnapshot> stored_snapshot_of(const Json& item) {
  if (!item.is_object() || !item.contains("lastUpdated") || !item["lastUpdated"].is_string() ||
      !item.contains("graph") || !item["graph"].is_object())
    return std::nullopt;
  std::optional<Moment> moment = parse_time(item["lastUpdated"].get<std::string>());
  if (!moment) return std::nullopt;
  return StoredSnapshot{moment->time, text_of(item)};
}

Result<std::vector<StoredSnapshot>> read_kept(const std::string& path) {
  std::vector<StoredSnapshot> kept;
  const std::optional<FileStatus> status = file_status(path);
  if (!status) {
    if (errno == ENOENT) return kept;
    return refused(path, fmt::format("cannot be accessed: {}", std::strerror(errno)));
  }
  if (!status->is_regular()) return refused(path, "is not a regular file");
  if (status->bytes == 0) return kept;
  std::ifstream file(path, std::ios::binary);
  if (!file) return refused(path, fmt::format("cannot be read: {}", std::strerror(errno)));
  constexpr std::string_view kOther = "is not a snapshot file";
  Json root = Json::parse(file, nullptr, /*allow_exceptions=*/false);
  if (!root.is_object() || root.size() != 1 || !root.contains("snapshots") ||
      !root["snapshots"].is_array())
    return refused(path, kOther);
  for (const Json& item : root["snapshots"]) {
    std::optional<StoredSnapshot> one = stored_snapshot_of(item);
    if (!one) return refused(path, kOther);
    kept.push_back(*std::move(one));
  }
  return kept;
}

Status keep_in_json(const std::string& path, const Snapshot& snapshot, Time time, int64_t days) {
  Result<std::vector<StoredSnapshot>> kept = read_kept(path);
  if (!kept) return tl::unexpected(kept.error());
  Json graph = Json::parse(snapshot.json, nullptr, /*allow_exceptions=*/false);
  if (!graph.is_object()) return fail(Exit::bug, "a snapshot is not a JSON object");
  Json item = Json::object();
  item["lastUpdated"] = snapshot.last_updated;
  item["graph"] = std::move(graph);
  StoredSnapshot added{time, text_of(item)};
  auto is_same = [&](const StoredSnapshot& one) { return one.text == added.text; };
  if (std::none_of(kept->begin(), kept->end(), is_same)) kept->push_back(std::move(added));
  auto is_older = [](const StoredSnapshot& a, const StoredSnapshot& b) { return a.time < b.time; };
  std::stable_sort(kept->begin(), kept->end(), is_older);
  const Time newest = kept->back().time;
  std::erase_if(*kept,
                [&](const StoredSnapshot& one) { return is_too_old(one.time, newest, days); });
  return write_answer(path, Readers::owner, [&](std::ostream& out) {
    out << "{\"snapshots\": [";
    for (size_t i = 0; i < kept->size(); ++i) out << (i > 0 ? ",\n" : "\n") << (*kept)[i].text;
    out << "\n]}\n";
  });
}

constexpr const char* kCreateSnapshot =
    "CREATE TABLE Snapshot (last_updated TEXT, view TEXT, json TEXT)";
constexpr std::string_view kSnapshotColumns[] = {"last_updated", "view", "json"};
constexpr SqliteTable kSnapshotTable = {"Snapshot", kCreateSnapshot, kSnapshotColumns, {}, 1};

/// Takes out the rows that are too old. Those whose time nobody can read are somebody else's.
Status remove_old(SqliteFile& file, int64_t days) {
  std::vector<std::pair<int64_t, Time>> rows;
  Time newest = kNoTime;
  SqliteFile::Statement select = file.prepare("SELECT rowid, last_updated FROM Snapshot");
  int code = SQLITE_ERROR;
  while (select != nullptr && (code = sqlite3_step(select.get())) == SQLITE_ROW) {
    const unsigned char* text = sqlite3_column_text(select.get(), 1);
    if (text == nullptr) continue;
    std::optional<Moment> moment = parse_time(reinterpret_cast<const char*>(text));
    if (!moment) continue;
    rows.emplace_back(sqlite3_column_int64(select.get(), 0), moment->time);
    newest = std::max(newest, moment->time);
  }
  if (code != SQLITE_DONE) return file.failed();
  select.reset();
  SqliteFile::Statement remove = file.prepare("DELETE FROM Snapshot WHERE rowid = ?");
  if (remove == nullptr) return file.failed();
  for (const auto& [row, time] : rows) {
    if (!is_too_old(time, newest, days)) continue;
    if (!SqliteBinding(remove.get()).all(row) || sqlite3_step(remove.get()) != SQLITE_DONE)
      return file.failed();
    sqlite3_reset(remove.get());
  }
  return {};
}

Status add_row(SqliteFile& file, const Snapshot& snapshot) {
  SqliteFile::Statement insert = file.prepare(
      "INSERT INTO Snapshot (last_updated, view, json) SELECT ?1, ?2, ?3 WHERE NOT EXISTS (SELECT "
      "1 FROM Snapshot WHERE last_updated = ?1 AND view = ?2 AND json = ?3)");
  if (insert == nullptr ||
      !SqliteBinding(insert.get()).all(snapshot.last_updated, snapshot.view, snapshot.json) ||
      sqlite3_step(insert.get()) != SQLITE_DONE)
    return file.failed();
  return {};
}

Status keep_in_database(const std::string& path, const Snapshot& snapshot, int64_t days) {
  return change_private_database(path, std::chrono::seconds(5), kSnapshotTable,
                                 [&](SqliteFile& file) {
                                   // What is taken out is to be gone, not only out of sight.
                                   file.run("PRAGMA secure_delete = ON");
                                   Status added = add_row(file, snapshot);
                                   return added ? remove_old(file, days) : added;
                                 });
}

}  // namespace

Status keep_snapshot(const std::string& path, const Snapshot& snapshot, int64_t retention_days) {
  std::optional<Moment> moment = parse_time(snapshot.last_updated);
  if (!moment)
    return fail(Exit::input,
                "--snapshot: no record has a timestamp, and snapshots are stored by time");
  bool is_database =
      path.ends_with(".sqlite") || path.ends_with(".sqlite3") || path.ends_with(".db");
  return is_database ? keep_in_database(path, snapshot, retention_days)
                     : keep_in_json(path, snapshot, moment->time, retention_days);
}

}  // namespace xtrace
