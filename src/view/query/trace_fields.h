#pragma once

#include "view/query/trace_scene.h"

namespace xtrace {

Table step_table(const TraceScene& scene);
Record subgraph_record(const TraceScene& scene);
Table citation_table(const TraceScene& scene);

// For the schema.
std::span<const Column> step_columns();
std::span<const Column> subgraph_columns();
std::span<const Column> citation_columns();

}  // namespace xtrace
