#pragma once

#include "view/query/trace_scene.h"

namespace xtrace {

Table step_table(const TraceScene& scene);
Record subgraph_record(const TraceScene& scene);
Table citation_table(const TraceScene& scene);

// For databases, what is known of a node or an edge of a drawing. References are nodes themselves.
Entries query_properties(const TraceScene& scene);
Entries step_properties(const TraceScene& scene, size_t at);
Entries evidence_properties(const TraceScene& scene, const EvidenceRef& ref);
Entries node_properties(const TraceScene& scene, size_t node);
Entries edge_properties(const TraceScene& scene, const Visited::Edge& edge);

// For the schema.
std::span<const Column> step_columns();
std::span<const Column> subgraph_columns();
std::span<const Column> citation_columns();

}  // namespace xtrace
