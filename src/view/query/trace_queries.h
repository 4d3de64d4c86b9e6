#pragma once

#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "link/graph/queries.h"
#include "view/common/view.h"

namespace xtrace {

/// The queries of a graph, in the order in which `trace` numbers them.
struct TraceQueries {
  const Graph* graph = nullptr;
  std::vector<Query> all;
  size_t asked = 0;                 ///< of these, queries; then what is in none, by session
  std::deque<std::string> names;    ///< of the latter
  std::vector<std::string> hidden;  ///< names that may not be shown as they are
};

/// Finds them; `known` is used again if it is of the same graph. Names pass the Door in the same
/// order whatever is asked, so that replacements bear the same numbers in all answers.
std::shared_ptr<const TraceQueries> find_trace_queries(
    const Question& question, std::shared_ptr<const TraceQueries> known = nullptr);

}  // namespace xtrace
