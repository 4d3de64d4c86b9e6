#pragma once

#include "input/bytes/inputs.h"
#include "input/load.h"

namespace xtrace {

/// As load(), of inputs that were found already.
Result<Trace> load(Found found, const LoadOptions& loading, Progress& progress);

/// What is done once all records of an input are merged: transcripts become calls, what was told
/// finds its causes, copies of a record become one.
void complete(Trace& trace);

}  // namespace xtrace
