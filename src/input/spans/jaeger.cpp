#include <algorithm>
#include <string>
#include <unordered_map>
#include <utility>

#include "base/number.h"
#include "input/common/format.h"
#include "input/common/item_places.h"
#include "input/common/json_path.h"
#include "input/common/moments.h"
#include "input/common/record_context.h"
#include "input/spans/agent_events.h"
#include "input/spans/converted_spans.h"
#include "input/spans/plain_value.h"
#include "input/spans/span_draft.h"
#include "input/spans/span_step.h"

namespace xtrace {

// What Jaeger's API answers, and what its user interface saves; one record is one trace:
//
//   {"data": [{"traceID", "spans": [{"traceID", "spanID", "operationName", "startTime": us,
//     "duration": us, "references": [{"refType", "traceID", "spanID"}], "tags": [{"key", "value"}],
//     "processID"}], "processes": {"p1": {"serviceName"}}}]}
//
// The user interface nests whole spans in the references; nothing below a reference's own ids is
// looked at. Old exports say `parentSpanID`; some are a bare trace without `data`. Its page and its
// storage in Elasticsearch have the process in each span, the storage with some tags as fields, `.`
// written as `@`:
//
//   {"spanID", …, "process": {…}, "tag": {"span@kind": "server"}}
//
// Its protocol as JSON has `spanId`, in base64, and writes moments and durations as text.

namespace {

struct Process {
  std::string_view service;
  SpanTags tags;
};

constexpr int64_t kMicrosecond = 1000;  // nanoseconds

class TraceRecord {
 public:
  TraceRecord(ItemPlaces& places, RecordContext& context)
      : places_(places), context_(context), shard_(context.shard) {}

  void read_alone(json::element span, const Extent& place) { read_span(span, place); }

  void read(json::element trace) {
    json::element spans;
    bool has_spans = false;
    json::fields(trace, [&](std::string_view key, json::element value) {
      if (key == "spans") spans = value, has_spans = true;
      if (key == "processes") read_processes(value);
    });
    if (!has_spans) return;
    json::items(spans, [&](json::element span) { read_span(span, places_.next()); });
  }

 private:
  void read_processes(json::element processes) {
    json::fields(processes, [&](std::string_view id, json::element value) {
      processes_.try_emplace(id, read_process(value));
    });
  }

  static Process read_process(json::element record) {
    Process process{json::text_at(record, "serviceName"), {}};
    json::element tags;
    if (json::find(record, "tags", tags)) process.tags.read(tags);
    if (json::find(record, "tag", tags)) read_stored_tags(tags, process.tags);
    return process;
  }

  static void read_stored_tags(json::element stored, SpanTags& tags) {
    json::fields(stored, [&](std::string_view key, json::element value) {
      std::string name(key);
      std::ranges::replace(name, '@', '.');
      tags.read_tag(name, value);
    });
  }

  /// Also as text: `0.100s`.
  static void read_length(json::element value, Duration& length) {
    const std::string_view text = json::text(value);
    if (!text.ends_with('s')) return void(read_units(value, kMicrosecond, length));
    constexpr double kMost = 9e9;  // seconds
    if (const auto seconds = number_of<double>(text.substr(0, text.size() - 1));
        seconds && *seconds > -kMost && *seconds < kMost)
      length = Duration(static_cast<int64_t>(*seconds * 1e9));
  }

  /// What the process says of itself goes for all its spans.
  void take_process(std::string_view id, json::element span) {
    if (const auto known = processes_.find(id); known != processes_.end()) {
      draft_.tags = known->second.tags;
      draft_.service = known->second.service;
      return;
    }
    json::element own;
    if (!json::find(span, "process", own)) return;
    Process process = read_process(own);
    draft_.tags = std::move(process.tags);
    draft_.service = process.service;
  }

  void read_parents(json::element references) {
    json::items(references, [&](json::element reference) {
      SpanParent parent;
      json::fields(reference, [&](std::string_view key, json::element value) {
        if (key == "spanID") parent.span = shard_.intern(json::text(value));
        if (key == "traceID") parent.trace = shard_.intern(json::text(value));
        if (key == "spanId") parent.span = intern_span_id(value, shard_);
        if (key == "traceId") parent.trace = intern_span_id(value, shard_);
        if (key == "refType") parent.follows = json::text(value) == "FOLLOWS_FROM";
      });
      if (parent.span) draft_.parents.push_back(parent);
    });
  }

  /// Of its logs only what an agent's machinery does is a step of its own.
  void read_events(json::element logs) {
    json::items(logs, [&](json::element log) {
      SpanDraft::Event told;
      json::fields(log, [&](std::string_view key, json::element value) {
        Duration time = kNoDuration;
        if (key == "timestamp" && read_units(value, kMicrosecond, time)) told.time = Time(time);
        if (key != "fields") return;
        note_exception(value, draft_);
        each_tag(value, [&](std::string_view name, json::element tag) {
          if (name == "event" || name == "event.name" || name == "name")
            told.word = json::text(tag);
          told.tags.read_tag(name, tag);
        });
      });
      if (is_event_word(told.word)) draft_.events.push_back(std::move(told));
    });
  }

  void read_span(json::element record, const Extent& place) {
    if (!json::is_object(record))
      return shard_.complain(Complaint::Kind::damaged, place, "a span is not an object");
    draft_ = SpanDraft();
    Span& span = draft_.span;
    span.source = place;
    std::string_view old_parent;
    json::element tags;
    bool has_tags = false;
    Time start = kNoTime;
    Duration since_1970 = kNoDuration, duration = kNoDuration;
    take_process(json::text_at(record, "processID"), record);
    json::fields(record, [&](std::string_view key, json::element value) {
      if (key == "spanID")
        span.id = shard_.intern(json::text(value));
      else if (key == "traceID")
        span.trace = shard_.intern(json::text(value));
      else if (key == "spanId")
        span.id = intern_span_id(value, shard_);
      else if (key == "traceId")
        span.trace = intern_span_id(value, shard_);
      else if (key == "operationName")
        draft_.operation = json::text(value);
      else if (key == "startTime" && read_units(value, kMicrosecond, since_1970))
        start = Time(since_1970);
      else if (key == "startTime")
        start = instant_of(value);
      else if (key == "duration")
        read_length(value, duration);
      else if (key == "tag")
        read_stored_tags(value, draft_.tags);
      else if (key == "references")
        read_parents(value);
      else if (key == "parentSpanID")
        old_parent = json::text(value);
      else if (key == "tags")
        tags = value, has_tags = true;
      else if (key == "logs")
        read_events(value);
    });
    if (!span.id) return complain_of_id(place, "spanID", shard_);
    if (has_tags) draft_.tags.read(tags);
    if (has_tags && draft_.tags.has(Tag::converted)) {
      span.start = start;
      span.duration = duration;
      return add_converted(tags, draft_, context_);
    }
    set_times(draft_, start, duration, "startTime", shard_);
    bool is_root = old_parent.find_first_not_of('0') == std::string_view::npos;
    if (draft_.parents.empty() && !is_root)
      draft_.parents.push_back({shard_.intern(old_parent), span.trace, false});
    add_span(draft_, shard_);
  }

  ItemPlaces& places_;
  RecordContext& context_;
  Shard& shard_;
  std::unordered_map<std::string_view, Process> processes_;  ///< by id
  SpanDraft draft_;
};

bool is_jaeger_data(std::string_view key) {
  return key == "data";
}

/// Others have spans too, by other names.
bool is_jaeger_span(json::element record) {
  json::element id, name;
  const bool has_id = json::find(record, "spanID", id) || json::find(record, "spanId", id);
  return has_id && json::find(record, "operationName", name);
}

bool holds_spans(json::element record) {
  json::element spans, processes;
  if (!json::find(record, "spans", spans) || !json::is_array(spans)) return false;
  bool any = json::find(record, "processes", processes), is_none = true;
  json::items(spans, [&](json::element span) {
    any = any || is_jaeger_span(span) || !json::text_at(span, "spanID").empty();
    is_none = false;
  });
  return any || is_none;
}

bool fits_jaeger(json::element record) {
  json::element found;
  if (holds_spans(record) || is_jaeger_span(record)) return true;
  if (!json::find(record, "data", found)) return false;
  if (json::is_object(found)) return holds_spans(found);
  bool any = false;
  json::items(found, [&](json::element trace) { any = any || holds_spans(trace); });
  return any;
}

void read_jaeger(json::element record, std::string_view text, const Extent& at,
                 RecordContext& context) {
  if (is_jaeger_span(record)) {
    ItemPlaces none(text, at, opens_nothing, opens_nothing);
    return TraceRecord(none, context).read_alone(record, at);
  }
  ItemPlaces places(text, at, is_jaeger_data, is_spans);
  auto read = [&](json::element trace) { TraceRecord(places, context).read(trace); };
  json::element found;
  if (holds_spans(record) || !json::find(record, "data", found)) return read(record);
  // Several traces in one record: a document that stands among other records.
  if (json::is_object(found)) return read(found);
  json::items(found, read);
}

constexpr std::string_view kJaegerLists[] = {"data"};

}  // namespace

extern constinit const Format kJaeger = {
    .name = "jaeger",
    .summary = "traces from the Jaeger API and UI",
    .fits = fits_jaeger,
    .needs = "spans|data|spanID|spanId",
    .read = read_jaeger,
    .step = read_span_step,
    .lists = kJaegerLists,
    .lists_come_in_lines = false,
};

}  // namespace xtrace
