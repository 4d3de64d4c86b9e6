#pragma once

#include <vector>

#include "input/common/raw_trace.h"

namespace xtrace {

/// What one agent of one session said and was told.
struct Thread {
  StringId session;
  StringId agent;       ///< an explicit id of the subagent; nowhere: none, or the main agent
  StringId agent_type;  ///< explicit
  StringId tool_use;    ///< that started the subagent
  StringId prompt;      ///< hash of what it was told to do, if that is noted apart
  bool is_subagent = false;
  /// Indices into Transcripts::utterances in the order in which they were written down; of what is
  /// in several files, in order of time.
  std::vector<uint32_t> said;
  std::vector<uint32_t> closings;  ///< likewise: what others tell of its last answers
};

struct Threads {
  static constexpr uint32_t kNone = UINT32_MAX;
  std::vector<Thread> all;
  /// For each of Transcripts::utterances the index of the one that it follows; kNone: of none that
  /// is known.
  std::vector<uint32_t> followed;
};

/// Tells whose utterances are whose: by the ids of session and agent, else by what started the
/// subagent, else by the chain of those that follow one another. An utterance that is in the log
/// several times (a session that was resumed or forked takes its history along; what a subagent
/// says may be in its own file and in its parent's) is in one thread, once; the others are counted
/// as copies.
Threads find_threads(RawTrace& trace);

}  // namespace xtrace
