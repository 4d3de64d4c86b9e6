#pragma once

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "view/diff/align.h"

namespace xtrace {

/// What became of something from the old run to the new one.
enum class DiffStatus : uint8_t { equal, changed, added, removed };
inline constexpr std::string_view kFateWords[] = {"equal", "changed", "added", "removed"};
constexpr std::string_view word(DiffStatus diff_status) {
  return kFateWords[static_cast<size_t>(diff_status)];
}

/// A chain of actors, each of which called the next.
using ActorPath = std::vector<std::string>;

/// Two runs, side by side.
struct RunComparison {
  static constexpr uint32_t kNone = UINT32_MAX;

  /// A step of either run or of both.
  struct Row {
    uint32_t old_step = kNone, new_step = kNone;
    uint32_t depth = 0;
    uint32_t end = 0;  ///< the row behind all that is nested in it
    DiffStatus diff_status = DiffStatus::equal;
    bool all_equal = false;  ///< with all that is nested in it
    bool follows = false;    ///< from the first divergence
    bool in(bool is_new) const { return (is_new ? new_step : old_step) != kNone; }
  };
  struct Edge {
    uint32_t from = 0, to = 0;  ///< rows
    DiffStatus diff_status = DiffStatus::equal;
    Relation old_relation = Relation::other, new_relation = Relation::other;
  };
  struct Path {
    ActorPath actors;
    DiffStatus diff_status = DiffStatus::added;
  };

  RunComparison(const RunSteps& old_steps, const RunSteps& new_steps);

  const RunSteps &old_run, &new_run;
  std::vector<Row> rows;    ///< in causal order
  std::vector<Edge> edges;  ///< by from, then by to
  std::vector<Path> paths;  ///< that only one of the two runs has
  /// The first row in which they differ, or to which something else leads; kNone: there is none.
  uint32_t first = kNone;
  /// Of the run in which that step is, the new one if it is in both: of the steps behind it, how
  /// many come of it and how many do not.
  int64_t later_follow = 0, later_apart = 0;

  bool is_equal() const { return first == kNone && paths.empty(); }
  int64_t steps(DiffStatus diff_status) const;
  int64_t edges_of(DiffStatus diff_status) const;
  int64_t paths_of(DiffStatus diff_status) const;
  /// For each row, the row that represents it when equal rows are not shown: the first of those
  /// side by side that are equal with everything nested in them. A row that represents only itself
  /// is shown.
  std::vector<uint32_t> folded() const;
  /// The fields in which the two steps of a row differ: the old trait and the new one, either of
  /// which may be missing (its field is empty then).
  std::vector<std::pair<Trait, Trait>> differences(const Row& row) const;

 private:
  void add_rows(const Alignment& alignment);
  void add_edges();
  void add_paths();
  void find_first();
};

}  // namespace xtrace
