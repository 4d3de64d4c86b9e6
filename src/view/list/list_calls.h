#pragma once

#include "view/common/filter.h"
#include "view/common/view.h"

namespace xtrace {

/// Every model call, in order of time, a line each.
Result<Document> list_calls(const Question& question, const Filter& filter);

Shape shape_of_listed_calls();

}  // namespace xtrace
