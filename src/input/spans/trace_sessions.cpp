#include "input/spans/trace_sessions.h"

#include <unordered_map>

#include "input/common/raw_trace.h"

namespace xtrace {

namespace {

void forget_traces_of_one_call(RawTrace& trace) {
  std::unordered_map<uint32_t, size_t> calls_of;  // traces that stand for sessions
  for (const TraceSession& told : trace.trace_sessions)
    if (told.trace == told.session) calls_of.emplace(told.trace.index, 0);
  if (calls_of.empty()) return;
  const auto count_of = [&](const Call& call) -> size_t* {
    const auto found = call.session ? calls_of.find(call.session.index) : calls_of.end();
    return found == calls_of.end() ? nullptr : &found->second;
  };
  for (const Call& call : trace.calls)
    if (size_t* count = count_of(call)) ++*count;
  for (Call& call : trace.calls)
    if (const size_t* count = count_of(call); count != nullptr && *count == 1) call.session = {};
}

}  // namespace

void name_sessions_of_traces(RawTrace& trace) {
  forget_traces_of_one_call(trace);
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
