#pragma once

#include "view/common/filter.h"
#include "view/common/view.h"

namespace xtrace {

/// What an answer is about: the graph of `dag` for calls, else for spans, of what the filter lets
/// through.
Result<Document> graph_behind(const Question& question, const Filter& filter);

}  // namespace xtrace
