#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "view/common/view.h"

namespace xtrace {

/// Where separate answers are stored, one for each query.
struct TraceFiles {
  std::string output_dir, index;
  std::vector<std::string> verify;

  void declare(Options& options);
  /// Do they go together, and with `--output` and `--format`, as they were typed?
  Status check(std::string_view output, std::string_view format) const;
  bool any() const { return !output_dir.empty() || !index.empty(); }
};

/// What is kept beside the answer about a graph: the graph as it is now, and how the program fared.
struct GraphFiles {
  std::string snapshot, retention = "7";
  std::vector<std::string> metrics;

  void declare(Options& options);
  /// Are the values of its options such as can be?
  Status check() const;
  /// Of `--retention`; -1: it is not a whole number of days.
  int64_t days() const;
  bool any() const { return !snapshot.empty() || !metrics.empty(); }
};

}  // namespace xtrace
