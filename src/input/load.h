#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "facts/trace.h"
#include "input/common/loading.h"

namespace xtrace {

struct Found;
struct RawTrace;

/// Reads everything the paths name. Damage becomes complaints in the Trace; an Error means that
/// nothing usable could be read.
Result<Trace> load(const std::vector<std::string>& paths, const LoadOptions& loading,
                   Progress& progress);
/// As load(), of inputs that were found already.
Result<Trace> load(Found found, const LoadOptions& loading, Progress& progress);

/// Reads logs, and nothing else, as far as complete() goes on from.
Result<RawTrace> read_logs(Found found, const LoadOptions& loading, Progress& progress);

/// What is done once all records of an input are merged: transcripts become calls, what was told
/// finds its causes, copies of a record become one. From here on there are no new facts.
Trace complete(RawTrace raw);

}  // namespace xtrace
