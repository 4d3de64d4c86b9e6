#pragma once

#include "view/common/filter.h"
#include "view/common/view.h"

namespace xtrace {

/// Every span, in order of time (design 004's debug view).
Result<Document> list_events(const Question& question, const Filter& filter);

Shape shape_of_events();

}  // namespace xtrace
