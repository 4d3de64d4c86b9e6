#pragma once

#include "base/result.h"
#include "view/hops/hop_scene.h"
#include "view/why/line_writers.h"

namespace xtrace {

/// Who wrote a file: the recorded edit of each range of its lines, with what it was for. Lines that
/// no record explains are ranges of their own. Exit::no: nothing recorded is about the file.
Result<Document> explain_source(const HopScene& scene, const SourceFile& file,
                                const AgentTraces* traces, bool unfold);

}  // namespace xtrace
