#pragma once

#include <string_view>
#include <type_traits>

#include "base/id.h"
#include "base/time.h"

namespace xtrace {

enum class EventKind : uint8_t { inference };

/// How it went. `unanswered`: asked, and no answer is on record. `unrecorded`: others tell that it
/// happened, and no record of its own is there.
enum class Outcome : uint8_t { unknown, ok, error, unanswered, unrecorded };
inline constexpr std::string_view kOutcomeWords[] = {"unknown", "ok", "error", "unanswered",
                                                     "not_recorded"};
constexpr std::string_view word(Outcome outcome) {
  return kOutcomeWords[static_cast<size_t>(outcome)];
}

/// Where something was written down. Payloads are never copied out of the file; whoever needs one
/// goes back and reads these bytes.
struct Extent {
  uint64_t offset = 0;              ///< bytes before it in its file
  uint32_t length = 0;              ///< bytes
  uint32_t file = 0;                ///< index into Trace::sources
  uint32_t line = 0;                ///< counted from 1
  uint8_t format = kUnknownFormat;  ///< index into formats(), which read it and can do so again
  static constexpr uint8_t kUnknownFormat = UINT8_MAX;
};

/// One thing that happened. Holds what every kind of event may have; what only some have lives in
/// side tables.
struct Event {
  Time start = kNoTime;
  Duration duration = kNoDuration;
  Extent source;
  StringId id;          ///< as the record names itself; made unique by the graph
  CallId call;          ///< if it is a model call
  uint64_t digest = 0;  ///< of the record's bytes: a record that stands in a log twice is one event
  EventKind kind = EventKind::inference;
  Outcome outcome = Outcome::unknown;
  uint8_t decimals = 3;  ///< digits of a second the log gave for its start

  Time end() const { return after(start, duration); }
};

template <class Each>
void for_each_reference(Event& event, Each each) {
  each(event.source);
  each(event.id);
  each(event.call);
}

static_assert(sizeof(Event) <= 64 && std::is_trivially_copyable_v<Event>);

}  // namespace xtrace
