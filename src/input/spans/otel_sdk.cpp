#include <algorithm>
#include <cmath>
#include <initializer_list>

#include "base/one_of.h"
#include "input/common/format.h"
#include "input/common/item_places.h"
#include "input/common/moments.h"
#include "input/common/record_context.h"
#include "input/spans/sdk_log.h"
#include "input/spans/span_draft.h"
#include "input/spans/span_step.h"
#include "input/spans/span_values.h"

namespace xtrace {

// Spans as the libraries of OpenTelemetry print them, one object each:
//
//   Python, Monocle: {"name", "context": {"trace_id": "0x…", "span_id": "0x…"}, "parent_id",
//     "kind": "SpanKind.CLIENT", "start_time": "2026-…", "end_time", "status": {"status_code"},
//     "attributes": {…}, "events", "links": [{"context"}], "resource": {"attributes": {…}}}
//   JavaScript: {"name", "spanContext": {"traceId", "spanId"}, "parentSpanId" or
//     "parentSpanContext", "kind": 0 to 4, "startTime": [s, ns], "endTime", "status": {"code"}, …}
//   Monocle's viewer: {"trace_id", "spans": [{"span_name", "span_id", "parent_id", …}]}
//
//   Go: {"Name", "SpanContext": {"TraceID", "SpanID"}, "Parent": {…}, "SpanKind": 0 to 5,
//     "StartTime": "2026-…", "EndTime", "Attributes": [{"Key", "Value": {"Type", "Value"}}],
//     "Status": {"Code", "Description"}, "Resource": [{"Key", "Value"}]}
//
// The JavaScript library also prints logs, {"hrTime": [s, ns], "attributes", "_body" or "body",
// "resource"}, as Gemini CLI keeps them in a file; and Copilot writes its spans flat, {"type":
// "span", "name", "traceId", "spanId", "startTime": [s, ns], …}.
//
// and the plainest of them, one object a span, as exporters of one's own like to write it:
//
//   {"name", "span_id", "trace_id", "parent_span_id", "start_time": ns, "end_time": ns,
//    "duration_ns", "attributes": {…}, "links": [{"trace_id", "span_id"}], "status": "ERROR"}
//
// also many in a list, {"spans": [{span}], …}, and as rows of Phoenix' data frames, which have dots
// in place of objects: {"context.span_id", "attributes.llm.model_name", "status_code", …}.

namespace {

/// The ids of a span, wherever a library puts them.
struct Ids {
  StringId span, trace;

  void read(json::element of, Shard& shard) {
    json::fields(of, [&](std::string_view key, json::element value) {
      if (is_one_of(key, {"span_id", "spanId", "spanID", "SpanID"}))
        span = intern_span_id(value, shard);
      if (is_one_of(key, {"trace_id", "traceId", "traceID", "TraceID"}))
        trace = intern_span_id(value, shard);
    });
  }
};

bool is_context(std::string_view key) {
  return is_one_of(key, {"context", "spanContext", "_spanContext", "SpanContext"});
}

/// Go's names are JavaScript's with a capital.
struct GoName {
  std::string_view go, name;
};
constexpr GoName kGoNames[] = {{"Name", "name"},
                               {"Parent", "parent"},
                               {"StartTime", "startTime"},
                               {"EndTime", "endTime"},
                               {"Attributes", "attributes"},
                               {"Events", "events"},
                               {"Links", "links"},
                               {"Status", "status"},
                               {"Code", "status_code"},
                               {"Description", "description"},
                               {"Resource", "resource"},
                               {"InstrumentationScope", "instrumentationScope"},
                               {"InstrumentationLibrary", "instrumentationLibrary"}};

std::string_view plain_name(std::string_view key) {
  if (key.empty() || key[0] < 'A' || key[0] > 'Z') return key;
  const auto* known = std::ranges::find(kGoNames, key, &GoName::go);
  return known == std::end(kGoNames) ? key : known->name;
}

/// How long it took. Only Logfire writes `duration`, of which others have other units, beside
/// `start_timestamp`: in seconds.
struct LengthField {
  std::string_view key;
  double unit;  ///< in nanoseconds
};
constexpr LengthField kLengths[] = {{"duration_us", 1e3}, {"duration_ms", 1e6}};
constexpr double kSecond = 1e9;

Duration read_length(json::element value, double unit) {
  constexpr double kCentury = 100.0 * 366 * 86400 * kSecond;
  double count = 0;
  if (value.get_double().get(count) || !(count >= 0 && count * unit < kCentury)) return kNoDuration;
  return Duration(std::llround(count * unit));
}

/// What a span is called in words that a tag has too: rows of Logfire have no resource.
struct RowTag {
  std::string_view key, tag;
};
constexpr RowTag kRowTags[] = {{"service_name", "service.name"},
                               {"otel_scope_name", "otel.scope.name"},
                               {"otel_scope_version", "otel.scope.version"},
                               {"exception_type", "exception.type"},
                               {"exception_message", "exception.message"}};

/// JavaScript counts kinds from 0, the protocol from 1.
SpanKind kind_of(json::element value) {
  constexpr SpanKind kKinds[] = {SpanKind::internal, SpanKind::server, SpanKind::client,
                                 SpanKind::producer, SpanKind::consumer};
  if (json::is_string(value)) return read_span_kind(json::text(value));
  int64_t number = json::count(value, -1);
  bool known = number >= 0 && number < static_cast<int64_t>(std::size(kKinds));
  return known ? kKinds[number] : SpanKind::unknown;
}

/// Logfire has a row for a span that has begun, whose end is its start.
Outcome open_kind(json::element kind) {
  return json::text(kind) == "pending_span" ? Outcome::unfinished : Outcome::unknown;
}

class SdkSpan {
 public:
  SdkSpan(const Extent& at, std::string_view id_key, Shard& shard)
      : id_key_(id_key), shard_(shard) {
    draft_.span.source = at;
  }

  void read(json::element record) {
    json::fields(record,
                 [&](std::string_view key, json::element value) { read_field(key, value); });
    if (ids_.span) draft_.span.id = ids_.span;
    if (!draft_.span.id) return complain_of_id(draft_.span.source, id_key_, shard_);
    draft_.span.trace = ids_.trace;
    for (SpanParent& link : draft_.parents)
      if (!link.trace) link.trace = ids_.trace;
    if (parent_) draft_.parents.insert(draft_.parents.begin(), {parent_, ids_.trace, false});
    // What the span says of itself wins over what its resource says.
    if (has_attributes_) draft_.tags.read(attributes_);
    draft_.ending.has_end = end_ != kNoTime;
    if (length_ == kNoDuration) length_ = elapsed(start_, end_);
    if (length_ == kNoDuration && start_key_ == "start_timestamp") length_ = seconds_;
    set_times(draft_, start_, length_, start_key_, shard_);
    add_span(draft_, shard_);
  }

 private:
  void read_field(std::string_view name, json::element value) {
    const std::string_view key = plain_name(name);
    if (is_context(key))
      ids_.read(value, shard_);
    else if (key == "span_id" || key == "spanId" || key == "id")
      draft_.span.id = intern_span_id(value, shard_);
    else if (key == "trace_id" || key == "traceId")
      ids_.trace = intern_span_id(value, shard_);
    else if (key == "parent_id" || key == "parent_span_id" || key == "parentSpanId" ||
             key == "parentId")
      parent_ = intern_span_id(value, shard_);
    else if (key == "parentSpanContext" || key == "parent")
      read_parent(value);
    else if (key == "name" || key == "span_name")
      draft_.operation = json::text(value);
    else if (key == "kind")
      draft_.span.kind = kind_of(value), draft_.ending.state(open_kind(value));
    else if (key == "SpanKind")
      draft_.span.kind = read_span_kind(value);
    else if (key == "start_time" || key == "startTime" || key == "start_timestamp")
      start_ = read_sdk_time(value), start_key_ = key;
    else if (key == "end_time" || key == "endTime" || key == "end_timestamp")
      end_ = read_sdk_time(value);
    else if (key == "duration_ns")
      read_units(value, 1, length_);
    else if (key == "duration")
      seconds_ = read_length(value, kSecond);
    else if (key == "status_message" || key == "otel_status_message")
      draft_.failure = json::text(value);
    else if (key == "context.span_id")
      ids_.span = intern_span_id(value, shard_);
    else if (key == "context.trace_id")
      ids_.trace = intern_span_id(value, shard_);
    else if (key.starts_with("attributes."))
      draft_.tags.read_tag(key.substr(std::string_view("attributes.").size()), value);
    else if (key == "attributes")
      attributes_ = value, has_attributes_ = true;
    else if (key == "resource")
      read_sdk_resource(value, draft_.tags);
    else if (key == "instrumentation_scope" || key == "instrumentationScope" ||
             key == "instrumentation_info" || key == "instrumentationLibrary")
      draft_.tags.read_scope(value);
    else if (key == "links")
      read_links(value);
    else if (key == "events")
      read_events(value);
    else if (read_ending(key, value, draft_.ending))
      read_status(value);
    else
      read_row_tag(key, value);
  }

  void read_status(json::element status) {
    json::fields(status, [&](std::string_view name, json::element value) {
      const std::string_view key = plain_name(name);
      if (key != name) read_ending(key, value, draft_.ending);
      if (is_one_of(key, {"description", "message"}) && !json::text(value).empty())
        draft_.failure = json::text(value);
    });
  }

  /// What rows of a table have beside.
  void read_row_tag(std::string_view key, json::element value) {
    for (const LengthField& field : kLengths)
      if (field.key == key) length_ = read_length(value, field.unit);
    for (const RowTag& tag : kRowTags)
      if (tag.key == key && !value.is_null()) draft_.tags.read_tag(tag.tag, value);
  }

  void read_parent(json::element context) {
    Ids ids;
    ids.read(context, shard_);
    if (ids.span) parent_ = ids.span;
  }

  void read_links(json::element links) {
    json::items(links, [&](json::element link) {
      Ids ids;
      ids.read(link, shard_);
      json::fields(link, [&](std::string_view key, json::element value) {
        if (is_context(key)) ids.read(value, shard_);
      });
      if (ids.span) draft_.parents.push_back({ids.span, ids.trace, true});
    });
  }

  /// Monocle counts tokens in an event.
  void read_events(json::element events) {
    json::items(events, [&](json::element event) {
      std::string_view word;
      json::element attributes = event;
      json::fields(event, [&](std::string_view name, json::element value) {
        if (plain_name(name) == "name") word = json::text(value);
        if (plain_name(name) == "attributes") attributes = value;
      });
      if (word == "metadata") draft_.tags.read(attributes);
      if (word == "exception") note_exception(attributes, draft_);
    });
  }

  std::string_view id_key_;
  Shard& shard_;
  SpanDraft draft_;
  Ids ids_;
  StringId parent_;
  Time start_ = kNoTime, end_ = kNoTime;
  Duration length_ = kNoDuration, seconds_ = kNoDuration;
  std::string_view start_key_ = "start_time";
  json::element attributes_;
  bool has_attributes_ = false;
};

/// Monocle's viewer saves all spans of a trace in one object.
bool holds_named_spans(json::element record) {
  json::element spans, name;
  bool any = false;
  if (!json::find(record, "spans", spans)) return false;
  json::items(spans, [&](json::element span) { any |= json::find(span, "span_name", name); });
  return any;
}

bool has_ids(json::element context) {
  json::element found;
  return std::ranges::any_of(
      std::initializer_list<std::string_view>{"span_id", "spanId", "SpanID", "trace_id", "traceId"},
      [&](std::string_view key) { return json::find(context, key, found); });
}

bool fits_sdk_spans(json::element record) {
  bool has_name = false, has_context = false, has_span = false, has_trace = false, is_timed = false;
  json::fields(record, [&](std::string_view key, json::element value) {
    has_name |= plain_name(key) == "name";
    has_context |= is_context(key) && has_ids(value);
    has_span |= key == "spanId";
    has_trace |= key == "traceId";
    is_timed |= (key == "startTime" || key == "endTime") && json::is_array(value);
  });
  has_context |= has_span && has_trace && is_timed;
  return (has_name && has_context) || holds_named_spans(record) || is_sdk_log(record);
}

void read_sdk_spans(json::element record, std::string_view text, const Extent& at,
                    RecordContext& context) {
  json::element spans;
  if (is_sdk_log(record)) return read_sdk_log(record, at, context.shard);
  if (!json::find(record, "spans", spans) || !json::is_array(spans))
    return SdkSpan(at, "span_id", context.shard).read(record);
  ItemPlaces places(text, at, opens_nothing, is_spans);
  json::items(spans, [&](json::element span) {
    Extent place = places.next();
    if (json::is_object(span)) return SdkSpan(place, "span_id", context.shard).read(span);
    context.shard.complain(Complaint::Kind::damaged, place, "a span is not an object");
  });
}

bool is_flat_span(json::element record) {
  bool has_name = false, has_id = false, has_time = false;
  json::fields(record, [&](std::string_view key, json::element) {
    has_name |= key == "name" || key == "span_name";
    has_id |= key == "span_id" || key == "context.span_id";
    has_time |= key == "start_time" || key == "trace_id";
  });
  return has_name && has_id && has_time;
}

/// One span, or a list of them in an object of any other content.
bool fits_flat_span(json::element record) {
  json::element spans;
  bool any = is_flat_span(record);
  if (!any && json::find(record, "spans", spans))
    json::items(spans, [&](json::element span) { any = any || is_flat_span(span); });
  return any;
}

}  // namespace

extern constinit const Format kOtelSdk = {
    .name = "otel-sdk",
    .summary = "console exports of OpenTelemetry SDKs: Python, JavaScript, Go, Monocle",
    .fits = fits_sdk_spans,
    .needs = "name|Name|spans|attributes context|spanContext|SpanContext|spans|spanId|hrTime",
    .read = read_sdk_spans,
    .step = read_span_step,
};

extern constinit const Format kFlatSpans = {
    .name = "flat-spans",
    .summary = "one span per object: name, span_id, trace_id, start_time in nanoseconds",
    .fits = fits_flat_span,
    .needs = "name|span_name|spans span_id|context.span_id|spans start_time|trace_id|spans",
    .read = read_sdk_spans,
    .step = read_span_step,
};

}  // namespace xtrace
