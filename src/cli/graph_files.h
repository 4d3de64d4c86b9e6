#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"
#include "view/view.h"

namespace xtrace {

class Asking;
class Health;
struct Request;

/// What is kept beside the answer about a graph: the graph as it is now, and how the program fared.
struct GraphFiles {
  std::string snapshot, retention = "7";
  std::vector<std::string> metrics;

  void declare(Options& options);
  /// Are the values of its options such as can be?
  Status check() const;
  bool any() const { return !snapshot.empty() || !metrics.empty(); }
};

/// Keeps the snapshot that was asked for, and notes how large the graph is.
Status keep_graph(const Request& request, const Asking& asking, Health& health);
/// Writes the files that `--metrics` names.
Status write_metrics(const GraphFiles& files, const Health& health);

}  // namespace xtrace
