#pragma once

#include <string>

#include "base/result.h"
#include "run/file_options.h"

namespace xtrace {

struct Request;
struct LinkedRuns;

/// Writes an answer for each query the request is about to `DIR/{projectId}/{queryId}.json`, and
/// notes them in the index. Each is what asking for that query alone would give.
Result<Exit> write_trace_files(const Request& request, const LinkedRuns& runs);

}  // namespace xtrace
