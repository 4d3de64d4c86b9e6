#pragma once

#include "input/common/json.h"

namespace xtrace {

struct SpanDraft;
struct Trace;
struct RecordContext;

// Spans that `convert` wrote (view/convert/convert.h), read back as what they were written of:
// model calls with all that leads to them, and hops with their causes. They are known by the tag
// `xtrace.node`.

/// Adds what such a span tells; the draft has what the format says of it, and `tags` are its own.
void add_converted(json::element tags, SpanDraft& draft, RecordContext& context);

/// Finds the calls that converted links lead from; those of the same file first. Before calls get
/// other names (merge_copies).
void find_converted_causes(Trace& trace);

}  // namespace xtrace
