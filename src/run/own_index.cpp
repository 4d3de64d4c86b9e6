#include "run/own_index.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "base/build.h"
#include "base/hash.h"
#include "keep/byte_archive.h"
#include "keep/private_folder.h"
#include "run/own_logs.h"
#include "run/request.h"

namespace xtrace {

namespace {

/// To be raised when the layout or the way to count changes.
constexpr uint64_t kLayout = 2;
constexpr size_t kHeader = 3 * sizeof(uint64_t);  // layout, key, checksum of what follows

// Each goes through the members in their order, for both directions.

template <class Archive, class Sum>
void go_through_sum(Archive& archive, Sum& used) {
  archive(used.cost);
  archive(used.uncharged);
  archive(used.unpriced);
  archive(used.low);
}

template <class Archive, class Group>
void go_through(Archive& archive, Group& group) {
  archive.list(group.files, [](Archive& at, auto& file) {
    at(file.path);
    at(file.bytes);
    at(file.changed.seconds);
    at(file.changed.nanoseconds);
    at(file.id.device);
    at(file.id.number);
  });
  archive.list(group.sessions, [](Archive& at, auto& session) {
    at(session.id);
    at(session.source);
    at(session.project);
    at(session.tool);
    at.word(session.doing, Doing::user);
    at(session.since);
    at(session.end);
    at(session.calls);
    go_through_sum(at, session.used);
  });
  archive.list(group.periods, [](Archive& at, auto& period) {
    at(period.quarter);
    go_through_sum(at, period.used);
  });
  archive.list(group.keys, [](Archive& at, auto& key) { at(key); });
}

uint64_t number_at(std::string_view bytes, size_t nth) {
  uint64_t number = 0;
  std::memcpy(&number, bytes.data() + nth * sizeof number, sizeof number);
  return number;
}

/// The program, and each file whose content the sums depend on, as it is now.
uint64_t key_of(const Request& request) {
  uint64_t key = chain(hash_of(XTRACE_VERSION), hash_of(build_id()));
  for (const std::string& file : request.settings) {
    const FileStatus status = file_status(file).value_or(FileStatus());
    key =
        chain(key, hash_of(fmt::format("{} {} {}.{} {}", file, status.bytes, status.changed.seconds,
                                       status.changed.nanoseconds, status.id.number)));
  }
  return chain(key, hash_of(fmt::format("{}", fmt::join(request.linking.spawn_tools, "\n"))));
}

/// One for each set of log folders, so that XTRACE_LOGS does not replace the usual one.
std::string index_name() {
  uint64_t logs = 0;
  for (const std::string& path : own_logs()) logs = chain(logs, hash_of(path));
  return fmt::format("sessions-{:016x}.index", logs);
}

}  // namespace

const IndexedSession* OwnIndex::find(std::string_view id) const {
  const IndexedSession* newest = nullptr;
  for (const IndexedGroup& group : groups)
    for (const IndexedSession& session : group.sessions) {
      if (!id.empty() && session.id == id) return &session;
      if (!session.id.starts_with(id)) continue;
      if (newest == nullptr || newest->end < session.end) newest = &session;
    }
  return newest;
}

const IndexedSession* OwnIndex::numbered(size_t number) const {
  std::vector<const IndexedSession*> sessions;
  for (const IndexedGroup& group : groups)
    for (const IndexedSession& session : group.sessions) sessions.push_back(&session);
  std::ranges::stable_sort(
      sessions, [](const IndexedSession* a, const IndexedSession* b) { return a->end > b->end; });
  return number > 0 && number <= sessions.size() ? sessions[number - 1] : nullptr;
}

Usage OwnIndex::used_on(std::string_view day, const Zone& zone) const {
  Usage sum;
  int64_t last = INT64_MIN;
  bool is_on_day = false;
  for (const IndexedGroup& group : groups)
    for (const IndexedPeriod& period : group.periods) {
      if (period.quarter != last)
        is_on_day = zone.day(Time(std::chrono::minutes(15) * period.quarter)) == day;
      last = period.quarter;
      if (is_on_day) sum.add(period.used);
    }
  return sum;
}

std::string bytes_of(const OwnIndex& index, uint64_t key) {
  ByteWriter body;
  body.list(index.groups, [](ByteWriter& at, const IndexedGroup& group) { go_through(at, group); });
  ByteWriter whole;
  for (const uint64_t number : {kLayout, key, hash_of(body.out)}) whole(number);
  return whole.out + body.out;
}

std::optional<OwnIndex> read_index(std::string_view bytes, uint64_t key) {
  if (bytes.size() < kHeader || number_at(bytes, 0) != kLayout || number_at(bytes, 1) != key)
    return std::nullopt;
  const std::string_view body = bytes.substr(kHeader);
  if (number_at(bytes, 2) != hash_of(body)) return std::nullopt;
  OwnIndex index;
  ByteReader reader(body);
  reader.list(index.groups, [](ByteReader& at, IndexedGroup& group) { go_through(at, group); });
  if (!reader.is_done()) return std::nullopt;
  return index;
}

Result<OwnIndex> own_index(const Request& request, bool uses_cache) {
  const std::string name = index_name();
  const uint64_t key = key_of(request);
  OwnIndex index;
  if (uses_cache)
    if (const std::optional<PrivateFolder> folder = PrivateFolder::open(cache_folder()))
      if (const std::optional<std::string> bytes = folder->read(name))
        if (std::optional<OwnIndex> known = read_index(*bytes, key)) index = *std::move(known);
  const Result<bool> changed = update_index(index, request);
  if (!changed) return tl::unexpected(changed.error());
  if (*changed && uses_cache)
    if (const std::optional<PrivateFolder> folder = PrivateFolder::make(cache_folder()))
      folder->write(name, bytes_of(index, key));
  return index;
}

}  // namespace xtrace
