#pragma once

#include <string>
#include <string_view>

namespace xtrace::serve {

/// Events for one reader, made when it is ready for the next one.
class EventSource {
 public:
  EventSource() = default;
  virtual ~EventSource() = default;
  EventSource(const EventSource&) = delete;
  EventSource& operator=(const EventSource&) = delete;

  /// The next event as it is sent; empty: nothing has happened since.
  virtual std::string next() = 0;
};

/// An event as Server-Sent Events write it. `data` has no line break; an empty id is left out.
std::string event_text(std::string_view event, std::string_view data, std::string_view id = {});

}  // namespace xtrace::serve
