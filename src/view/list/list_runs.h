#pragma once

#include <span>

#include "view/common/filter.h"
#include "view/common/view.h"

namespace xtrace {

/// Which runs there are in spans.
Result<Document> list_runs(const Question& question, const Filter& filter);

std::span<const Column> listed_run_columns();
Shape shape_of_run_list();

}  // namespace xtrace
