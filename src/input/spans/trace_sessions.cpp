#include "input/spans/trace_sessions.h"

#include <unordered_map>

#include "input/common/raw_trace.h"

namespace xtrace {

void name_sessions_of_traces(RawTrace& trace) {
  std::unordered_map<uint32_t, StringId> sessions;  // by trace; what is told first counts
  for (const TraceSession& told : trace.trace_sessions)
    sessions.emplace(told.trace.index, told.session);
  if (sessions.empty()) return;
  for (Span& span : trace.spans) {
    if (span.session) continue;
    if (auto told = sessions.find(span.trace.index); told != sessions.end())
      span.session = told->second;
  }
}

}  // namespace xtrace
