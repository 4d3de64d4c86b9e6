#pragma once

#include <array>
#include <functional>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "link/story/task_costs.h"
#include "link/story/task_order.h"
#include "live/shown_graph.h"

namespace xtrace {

/// What is kept of parts that were linked, each alone, to know what leads to what in the tasks that
/// they share, and which steps cost much for their task: of each step that counts for it a few
/// figures and names, so that no part is linked again because another one grew.
class TaskSteps {
 public:
  /// What rows call a step. All of it passed the Door.
  struct Said {
    std::string id, place, key;
  };
  friend uint64_t hash_of(const Said& said);
  struct Step {
    TaskPlace place;  ///< its task is a number that all groups share
    uint32_t part = 0;
    // Among those that start together, as the story has them: queries, calls, spans.
    bool is_query = false, is_call = false;
    std::array<uint64_t, 2> rank = {};  ///< of calls their place, of spans their run
    uint32_t nth = 0;                   ///< in its part
    std::unique_ptr<Said> said = {};
    uint64_t said_hash = 0;
    uint64_t edge = 0;       ///< a hash of the edge into it that is shown; 0: none is
    std::string cause = {};  ///< the id where that begins
    bool before(const Step& other) const;
  };
  struct Priced {
    uint32_t part = 0, task = 0;
    int64_t cost = 0;
    double spike = 0;  ///< as it is shown
  };
  /// An edge between steps, in words: Said of its cause, its effect and its rivals.
  struct SaidEdge {
    const TaskEdge& edge;
    const std::vector<Step>& steps;
    const Said& said(uint32_t step) const { return *steps[step].said; }
  };
  using WriteEdge = std::function<std::string(const SaidEdge& edge)>;

  /// Takes in those of other tasks.
  void merge(TaskSteps other);

  /// From now on parts, named in order, have these priced steps instead of those that they had.
  void replace(const std::vector<uint32_t>& parts, std::vector<Priced> priced);
  double spike_of(uint32_t task, int64_t cost) const { return costs_.at(task).spike_of(cost); }
  /// Parts with steps that are to be shown with another spike than they are. Their names may be
  /// those of parts that have become part of another one.
  std::vector<uint32_t> parts_with_other_spikes() const;

  /// From now on parts, named in order, have these steps instead of those that they had.
  void replace(const std::vector<uint32_t>& parts, std::vector<Step> steps);
  /// Finds the order of all steps, and what of it is to be shown that is not.
  void order(GraphDelta& delta, const WriteEdge& write);
  /// Steps of parts that have become part of another one go by its name.
  void rename(const std::function<uint32_t(uint32_t)>& find);

 private:
  std::vector<Step> steps_;  ///< in the order of the story
  std::vector<Priced> priced_;
  std::unordered_map<uint32_t, TaskCosts> costs_;  ///< by task
  std::vector<Ends> gone_;                         ///< edges to steps that are none any more
};

}  // namespace xtrace
