#pragma once

#include <cstdint>
#include <vector>

namespace xtrace {

/// What the priced steps of a task cost, and which of them stand out.
class TaskCosts {
 public:
  /// None is negative.
  void add(std::vector<int64_t> costs);
  void add(const TaskCosts& other) { add(other.sorted_); }
  /// Takes out as many of each as there are in `costs`, all of which were added.
  void remove(std::vector<int64_t> costs);

  /// How many times the median of what the task's other priced steps cost one of them did, if that
  /// is thrice or more and it made up a twentieth of the task's costs; else 0. Infinite where most
  /// others cost nothing. Of one priced step nobody can say that it stands out.
  double spike_of(int64_t cost) const;

 private:
  std::vector<int64_t> sorted_;
  double sum_ = 0;
};

}  // namespace xtrace
