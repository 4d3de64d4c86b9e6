#pragma once

#include "input/common/raw_trace.h"

namespace xtrace {

/// A session of which another one tells that it is a part of it (Utterance::Kind::portion) becomes
/// that one. What is told of it without a time gets its place among what is told with one.
void join_portions(RawTrace& trace);

}  // namespace xtrace
