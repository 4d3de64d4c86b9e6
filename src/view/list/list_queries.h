#pragma once

#include "view/common/view.h"

namespace xtrace {

/// The queries of the input, by the names that `trace --query` takes.
Document list_queries(const Question& question);
Shape shape_of_queries();

}  // namespace xtrace
