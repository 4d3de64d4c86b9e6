#pragma once

#include <cstdint>
#include <vector>

#include "render/chart/chart.h"

namespace xtrace {

/// What a viewer of traces draws as one bar: a mark of the chart, or the run of a tool.
struct Slice {
  static constexpr uint32_t kNoTool = UINT32_MAX;
  uint32_t mark = 0;
  uint32_t tool = kNoTool;  ///< of the chart; kNoTool: the mark itself
  uint32_t process = 0;     ///< from 1
  uint32_t thread = 0;      ///< from 1, of all processes
  int64_t start_us = 0;     ///< since 1970, and not before it
  int64_t duration_us = 1;  ///< as it is drawn: at least the least that arrows can hold to
  bool is_time_known = true;
  int64_t end_us() const { return sum_of(start_us, duration_us); }
};

/// A line of a viewer, on which slices lie beside one another or wholly within one another.
struct SliceThread {
  uint32_t process = 0;
  uint32_t lane = 0;  ///< of the chart
  uint32_t row = 1;   ///< of those that its lane needs, from 1
  bool is_of_tools = false;
};

/// A chart as slices: a process for each session, a thread for each agent and one for its tools,
/// and more where they have several things to do at once.
struct Slices {
  std::vector<Slice> of_marks;  ///< in the order of the marks
  std::vector<Slice> of_tools;
  std::vector<SliceThread> threads;
  std::vector<StringId> processes;  ///< the sessions
  int64_t moved_us = 0;             ///< added to all times, as a viewer knows none before 1970
};

/// `chart` has its lanes.
Slices lay_slices(const Chart& chart);

}  // namespace xtrace
