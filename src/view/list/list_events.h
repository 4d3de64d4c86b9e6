#pragma once

#include "view/common/filter.h"
#include "view/common/view.h"

namespace xtrace {

/// Every span, in order of time: what the other views of a run are made from.
Result<Document> list_events(const Question& question, const Filter& filter);

Shape shape_of_events();

}  // namespace xtrace
