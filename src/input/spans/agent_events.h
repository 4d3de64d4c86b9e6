#pragma once

#include <string_view>

#include "facts/span.h"
#include "input/common/shard.h"

namespace xtrace {

class SpanTags;

// Events of state machines around agents (see agent_events.cpp), wherever they stand.

/// `ModelSwitched`: two words or more in one, each with a capital, as programs name events.
bool is_event_word(std::string_view word);
TaskStep::Type type_of_event(std::string_view word);

/// Where an event stands that is part of another record: in which span, and when it happened.
struct EventPlace {
  Extent at;
  Time time = kNoTime;
  StringId span, trace;  ///< nowhere: none is named
};

/// An event that a log record of OpenTelemetry tells, or a span among its own events. What it is
/// about its tags say; what set it off is the span, unless they name something else.
void add_event(std::string_view word, const SpanTags& tags, const EventPlace& place, Shard& shard);

}  // namespace xtrace
