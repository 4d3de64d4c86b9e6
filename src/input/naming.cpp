#include "input/naming.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>
#include <vector>

#include "facts/trace.h"

namespace xtrace {

namespace {

/// Takes out the events that are marked, and their calls.
void remove_events(Trace& trace, const std::vector<bool>& removed) {
  size_t kept = 0;
  std::vector<EventId> moved(trace.events.size());
  for (size_t i = 0; i < trace.events.size(); ++i) {
    if (removed[i]) continue;
    moved[i] = EventId(kept);
    Event event = trace.events[i];
    Call call = trace[event.call];
    call.event = EventId(kept);
    event.call = CallId(kept);
    trace.calls[kept] = call;
    trace.events[kept] = event;
    ++kept;
  }
  trace.events.resize(kept);
  trace.calls.resize(kept);
  for (Call& call : trace.calls)
    if (call.previous) call.previous = moved[call.previous.index];
  // The copy that stays has links of its own.
  std::erase_if(trace.converted_links, [&](const ConvertedLink& link) {
    return removed[link.to.index] || (link.from && removed[link.from.index]);
  });
  for (ConvertedLink& link : trace.converted_links) {
    link.to = moved[link.to.index];
    if (link.from) link.from = moved[link.from.index];
  }
}

}  // namespace

void merge_copies(Trace& trace) {
  std::vector<EventId> order;
  for (size_t i = 0; i < trace.events.size(); ++i) order.emplace_back(i);
  std::sort(order.begin(), order.end(), [&](EventId a, EventId b) {
    const Event &x = trace[a], &y = trace[b];
    return std::tie(x.id, x.start, x.digest, a) < std::tie(y.id, y.start, y.digest, b);
  });

  std::vector<bool> removed(trace.events.size());
  bool any = false;
  std::vector<std::pair<EventId, uint32_t>>
      named;  // renamed last: equal ids must stay side by side
  for (size_t begin = 0, end; begin < order.size(); begin = end) {
    StringId id = trace[order[begin]].id;
    uint32_t nth = 1;
    for (end = begin + 1; end < order.size() && trace[order[end]].id == id; ++end) {
      const Event& before = trace[order[end - 1]];
      Event& event = trace.events[order[end].index];
      bool copy = before.digest == event.digest && before.start == event.start &&
                  before.source.length == event.source.length;
      if (copy) {
        removed[order[end].index] = any = true;
        ++trace.sources[event.source.file].copies;
      } else {
        ++nth;
      }
      named.push_back({order[end], nth});
    }
  }
  for (auto [event, nth] : named)
    if (nth > 1)
      trace.events[event.index].id =
          trace.strings.intern(fmt::format("{}~{}", trace[trace[event].id], nth));
  if (any) remove_events(trace, removed);
}

}  // namespace xtrace
