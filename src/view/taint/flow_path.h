#pragma once

#include <vector>

#include "view/taint/taint_findings.h"

namespace xtrace {

/// Index into Graph::sessions().
uint32_t session_index(const Graph& graph, CallId call);

/// The tool uses and calls that a text went through: from the source and the call that read its
/// result, over reports, prompts and files, to the sink.
std::vector<TaintStep> path_of_flow(const TaintStep& source, CallId reader, const Origin& origin,
                                    const TaintStep& sink);

/// The farthest border between source and sink.
TaintCrosses crosses_of(const Graph& graph, const Origin& origin);

}  // namespace xtrace
