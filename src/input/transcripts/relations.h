#pragma once

#include <utility>

#include "input/common/raw_trace.h"

namespace xtrace {

inline bool is_of_record(const Extent& at, const Extent& other) {
  return at.file == other.file && at.offset == other.offset;
}

/// Calls `said` with each utterance and `stated` with each relation, in the order of their records;
/// in that of one record, relations come last.
template <class Said, class Stated>
void for_each_in_order(RawTrace& trace, Said said, Stated stated) {
  auto next = trace.relations.begin();
  const auto is_before = [&](const Extent& at) {
    return std::pair(next->source.file, next->source.offset) < std::pair(at.file, at.offset);
  };
  for (Utterance& at : trace.utterances) {
    for (; next != trace.relations.end() && is_before(at.source); ++next) stated(*next);
    said(at);
  }
  for (; next != trace.relations.end(); ++next) stated(*next);
}

/// Fills in the tool uses that started agents, and the sessions that these are of:
///
///   * An unclaimed session is part of the only one in which a tool was given its first prompt.
///   * Where tools have no ids, a result of the same record names the agent: its tool use is the
///   one
///     at the same place in the answer.
///   * An agent with a path was started by the tool use that is recorded with that path, or with
///   the
///     name that it begins with.
///
/// Requires: every utterance has its session.
void settle_relations(RawTrace& trace);
/// Names the agents of reports that name them by their paths.
/// Requires: agents are those of the session that nobody started.
void name_reporters(RawTrace& trace);

}  // namespace xtrace
