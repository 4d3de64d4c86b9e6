#pragma once

#include "view/query/trace_scene.h"

namespace xtrace {

// Columns of several tables.
inline constexpr Column kFullTextColumn{"text", "text, at level full", CellKind::text};
inline constexpr Column kSensitivityColumn{"sensitivity", "sensitivity label", CellKind::text};
inline constexpr Column kWithheldColumn{
    "withheld", "true if the item is more sensitive than the clearance", CellKind::boolean};
inline constexpr Column kEvidenceOmittedColumn{
    "evidence_omitted", "number of references omitted because of --limit-evidence",
    CellKind::integer};

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
