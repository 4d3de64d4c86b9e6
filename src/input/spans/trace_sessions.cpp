#include "input/spans/trace_sessions.h"

#include <unordered_map>

#include "input/common/raw_trace.h"

namespace xtrace {

void name_sessions_of_traces(RawTrace& trace) {
  std::unordered_map<uint32_t, StringId> sessions, users;  // by trace; what is told first counts
  for (const TraceSession& told : trace.trace_sessions) {
    if (told.session) sessions.emplace(told.trace.index, told.session);
    if (told.user) users.emplace(told.trace.index, told.user);
  }
  if (sessions.empty() && users.empty()) return;
  auto fill_in = [](StringId& name, StringId of, const auto& told) {
    if (name) return;
    if (auto found = told.find(of.index); found != told.end()) name = found->second;
  };
  for (Span& span : trace.spans) {
    fill_in(span.session, span.trace, sessions);
    fill_in(span.principal, span.trace, users);
  }
}

}  // namespace xtrace
