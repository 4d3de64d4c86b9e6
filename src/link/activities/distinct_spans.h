#pragma once

#include <span>
#include <vector>

#include "facts/trace.h"

namespace xtrace {

class Graph;

/// Spans that record calls of models and of uses of tools, each call and each use once, in order of
/// time.
struct DistinctSpans {
  std::vector<SpanId> models, tools;
};

/// Those among `spans`. Where several record one, that which represents it; a call that is among
/// `calls` represents its spans.
DistinctSpans distinct_spans(const Graph& graph, std::span<const SpanId> spans,
                             std::span<const CallId> calls = {});

/// The spans of runs that no call covers (Partners::covers_run).
std::vector<SpanId> uncovered_spans(const Graph& graph);

}  // namespace xtrace
