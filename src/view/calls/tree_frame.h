#pragma once

#include "view/calls/call_fields.h"

namespace xtrace {

/// What stands above a tree of calls: which files, how many calls, from when to when.
std::vector<Text> head_lines(const CallScene& scene);
/// And below it: what was linked, how surely, and what is not shown; `folded` calls stand in lines
/// of several.
std::vector<Text> foot_lines(const CallScene& scene, int64_t folded);

}  // namespace xtrace
