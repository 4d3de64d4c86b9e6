#include "live/reorder_buffer.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace xtrace {

namespace {

void sort_by_time(std::vector<ReorderBuffer::Event>& events) {
  std::stable_sort(events.begin(), events.end(),
                   [](const ReorderBuffer::Event& a, const ReorderBuffer::Event& b) {
                     return a.ids.logged < b.ids.logged;
                   });
}

}  // namespace

void ReorderBuffer::add(const RecordAt& record, RecordIds ids, Clock::time_point now) {
  Source& source = sources_[record.generation];
  source.newest = std::max(source.newest, ids.logged);
  source.gave = now;
  waiting_.push_back({record, std::move(ids), now});
}

/// Until then somebody may still bring an earlier one.
ReorderBuffer::Clock::time_point ReorderBuffer::waits_until(const Event& event) const {
  Clock::time_point until = event.came;
  if (event.ids.logged == kNoTime) return until;
  for (const auto& [generation, source] : sources_)
    if (generation != event.record.generation && source.newest != kNoTime &&
        source.newest < event.ids.logged)
      until = std::max(until, source.gave + window_);
  return std::min(until, event.came + window_);
}

std::vector<ReorderBuffer::Event> ReorderBuffer::take(Clock::time_point now) {
  std::vector<Event> ready, rest;
  for (Event& event : waiting_)
    (waits_until(event) <= now ? ready : rest).push_back(std::move(event));
  waiting_ = std::move(rest);
  sort_by_time(ready);
  return ready;
}

std::vector<ReorderBuffer::Event> ReorderBuffer::take_all() {
  std::vector<Event> all = std::exchange(waiting_, {});
  sort_by_time(all);
  return all;
}

ReorderBuffer::Clock::time_point ReorderBuffer::due() const {
  Clock::time_point due = Clock::time_point::max();
  for (const Event& event : waiting_) due = std::min(due, waits_until(event));
  return due;
}

}  // namespace xtrace
