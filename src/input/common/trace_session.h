#pragma once

#include "base/id.h"
#include "facts/record.h"

namespace xtrace {

/// Tells which conversation a trace is part of and whose it is, where a record beside its spans
/// says so; they learn of it when all are read (name_sessions_of_traces). Where a call names a
/// trace and no session, the trace is one by that name, if it is of several calls.
struct TraceSession {
  Extent source;
  StringId trace;
  StringId session;
  StringId user;
};

}  // namespace xtrace
