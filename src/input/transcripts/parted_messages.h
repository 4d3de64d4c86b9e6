#pragma once

#include "input/common/raw_trace.h"

namespace xtrace {

/// Parts of messages that were kept one by one may be on record twice, or beside their message as a
/// whole: files that were left behind when a program moved them to its database, an export. An id
/// counts once: the message that is whole before its parts, a part where it was read first. Parts
/// have to know the message that they are of.
void drop_parts_told_again(RawTrace& trace);

}  // namespace xtrace
