#pragma once

#include <span>
#include <vector>

#include "base/time.h"
#include "input/growing/records.h"

namespace xtrace {

/// What a record shares with others that it may belong together with, and when it was logged.
struct RecordIds {
  Time logged = kNoTime;      ///< the newest end of what it tells of
  std::vector<uint64_t> ids;  ///< hashes of the identifiers it defines or mentions
  /// The same of tasks: steps of one task follow one another, and are linked in no other way.
  std::vector<uint64_t> tasks;
  bool has_thoughts = false;    ///< what a model thought
  bool has_call_spans = false;  ///< spans that promise a log of the call that they are
  /// Calls that are linked by what they say, and so to any other of their task.
  bool has_calls = false;
  /// Spans of calls without the id of a request, which are found among thoughts by their time.
  bool has_timed_spans = false;
  bool tells() const { return !ids.empty() || !tasks.empty(); }
};

/// Of each of `records`, which are those that `read` is of. Everything whose links are not found by
/// ids that are in the record shares one: calls and transcripts without the name of a session, hops
/// that name no cause (`trust.*` tags).
std::vector<RecordIds> ids_of(const SomeRecords& read, std::span<const RecordAt> records);

}  // namespace xtrace
