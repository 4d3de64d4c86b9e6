#pragma once

#include <memory>
#include <string>
#include <vector>

#include "input/file_payloads.h"
#include "link/calls/link.h"
#include "link/graph/graph.h"
#include "view/common/view.h"

namespace xtrace {

/// A run whose records are linked, with the way back to them. It stays where it is: the payloads
/// refer to the graph.
struct LinkedRun {
  explicit LinkedRun(Graph of)
      : graph(std::move(of)),
        payloads(file_payloads(graph.trace())),
        compared{graph, payloads.get()} {}
  LinkedRun(const LinkedRun&) = delete;
  LinkedRun& operator=(const LinkedRun&) = delete;

  const Graph graph;
  const std::unique_ptr<const Payloads> payloads;
  const ComparedRun compared;
};

/// What a request is about. Answers hold streams over it: it must outlive their writing.
struct LinkedRuns {
  std::unique_ptr<const LinkedRun> now;
  std::unique_ptr<const LinkedRun> before;  ///< if the view compares two

  /// Of everything that was read.
  std::vector<const Trace*> traces() const;
  /// Every file that was read, also those below folders.
  std::vector<std::string> inputs() const;
  /// When the newest event of now began; kNoTime where no event says when it was.
  Moment newest() const;
  uint64_t records() const;
  /// Says on standard error what could not be read again.
  void print_changed() const;
  /// Did an input change after it was read?
  bool has_changed() const;
  /// Was anything damaged, or could a file not be read?
  bool met_errors() const;
};

/// Of one run, or of the one of before and the one of now.
LinkedRuns link_runs(std::vector<Trace> traces, const LinkOptions& options);

}  // namespace xtrace
