#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <vector>

#include "base/number.h"
#include "base/one_of.h"
#include "input/common/format.h"
#include "input/common/graph_parts.h"
#include "input/common/item_places.h"
#include "input/common/moments.h"
#include "input/common/record_context.h"
#include "input/spans/plain_value.h"
#include "input/spans/sdk_log.h"
#include "input/spans/sdk_spans.h"
#include "input/spans/span_draft.h"
#include "input/spans/span_fields.h"
#include "input/spans/span_step.h"

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
// also many in a list, {"spans": [{span}], …}, and as rows of tables, which have dots in place of
// objects or one map for each type of value: Phoenix' data frames {"context.span_id",
// "attributes.llm.model_name", …}, ClickHouse {"Timestamp", "SpanId", "SpanAttributes", "Duration":
// ns, "Events.Name": […], …}, SigNoz {"timestamp", "attributes_string", "duration_nano", …}, Data
// Prepper {"span.attributes.http@method", "durationInNanos", …}, Elasticsearch {"@timestamp",
// "duration": ns, …}, CloudWatch {"startTimeUnixNano", "attributes": {…}}. span_fields.h knows
// their names.

namespace {

/// The ids of a span, wherever a library puts them.
struct Ids {
  StringId span, trace;
  bool is_of_parent = false;  ///< SigNoz lists the parent among its references

  void read(json::element of, Shard& shard) {
    json::fields(of, [&](std::string_view key, json::element value) {
      if (is_key(key, "spanid")) span = intern_span_id(value, shard);
      if (is_key(key, "traceid")) trace = intern_span_id(value, shard);
      if (is_key(key, "reftype")) is_of_parent = json::text(value) == "CHILD_OF";
    });
  }
};

bool is_context(std::string_view key) {
  return is_one_of(key, {"context", "spanContext", "_spanContext", "SpanContext"});
}

/// The unit of a length depends on who wrote it; the name of the start identifies that.
struct LengthUnit {
  std::string_view start;
  double unit;  ///< in nanoseconds
};
constexpr LengthUnit kLengthUnits[] = {{"start_timestamp", 1e9},  // Logfire
                                       {"Timestamp", 1},          // ClickHouse
                                       {"@timestamp", 1},
                                       {"start", 1}};  // Datadog        // Elasticsearch

Duration read_length(json::element value, double unit) {
  constexpr double kCentury = 100.0 * 366 * 86400 * 1e9;
  double count = 0;
  if (json::is_string(value))
    count = number_of<double>(json::text(value)).value_or(-1);
  else if (value.get_double().get(count))
    return kNoDuration;
  return count >= 0 && count * unit < kCentury ? Duration(std::llround(count * unit)) : kNoDuration;
}

/// JavaScript counts kinds from 0, the protocol from 1.
SpanKind kind_of_number(json::element value, bool is_of_protocol) {
  constexpr SpanKind kKinds[] = {SpanKind::internal, SpanKind::server, SpanKind::client,
                                 SpanKind::producer, SpanKind::consumer};
  if (is_of_protocol) return read_span_kind(value);
  const int64_t number = json::count(value, -1);
  const bool is_known = number >= 0 && number < static_cast<int64_t>(std::size(kKinds));
  return is_known ? kKinds[number] : SpanKind::unknown;
}

/// Logfire has a row for a span that has begun, whose end is its start.
Outcome open_kind(json::element kind) {
  return json::text(kind) == "pending_span" ? Outcome::unfinished : Outcome::unknown;
}

/// OpenInference's kinds of work, which Phoenix has in a column.
bool is_kind_of_work(std::string_view kind) {
  return is_one_of(kind, {"LLM", "TOOL", "AGENT", "CHAIN", "RETRIEVER", "RERANKER", "EMBEDDING",
                          "GUARDRAIL", "EVALUATOR"});
}

class SdkSpan {
 public:
  SdkSpan(const Extent& at, std::string_view id_key, RecordContext& context)
      : id_key_(id_key), parsers_(context.parsers), shard_(context.shard) {
    draft_.span.source = at;
  }

  /// The trace that the list of the span is of, if the span names none.
  void read(json::element record, StringId trace_of_list = {}) {
    draft_.span.trace = trace_of_list;
    json::fields(record,
                 [&](std::string_view key, json::element value) { read_field(key, value); });
    if (!draft_.span.id) return complain_of_id(draft_.span.source, id_key_, shard_);
    add_listed();
    for (SpanParent& link : draft_.parents)
      if (!link.trace) link.trace = draft_.span.trace;
    if (parent_) draft_.parents.insert(draft_.parents.begin(), {parent_, draft_.span.trace, false});
    // What the span says of itself wins over what its resource says.
    for (const json::element tags : tags_) draft_.tags.read(tags);
    if (draft_.span.kind == SpanKind::unknown && has_kind_number_)
      draft_.span.kind = kind_of_number(kind_number_, is_of_protocol_);
    draft_.ending.has_end = end_ != kNoTime;
    if (length_ == kNoDuration) length_ = elapsed(start_, end_);
    for (const LengthUnit& one : kLengthUnits)
      if (length_ == kNoDuration && has_plain_length_ && one.start == start_key_)
        length_ = read_length(plain_length_, one.unit);
    set_times(draft_, start_, length_, start_key_, shard_);
    add_span(draft_, shard_);
  }

 private:
  void read_field(std::string_view key, json::element value) {
    const KnownSpanField known = find_span_field(key);
    switch (known.field) {
      case SpanField::context: read_context(value); break;
      case SpanField::id: take_id(value, known.rank); break;
      case SpanField::trace: take_trace(value, known.rank); break;
      case SpanField::parent: parent_ = intern_span_id(value, shard_); break;
      case SpanField::parent_context: read_parent(value); break;
      case SpanField::name: draft_.operation = json::text(value); break;
      case SpanField::kind: read_kind(key, value); break;
      case SpanField::start: read_start(key, value, known); break;
      case SpanField::end: end_ = moment_of(value, known); break;
      case SpanField::length: take_length(value, known); break;
      case SpanField::status: read_status(value); break;
      case SpanField::has_error: read_ending("is_error", value, draft_.ending); break;
      case SpanField::failure:
        if (!json::text(value).empty()) draft_.failure = json::text(value);
        break;
      case SpanField::tags: take_tags(value); break;
      case SpanField::resource: read_resource(unfolded(value)); break;
      case SpanField::scope: draft_.tags.read_scope(value); break;
      case SpanField::tag:
        if (json::is_string(value)) draft_.tags.read_tag(known.tag, value);
        break;
      case SpanField::links: read_links(unfolded(value)); break;
      case SpanField::events: read_events(unfolded(value)); break;
      case SpanField::link_spans:
        json::items(value, [&](auto id) { link_spans_.push_back(id); });
        break;
      case SpanField::link_traces:
        json::items(value, [&](auto id) { link_traces_.push_back(id); });
        break;
      case SpanField::event_names:
        json::items(value, [&](auto name) { event_names_.push_back(name); });
        break;
      case SpanField::event_tags:
        json::items(value, [&](auto tags) { event_tags_.push_back(tags); });
        break;
      case SpanField::other: read_other(key, value); break;
    }
  }

  void read_other(std::string_view key, json::element value) {
    if (const std::string tag = tag_of_column(key); !tag.empty())
      draft_.tags.read_tag(tag, value);
    else if (!read_ending(key, value, draft_.ending) && key.find('.') != key.npos)
      draft_.tags.read_tag(key, value);
  }

  /// The value, or what it spells if it is JSON in a string.
  json::element unfolded(json::element value) {
    const std::string_view text = json::text(value);
    json::element inner;
    const bool is_json = text.starts_with('{') || text.starts_with('[');
    return is_json && parsers_.parse(text, inner) ? inner : value;
  }

  void take_id(json::element value, uint8_t rank) {
    if (rank > id_rank_) return;
    draft_.span.id = intern_span_id(value, shard_);
    id_rank_ = rank;
  }

  void take_trace(json::element value, uint8_t rank) {
    const StringId trace = intern_span_id(value, shard_);
    if (rank > trace_rank_ || !trace) return;
    draft_.span.trace = trace;
    trace_rank_ = rank;
  }

  /// A list of words is none of tags.
  void take_tags(json::element value) {
    json::element first;
    const bool is_of_words = !value.at_pointer("/0").get(first) && json::is_string(first);
    if (!is_of_words) tags_.push_back(value);
  }

  /// Datadog calls so what is worked on.
  void read_resource(json::element value) {
    if (!json::is_string(value)) read_sdk_resource(value, draft_.tags);
  }

  void read_context(json::element value) {
    Ids ids;
    ids.read(unfolded(value), shard_);
    if (ids.span) draft_.span.id = ids.span, id_rank_ = 0;
    if (ids.trace) draft_.span.trace = ids.trace, trace_rank_ = 0;
  }

  void read_kind(std::string_view key, json::element value) {
    if (is_kind_of_work(json::text(value)))
      return draft_.tags.read_tag("openinference.span.kind", value);
    is_of_protocol_ |= key == "SpanKind";  // Go counts as the protocol does
    if (!json::is_string(value)) {
      kind_number_ = value, has_kind_number_ = true;
      return;
    }
    draft_.span.kind = read_span_kind(json::text(value));
    draft_.ending.state(open_kind(value));
  }

  static Time moment_of(json::element value, const KnownSpanField& known) {
    Duration since_1970 = kNoDuration;
    if (known.unit == 0 || !read_units(value, static_cast<int64_t>(known.unit), since_1970))
      return read_sdk_time(value);
    return since_1970 > Duration{0} ? Time(since_1970) : kNoTime;
  }

  void read_start(std::string_view key, json::element value, const KnownSpanField& known) {
    if (known.rank > start_rank_) return;
    start_ = moment_of(value, known);
    start_key_ = key;
    start_rank_ = known.rank;
    is_of_protocol_ |= known.unit != 0;
  }

  void take_length(json::element value, const KnownSpanField& known) {
    if (known.unit != 0)
      length_ = read_length(value, known.unit);
    else
      plain_length_ = value, has_plain_length_ = true;
  }

  void read_status(json::element status) {
    read_ending("status", status, draft_.ending);
    json::fields(status, [&](std::string_view key, json::element value) {
      if (key == "Code") read_ending("status", value, draft_.ending);
      if (is_one_of(key, {"description", "Description", "message"}) && !json::text(value).empty())
        draft_.failure = json::text(value);
    });
  }

  void read_parent(json::element context) {
    Ids ids;
    ids.read(context, shard_);
    if (json::is_string(context)) ids.span = intern_span_id(context, shard_);
    if (ids.span) parent_ = ids.span;
  }

  void read_links(json::element links) {
    json::items(links, [&](json::element link) {
      Ids ids;
      ids.read(link, shard_);
      json::fields(link, [&](std::string_view key, json::element value) {
        if (is_context(key)) ids.read(value, shard_);
      });
      if (ids.is_of_parent && !parent_) parent_ = ids.span;
      if (ids.span && !ids.is_of_parent) draft_.parents.push_back({ids.span, ids.trace, true});
    });
  }

  /// Adds the links and events that lists of their fields hold.
  void add_listed() {
    for (size_t i = 0; i < link_spans_.size(); ++i) {
      const StringId span = intern_span_id(link_spans_[i], shard_);
      const StringId trace =
          i < link_traces_.size() ? intern_span_id(link_traces_[i], shard_) : StringId{};
      if (span) draft_.parents.push_back({span, trace, true});
    }
    for (size_t i = 0; i < std::min(event_names_.size(), event_tags_.size()); ++i)
      add_event_of(json::text(event_names_[i]), event_tags_[i]);
  }

  void read_events(json::element events) {
    json::items(events, [&](json::element event) {
      event = unfolded(event);
      std::string_view word;
      json::element attributes = event;
      json::fields(event, [&](std::string_view key, json::element value) {
        if (is_key(key, "name") || is_key(key, "eventname")) word = json::text(value);
        if (is_key(key, "attributes") || is_key(key, "attributemap")) attributes = value;
      });
      add_event_of(word, attributes);
    });
  }

  /// Monocle counts tokens in an event.
  void add_event_of(std::string_view word, json::element attributes) {
    if (word == "metadata") draft_.tags.read(attributes);
    if (word == "exception") note_exception(attributes, draft_);
  }

  static constexpr uint8_t kNone = UINT8_MAX;

  std::string_view id_key_;
  Parsers& parsers_;
  Shard& shard_;
  SpanDraft draft_;
  uint8_t id_rank_ = kNone, trace_rank_ = kNone, start_rank_ = kNone;
  StringId parent_;
  Time start_ = kNoTime, end_ = kNoTime;
  Duration length_ = kNoDuration;
  json::element plain_length_{}, kind_number_{};
  bool has_plain_length_ = false, has_kind_number_ = false;
  bool is_of_protocol_ = false;  ///< its kinds are counted as the protocol does
  std::string_view start_key_ = "start_time";
  std::vector<json::element> tags_, link_spans_, link_traces_, event_names_, event_tags_;
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
    has_name |= is_key(key, "name");
    has_context |= is_context(key) && has_ids(value);
    has_span |= key == "spanId";
    has_trace |= key == "traceId";
    is_timed |= (key == "startTime" || key == "endTime") && json::is_array(value);
  });
  has_context |= has_span && has_trace && is_timed;
  return (has_name && has_context) || holds_named_spans(record) || is_sdk_log(record);
}

}  // namespace

void read_sdk_spans(json::element record, std::string_view text, const Extent& at,
                    RecordContext& context) {
  json::element spans;
  if (is_sdk_log(record)) return read_sdk_log(record, at, context.shard);
  if (!json::find(record, "spans", spans) || !json::is_array(spans))
    return SdkSpan(at, "span_id", context).read(record);
  ItemPlaces places(text, at, opens_nothing, is_spans);
  Ids of_list;
  of_list.read(record, context.shard);
  json::items(spans, [&](json::element span) {
    Extent place = places.next();
    if (json::is_object(span)) return SdkSpan(place, "span_id", context).read(span, of_list.trace);
    context.shard.complain(Complaint::Kind::damaged, place, "a span is not an object");
  });
}

extern constinit const Format kOtelSdk = {
    .name = "otel-sdk",
    .summary = "console exports of OpenTelemetry SDKs: Python, JavaScript, Go, Monocle",
    .fits = fits_sdk_spans,
    .needs = "name|Name|spans|attributes context|spanContext|SpanContext|spans|spanId|hrTime",
    .read = read_sdk_spans,
    .step = read_span_step,
};

}  // namespace xtrace
