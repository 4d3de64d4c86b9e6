#pragma once

#include <chrono>
#include <map>
#include <vector>

#include "input/growing/record_ids.h"

namespace xtrace {

/// Lets events of several files out in the order in which they were logged, as far as waiting a
/// moment can bring it about. An event goes on at once when no other file can still bring an
/// earlier one; else when it has waited for the window (`reorderWindowMs`). What is late goes at
/// once.
class ReorderBuffer {
 public:
  using Clock = std::chrono::steady_clock;
  struct Event {
    RecordAt record;
    RecordIds ids;
    Clock::time_point came;
  };

  explicit ReorderBuffer(std::chrono::milliseconds window) : window_(window) {}

  void add(const RecordAt& record, RecordIds ids, Clock::time_point now);
  /// Those that may go now, in order.
  std::vector<Event> take(Clock::time_point now);
  /// When the next one has waited long enough; max() if none waits.
  Clock::time_point due() const;
  bool empty() const { return waiting_.empty(); }
  /// Nothing earlier can come any more.
  std::vector<Event> take_all();

 private:
  struct Source {
    Time newest = kNoTime;
    Clock::time_point gave{};
  };
  Clock::time_point waits_until(const Event& event) const;

  std::chrono::milliseconds window_;
  std::map<uint32_t, Source> sources_;  ///< by generation
  std::vector<Event> waiting_;          ///< in the order in which they came
};

}  // namespace xtrace
