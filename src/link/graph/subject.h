#pragma once

#include <cstdint>

#include "facts/trace.h"

namespace xtrace {

/// The subject of an answer unless the user asks for another one: the records of the input. In an
/// input with both, calls stand for the runs of spans that they cover (Partners::covers_run).
enum class Subject : uint8_t { calls, spans, both };

inline Subject subject_of(const Trace& trace) {
  if (trace.calls.empty()) return Subject::spans;
  return trace.spans.empty() ? Subject::calls : Subject::both;
}

/// Does the input record a call or a span, so that there is something to answer?
inline bool holds_activities(const Trace& trace) {
  return !trace.calls.empty() || !trace.spans.empty();
}

}  // namespace xtrace
