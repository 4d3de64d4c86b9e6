#pragma once

#include <string>

#include "view/query/trace_scene.h"

namespace xtrace {

/// The provenance of one query as PROV-JSON (W3C Member Submission, 2013): its steps as
/// activities, who did them as agents, what they read and made as entities. Names and numbers only,
/// whatever the level.
std::string provenance_of(const TraceScene& scene);

}  // namespace xtrace
