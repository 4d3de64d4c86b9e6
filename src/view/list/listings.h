#pragma once

#include <span>

#include "view/common/filter.h"
#include "view/common/view.h"

namespace xtrace {

// What `list` lists in place of sessions and agents.

/// Every model call, in order of time, a line each.
Result<Document> list_calls(const Question& question, const Filter& filter);
Shape shape_of_listed_calls();

/// The queries of the input, by the names that `trace --query` takes.
Document list_queries(const Question& question);
Shape shape_of_queries();

/// The runs in spans.
Result<Document> list_runs(const Question& question, const Filter& filter);
std::span<const Column> listed_run_columns();
Shape shape_of_run_list();

}  // namespace xtrace
