#pragma once

#include <cstdint>

#include "facts/trace.h"

namespace xtrace {

/// What an answer is about, unless it is asked about something else: what the input records. Of
/// both, runs of spans that calls cover count as their calls (Partners::covers_run).
enum class Subject : uint8_t { calls, spans, both };

inline Subject subject_of(const Trace& trace) {
  if (trace.calls.empty()) return Subject::spans;
  return trace.spans.empty() ? Subject::calls : Subject::both;
}

}  // namespace xtrace
