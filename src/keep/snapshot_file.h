#pragma once

#include <cstdint>
#include <string>

#include "base/result.h"

namespace xtrace {

/// A graph as it was when its newest event happened, kept to be looked at afterwards.
struct Snapshot {
  std::string last_updated;  ///< of the newest event, RFC 3339
  std::string json;          ///< a whole answer, one object
  std::string view = "explanation";
};

/// Adds a snapshot to a file that holds them, which is made if it is not there. One ending in
/// .sqlite, .sqlite3 or .db is an SQLite database with a table `Snapshot`, a row each; any other is
/// JSON, `{"snapshots": [{"lastUpdated": …, "graph": {…}}]}`, newest last, and appears whole or not
/// at all. One that is there already is not kept twice. Those more than `retention_days` older than
/// the newest go; no clock has a say in that. A file that is something else is left as it is: an
/// Error with Exit::output. Of two programs that write the same JSON at once, one may be lost.
Status keep_snapshot(const std::string& path, const Snapshot& snapshot, int64_t retention_days);

}  // namespace xtrace
