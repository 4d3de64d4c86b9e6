#pragma once

#include "base/id.h"
#include "facts/record.h"

namespace xtrace {

/// An edge of an input that is a graph (input/spans/graph_document.cpp). It states a cause, which
/// need not be inferred.
struct GraphEdge {
  Extent source;      ///< the document
  StringId from, to;  ///< ids of spans
  StringId relation;  ///< as the graph calls it: `TRIGGERED`, `subagent_spawn`
  float confidence = 1;
};

}  // namespace xtrace
