#pragma once

#include "base/id.h"
#include "base/time.h"
#include "facts/event.h"

namespace xtrace {

enum class SpanKind : uint8_t { unknown, internal, client, server, producer, consumer };

/// One observation of a piece of work, as a tracing system or a proxy beside a service made it. All
/// names are as the log has them; nowhere: not given.
struct Span {
  Time start = kNoTime;
  Duration duration = kNoDuration;
  Extent source;
  StringId id;     ///< as the record names itself; leading zeros do not count
  StringId trace;  ///< the trace it was reported in, likewise
  StringId service;
  StringId operation;
  // Who called whom, in design 004's words (`trust.*` tags):
  StringId from, to;
  StringId hop_kind;
  StringId run;
  StringId principal;
  StringId route;  ///< which operation of the target was called, as far as it tells calls apart
  StringId peer;   ///< what a client span talks to: a service, a database, a host
  // Of the question it helps to answer (design 003), where the log names that:
  StringId query;
  StringId project;
  uint32_t first_parent = 0, parents = 0;  ///< in Trace::span_parents
  SpanKind kind = SpanKind::unknown;
  Outcome outcome = Outcome::unknown;
  bool inbound = false;  ///< seen by the side that was called
};

/// A span that another one says it belongs to.
struct SpanParent {
  StringId span;
  StringId trace;
  bool follows = false;  ///< it only comes after it (FOLLOWS_FROM)
};

}  // namespace xtrace
