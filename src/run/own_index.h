#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/system.h"
#include "base/zone.h"
#include "view/calls/session_state.h"
#include "view/calls/spending.h"

namespace xtrace {

struct Request;

/// A log file as it was when it was read last.
struct IndexedFile {
  std::string path;
  uint64_t bytes = 0;
  FileTime changed;
  FileId id;

  bool operator==(const IndexedFile&) const = default;
};

/// A local session in numbers; of its words only names.
struct IndexedSession {
  std::string id, source, project, tool;
  Doing doing = Doing::nothing;
  Time since = kNoTime, end = kNoTime;
  int64_t calls = 0;
  Usage used;  ///< cost and its bounds

  SessionState state() const { return {doing, since, tool}; }
};

/// A quarter of an hour, counted from 1970: days of all of today's time zones begin with one, so
/// that the sum of a day is exact in any zone.
struct IndexedPeriod {
  int64_t quarter = 0;
  Usage used;
};

/// Files that are read together, since they record the same sessions, calls or replies. A line that
/// several of them hold counts once.
struct IndexedGroup {
  std::vector<IndexedFile> files;
  std::vector<IndexedSession> sessions;
  std::vector<IndexedPeriod> periods;
  std::vector<uint64_t> keys;  ///< hashes of the ids in its files, ascending
};

/// What the logs of the local sessions add up to, so that only files that changed are read again.
struct OwnIndex {
  std::vector<IndexedGroup> groups;

  /// The newest session, or the one whose id is or begins with `id`. nullptr: there is none.
  const IndexedSession* find(std::string_view id) const;
  /// The session with that number in `xtrace list`: the newest is 1.
  const IndexedSession* numbered(size_t number) const;
  /// The cost of all sessions on a day, `2026-04-04`, of the zone.
  Usage used_on(std::string_view day, const Zone& zone) const;
};

/// The index as bytes; `key` names the program and settings that the sums depend on.
std::string bytes_of(const OwnIndex& index, uint64_t key);
/// Returns nothing for bytes that are damaged, or of another key.
std::optional<OwnIndex> read_index(std::string_view bytes, uint64_t key);

/// Brings an index up to date with own_logs(): reads files that are new or changed, by size, time
/// or inode, and those of their groups. Returns whether anything changed.
Result<bool> update_index(OwnIndex& index, const Request& request);

/// The index of own_logs() as they are now. Keeps it in the cache folder if `uses_cache`; what is
/// there is ignored if it is damaged, and not being able to write it is no error.
Result<OwnIndex> own_index(const Request& request, bool uses_cache);

}  // namespace xtrace
