#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "facts/span.h"
#include "input/common/ending.h"
#include "input/common/shard.h"
#include "input/spans/span_tags.h"

namespace xtrace {

// What the formats that hold spans have in common: each fills in a draft and adds it.

/// A span while its record is read. Its id, trace, times and parents are the format's to fill in;
/// what its tags tell is read when it is added.
struct SpanDraft {
  Span span;
  std::vector<SpanParent> parents;
  SpanTags tags;
  std::string_view operation;
  std::string_view service;  ///< empty: what the tags say
  std::string_view peer;     ///< what it talks to; empty: what the tags say
  /// What it is where its tags do not tell.
  GenAi::Role role = GenAi::Role::other;
  Ending ending;             ///< as its record states it; what its tags state is added
  std::string_view failure;  ///< what its status says of that; empty: what the tags say
  bool threw = false;  ///< an event records an exception, and does not state that it stayed inside
  /// What it calls its own events, and where they are in its record.
  struct Event {
    std::string_view word;
    Time time = kNoTime;
    SpanTags tags;
  };
  std::vector<Event> events;
};

/// Of a span without any id; `key` is where it should stand.
void complain_of_id(const Extent& at, std::string_view key, Shard& shard);
/// Complains if no attribute of it could be read; `what` names it.
void complain_of_unread(const SpanTags& tags, const Extent& at, std::string_view what,
                        Shard& shard);
/// Sets start and duration; complains where one of them cannot be. `key` names the start.
void set_times(SpanDraft& draft, Time start, Duration duration, std::string_view key, Shard& shard);
/// Completes it with what its tags tell.
void add_span(SpanDraft& draft, Shard& shard);

/// Reads the event that an exception left: why it failed.
void note_exception(json::element attributes, SpanDraft& draft);

}  // namespace xtrace
