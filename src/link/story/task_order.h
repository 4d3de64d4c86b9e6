#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "base/id.h"
#include "base/time.h"
#include "link/edge.h"

namespace xtrace {

/// What of a step counts for its order among the steps of its task.
struct TaskPlace {
  Time start = kNoTime, end = kNoTime;
  uint32_t task = 0;  ///< a number for each
  StringId key;       ///< the task as its own record names it, in the trace's strings
  Relation relation = Relation::next_step;  ///< to what led to it
  bool is_explicit = false;                 ///< the log names its task
  bool is_top = false;                      ///< nothing is around it
  bool is_led_to = false;                   ///< something else leads to it
  bool leads_on = false;  ///< of what nothing is around, to something of that kind
  bool is_event = false;
  bool is_graph_node = false;
  bool failed = false;
  bool reacts = false;  ///< of a kind that answers to a failure, and names no trigger

  /// Does order_tasks() look at it? Without those that do not count it says the same.
  bool counts() const {
    return failed || reacts || (is_explicit && is_top && !is_graph_node && start != kNoTime);
  }
};

/// An edge that is known only from the order of the steps of a task, between indices of places.
struct TaskEdge : Edge<uint32_t> {
  Relation relation = Relation::next_step;
  double confidence = 1;
  std::vector<Rival<uint32_t>> rivals = {};
};

struct TaskOrder {
  std::vector<TaskEdge> edges;
  /// Reactions that are beside what they react to: they are in what that is in.
  std::vector<std::pair<uint32_t, uint32_t>> beside;
};

/// Finds what leads to what in a task by its order alone. `places` are of all tasks, in the order
/// of the story.
TaskOrder order_tasks(std::vector<TaskPlace> places);

}  // namespace xtrace
