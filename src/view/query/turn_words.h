#pragma once

#include <string>

#include "link/graph/queries.h"
#include "view/common/names.h"

namespace xtrace {

/// What people call a query that is a turn of a user: `turn 9 “could we first craft”`, the words as
/// far as they may be seen. Empty: it is none.
std::string turn_words(const Question& question, const Names& names, const Query& query);

}  // namespace xtrace
