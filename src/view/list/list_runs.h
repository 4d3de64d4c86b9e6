#pragma once

#include "view/common/filter.h"
#include "view/common/view.h"

namespace xtrace {

/// Which runs there are in spans.
Result<Document> list_runs(const Question& question, const Filter& filter);

Shape shape_of_run_list();

}  // namespace xtrace
