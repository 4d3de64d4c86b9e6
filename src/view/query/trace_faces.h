#pragma once

#include "view/query/trace_fields.h"

namespace xtrace {

/// All of it; `options` are those that make it again.
void add_trace_tables(const TraceScene& scene, const std::vector<std::string>& options,
                      Document& document);
std::vector<Shape> shapes_of_trace();
/// The steps as a flow, and the subgraph that they went through.
Drawing draw_trace(const TraceScene& scene);
/// The steps as a tree with what each rests on, and the totals; then the subgraph.
std::vector<Outline> outline_trace(const TraceScene& scene);

}  // namespace xtrace
