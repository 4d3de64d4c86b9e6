#pragma once

#include <vector>

#include "facts/trace.h"
#include "input/common/thought.h"
#include "input/common/trace_session.h"
#include "input/common/utterance.h"

namespace xtrace {

/// What becomes calls when all of it is read: lines of transcripts, and what models thought.
struct Transcripts {
  std::vector<Utterance> utterances;
  std::vector<Thought> thoughts;
};

/// Everything that was read, before calls are made of transcripts and copies of a record are found.
struct RawTrace : Trace, Transcripts {
  std::vector<TraceSession> trace_sessions;  ///< in the order of the inputs
};

}  // namespace xtrace
