#pragma once

#include "base/result.h"
#include "view/hops/hop_scene.h"
#include "view/why/line_writers.h"
#include "view/why/listing.h"

namespace xtrace {

/// Why does a line say what it says? Finds the recorded edit that wrote it and explains the call
/// that asked for it. `number`: from 1. Exit::no: no recorded edit wrote it.
Result<Document> explain_source_line(const HopScene& scene, const SourceFile& file, size_t number,
                                     const AgentTraces* traces, const Listing& listing);

/// What is said of the line, for the schema.
Record shape_of_source_line();

}  // namespace xtrace
