#pragma once

#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "input/common/raw_trace.h"

namespace xtrace {

/// The utterance with which a fork begins, after what it took over → the one that it goes on from.
using ForkedFrom = std::unordered_map<uint32_t, uint32_t>;

/// Fills in what utterances do not state themselves: session, agent and model, as the name of their
/// file, the headings before them and other sessions state them. What is on record twice counts
/// once. Returns where forks go on.
ForkedFrom fill_in(RawTrace& trace);

// The passes of fill_in().

/// Names the session and agent of each utterance and relation as its file states them: in headings,
/// which hold for all that follows, in its own name, or in that of its folder. Then fills in the
/// tool uses that started agents.
void name_owners(RawTrace& trace);
/// The part of name_owners() that fills in the tool uses that started agents, and the sessions that
/// these are of:
///
///   * An unclaimed session is part of the only one in which a tool got its first prompt.
///   * Where tools have no ids, a result in the same record names the agent. Its tool use has the
///     same place in the answer.
///   * The tool use that is recorded with the path of an agent, or the name in it, started it.
void settle_relations(RawTrace& trace);
/// A session that another one names as its subagent is part of that one, and so are the subagents
/// below it: all are told apart by agent, in the session of the one that nobody started. Reports
/// that name an agent by its path get its name.
void join_sessions(RawTrace& trace);
/// Drops what whole files and beginnings of files repeat of others; each rule sees what those
/// before it left:
///
///   1. A file of a thread that says what another one begins with, at the same times or with the
///      same running totals, is a copy of that.
///   2. A fork whose heading names the thread that it goes on from begins with a copy of what that
///      one had said by then, some of it left out, dated as that one or anew: it counts there.
///      Where nothing of it is on record, only what the fork itself did counts, and a complaint
///      mentions the copy.
///   3. A fork that names none begins with what another session had said by then, at the same
///      times.
///
/// What a log shows twice is dropped later: kept before printed (drop_printed), kept before shown
/// (Cline), and by ids and vendors' names of answers find_originals().
ForkedFrom drop_copies(RawTrace& trace);
/// The second rule of drop_copies(): also adds to `forked_from` where forks go on.
void drop_named_forks(RawTrace& trace, ForkedFrom& forked_from);
/// Drops what a run printed of a session that is also kept, and counts it as copies. What was
/// printed later than the last that was kept is in no copy: an older state of the session is at
/// hand. Without dates, as many answers are copies as were kept. A failure is one only where what
/// was kept states one.
void drop_printed(RawTrace& trace);
/// Drops what an event repeats of its file or session, if that has it.
void drop_echoes(RawTrace& trace);

/// A run that went wrong may tell so at its end, behind answers that it got: then its last call is
/// the one that failed, and the end is no call of its own. Where something was asked since and
/// nobody answered, a failure that is a call's stays one.
void settle_failed_runs(RawTrace& trace);

/// Which utterances count and which are copies of those.
struct Originals {
  std::vector<bool> copies;
  std::vector<uint32_t> by_id;  ///< the one that has this id, or that its copy has
};

/// Of utterances with one id in several files, or of equal ones in one: a copy behind the original;
/// then the session that ended first, since one that takes over a history goes on longer; then a
/// subagent's last, which may begin with all that was said to the main agent by then; then the one
/// that shows what it follows. Where copies have ids of their own, answers of the same name, time
/// and words show that a file holds what another one does; where they are dated anew too, answers
/// of the same name and words in two sessions do. Of their counts the original has the better one.
Originals find_originals(RawTrace& trace);

inline constexpr uint32_t kNoUtterance = UINT32_MAX;

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

/// Takes off what follows the last slash.
inline std::string_view cut_last(std::string_view& path) {
  const size_t at = path.rfind('/');
  const std::string_view last = path.substr(at + 1);  // npos + 1 is 0
  path = at == std::string_view::npos ? std::string_view{} : path.substr(0, at);
  return last;
}

/// Is it part of what is said, told again where a history is taken over?
inline bool is_item(const Utterance& said) {
  switch (said.kind) {
    case Utterance::Kind::asked:
    case Utterance::Kind::answered:
    case Utterance::Kind::failed:
    case Utterance::Kind::compacted:
    case Utterance::Kind::rewound: return true;
    case Utterance::Kind::used: return said.usage.scope <= UsageTerms::Scope::turn;
    default: return false;
  }
}

}  // namespace xtrace
