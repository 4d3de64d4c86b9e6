#pragma once

#include "view/filter.h"

namespace xtrace {

/// Which runs there are in spans; or with `events` every span, in order of time (design 004's debug
/// view).
Result<Document> list_runs(const Question& question, const Filter& filter, bool events);

Shape shape_of_run_list();
Shape shape_of_events();

}  // namespace xtrace
