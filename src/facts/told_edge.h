#pragma once

#include "base/id.h"
#include "facts/record.h"

namespace xtrace {

/// An edge of a graph that was given as one (input/spans/graph_document.cpp): nothing has to be
/// found out about what leads to what there.
struct ToldEdge {
  Extent source;      ///< the document
  StringId from, to;  ///< ids of spans
  StringId relation;  ///< as the graph calls it: `TRIGGERED`, `subagent_spawn`
  float confidence = 1;
};

template <class Each>
void for_each_reference(ToldEdge& edge, Each each) {
  each(edge.source);
  each(edge.from);
  each(edge.to);
  each(edge.relation);
}

}  // namespace xtrace
