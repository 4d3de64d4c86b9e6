#pragma once

#include <string>
#include <vector>

#include "view/common/names.h"
#include "view/common/view.h"

namespace xtrace {

/// A suite, in YAML with comments, of what the runs of an input did: a scenario for each session,
/// with its tools in their order and what it took. They pass it, as each expectation is judged
/// before it is written down. At Level::full with the arguments; those that the Door does not let
/// through as they are stand in comments. A line each, all of which have passed the Door.
std::vector<Text> suite_draft(const Question& question, const Names& names);

}  // namespace xtrace
