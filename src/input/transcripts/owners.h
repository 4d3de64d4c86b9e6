#pragma once

#include <string_view>

#include "input/common/raw_trace.h"

namespace xtrace {

// Whose an utterance is: its session and agent, as its file, headings and other sessions name them.

/// Takes off what stands behind the last slash.
inline std::string_view cut_last(std::string_view& path) {
  const size_t at = path.rfind('/');
  const std::string_view last = path.substr(at + 1);  // npos + 1 is 0
  path = at == std::string_view::npos ? std::string_view{} : path.substr(0, at);
  return last;
}

/// What a heading of a file states holds for all that follows in it; the name of a subagent's file
/// states its session and agent, or the run of a workflow, which a tool use started.
void take_over(RawTrace& trace);
/// A file in which nothing names a session is one by itself, or that of a subagent.
void name_sessions(RawTrace& trace);
/// A session that another one names as its subagent is part of that one, and so are the subagents
/// below it: all are told apart by agent, in the session of the one that nobody started.
void join_sessions(RawTrace& trace);
/// A session of which another one tells that it is a part of it (AgentRelation::Kind::portion)
/// becomes that one. What is told of it without a time gets its place among what is told with one.
void join_portions(RawTrace& trace);

}  // namespace xtrace
