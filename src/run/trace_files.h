#pragma once

#include <string>

#include "base/result.h"
#include "view/common/view.h"

namespace xtrace {

struct CommonOptions;
struct Request;
class Asking;

/// Where answers are kept that stand for themselves, one for each query.
struct TraceFiles {
  std::string output_dir, index, verify;

  void declare(Options& options);
  /// Do they go together, and with the others?
  Status check(const CommonOptions& common) const;
  bool any() const { return !output_dir.empty() || !index.empty(); }
};

/// Writes an answer for each query the request is about to `DIR/{projectId}/{queryId}.json`, and
/// notes them in the index. Each is what asking for that query alone would give.
Result<Exit> write_trace_files(const Request& request, const Asking& asking);

}  // namespace xtrace
