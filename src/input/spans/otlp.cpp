#include <algorithm>

#include "base/lower.h"
#include "base/one_of.h"
#include "input/common/format.h"
#include "input/common/item_places.h"
#include "input/common/json.h"
#include "input/common/record_context.h"
#include "input/common/shard.h"
#include "input/spans/agent_events.h"
#include "input/spans/converted_spans.h"
#include "input/spans/otlp_log.h"
#include "input/spans/plain_value.h"
#include "input/spans/span_draft.h"
#include "input/spans/span_step.h"
#include "input/spans/span_tags.h"
#include "input/spans/tag_words.h"

namespace xtrace {

// OpenTelemetry's protocol as JSON, whole or an object a line, as collectors, Tempo and editors
// write it:
//
//   {"resourceSpans": [{"resource": {"attributes": […]}, "scopeSpans": [{"spans": [{"traceId",
//     "spanId", "parentSpanId", "name", "kind", "startTimeUnixNano", "endTimeUnixNano",
//     "attributes", "events", "links", "status"}]}]}]}
//
// Logs and measurements come in the same envelopes; those that name a span tell of it. Tempo says
// `batches`, old exporters `instrumentationLibrarySpans`, and Jaeger's API puts each piece of its
// answer under `result`.

namespace {

/// As many of the unit of ours as one of the metric's is: waits are told in milliseconds.
double unit_of(std::string_view key, std::string_view unit) {
  if (!key.ends_with("Ms")) return 1;
  return unit == "s" ? 1e3 : unit == "us" ? 1e-3 : unit == "ns" ? 1e-6 : 1;
}

/// Does a metric count money, by its unit (`USD`, `{USD}`) or its name (`opencost.cost.usd`,
/// `claude_code.cost.usage`)?
bool counts_money(json::element metric) {
  if (lower(json::text_at(metric, "unit")).find("usd") != std::string::npos) return true;
  const std::string name = lower(json::text_at(metric, "name"));
  for (size_t begin = 0, end = 0; begin < name.size(); begin = end + 1) {
    end = std::min(name.find_first_of("._-/", begin), name.size());
    const std::string_view word = std::string_view(name).substr(begin, end - begin);
    if (is_one_of(word, {"cost", "costs", "usd", "dollars"})) return true;
  }
  return false;
}

/// Adds the points of a metric of OpenTelemetry's that shows what steps are described by, whose key
/// is `key` (tag_words.h), as measurements. `resource`: what is around it, or nullptr.
void read_measurements(std::string_view key, json::element metric, const Extent& place,
                       const SpanTags* resource, Shard& shard) {
  double unit = unit_of(key, json::text_at(metric, "unit"));
  auto read_point = [&](json::element point) {
    Measurement told;
    told.source = place;
    told.key = key;
    SpanTags tags = resource != nullptr ? *resource : SpanTags();
    std::optional<double> number;
    json::fields(point, [&](std::string_view name, json::element value) {
      Duration time = kNoDuration;
      if (name == "timeUnixNano" && read_units(value, 1, time) && time > Duration{0})
        told.time = Time(time);
      else if (name == "asDouble" || (name == "asInt" && !number))
        number = number_in(value);
      else if (name == "attributes")
        tags.read(value);
    });
    if (!number || told.time == kNoTime) return;
    told.number = *number * unit;
    told.component = shard.intern(tags.text(Tag::component));
    told.service = shard.intern(tags.text(Tag::service));
    shard.add(told);
  };
  // A gauge is what it is; of a sum each point is what came together so far. Of a histogram nobody
  // can show when it was how much.
  for (std::string_view kind : {"gauge", "sum"}) {
    json::element values, points;
    if (json::find(metric, kind, values) && json::find(values, "dataPoints", points))
      json::items(points, read_point);
  }
}

/// Does it hold what this format is known by?
bool is_envelope(std::string_view key) {
  return is_one_of(otlp_key(key),
                   {"resourceSpans", "scopeSpans", "instrumentationLibrarySpans", "resourceLogs",
                    "scopeLogs", "instrumentationLibraryLogs", "resourceMetrics", "scopeMetrics",
                    "instrumentationLibraryMetrics"});
}
bool opens(std::string_view key) {
  return is_envelope(key) || is_one_of(key, {"batches", "trace", "traces", "spanSet", "result"});
}
bool holds(std::string_view key) {
  return is_one_of(otlp_key(key), {"spans", "logRecords", "metrics"});
}

/// A search of Tempo answers with the spans that were found, and their trace around them.
struct Around {
  const SpanTags* resource = nullptr;
  std::string_view trace;
  json::element scope;  ///< the library that wrote what is below
  bool has_scope = false;
};

class OtlpRecord {
 public:
  OtlpRecord(std::string_view text, const Extent& at, RecordContext& context)
      : at_(at), places_(text, at, opens, holds), context_(context), shard_(context.shard) {}

  void read(json::element record) { visit(record, {}); }

 private:
  void visit(json::element envelope, Around around) {
    if (!json::is_object(envelope))
      return shard_.complain(Complaint::Kind::damaged, at_, "a span envelope is not an object");
    SpanTags resource;
    json::element found, attributes;
    if (json::find(envelope, "resource", found) && json::find(found, "attributes", attributes)) {
      resource.read(attributes);
      around.resource = &resource;
    }
    if (json::find(envelope, "scope", found) ||
        json::find(envelope, "instrumentationLibrary", found) ||
        json::find(envelope, "instrumentation_library", found))
      around.scope = found, around.has_scope = true;
    json::fields(envelope, [&](std::string_view key, json::element value) {
      if (key == "traceID") {
        around.trace = json::text(value);
        if (!json::find(envelope, "spanSet", found))
          shard_.complain(Complaint::Kind::damaged, at_,
                          "a search result without its spans; export the trace itself");
      }
      if (holds(key) && json::is_array(value))
        json::items(value, [&](json::element item) { read_item(otlp_key(key), item, around); });
      else if (opens(key) && json::is_array(value))
        json::items(value, [&](json::element item) { visit(item, around); });
      else if (opens(key) && json::is_object(value))
        visit(value, around);
      else if ((is_envelope(key) || key == "spans") && !value.is_null())
        shard_.complain(Complaint::Kind::damaged, at_, "spans is not a list");
    });
  }

  void read_item(std::string_view list, json::element item, const Around& around) {
    Extent place = places_.next();
    if (!json::is_object(item))
      return shard_.complain(Complaint::Kind::damaged, place, "a span is not an object");
    if (list == "spans") return read_span(item, place, around);
    if (list == "metrics") return read_metric(item, place, around);
    if (!read_log(item, place, around)) shard_.count_records(1);
    read_detail(item, place, SpanDetail::Kind::log_record);
  }

  void read_links(json::element links) {
    json::items(links, [&](json::element link) {
      SpanParent parent;
      parent.follows = true;
      json::fields(link, [&](std::string_view key, json::element value) {
        if (otlp_key(key) == "spanId") parent.span = intern_span_id(value, shard_);
        if (otlp_key(key) == "traceId") parent.trace = intern_span_id(value, shard_);
      });
      if (parent.span) draft_.parents.push_back(parent);
    });
  }

  /// Of those of a span only what an agent's machinery does is a step of its own.
  void read_events(json::element events) {
    json::items(events, [&](json::element event) {
      SpanDraft::Event told;
      told.word = json::text_at(event, "name");
      json::element thrown;
      if (told.word == "exception" && json::find(event, "attributes", thrown))
        note_exception(thrown, draft_);
      if (!is_event_word(told.word)) return;
      json::fields(event, [&](std::string_view key, json::element value) {
        Duration time = kNoDuration;
        if (otlp_key(key) == "timeUnixNano" && read_units(value, 1, time)) told.time = Time(time);
        if (key == "attributes") told.tags.read(value);
      });
      draft_.events.push_back(std::move(told));
    });
  }

  void read_span(json::element record, const Extent& place, const Around& around) {
    draft_ = SpanDraft();
    if (around.resource != nullptr) draft_.tags = *around.resource;
    draft_.service = draft_.tags.text(Tag::service);
    if (around.has_scope) draft_.tags.read_scope(around.scope);
    Span& span = draft_.span;
    span.source = place;
    StringId parent;
    span.trace = intern_span_id(around.trace, shard_);
    json::element attributes;
    bool has_attributes = false;
    Duration start = kNoDuration, end = kNoDuration, length = kNoDuration;
    json::fields(record, [&](std::string_view name, json::element value) {
      const std::string_view key = otlp_key(name);
      if (key == "spanId" || key == "spanID")
        span.id = intern_span_id(value, shard_);
      else if (key == "traceId" || key == "traceID")
        span.trace = intern_span_id(value, shard_);
      else if (key == "parentSpanId")
        parent = intern_span_id(value, shard_);
      else if (key == "name")
        draft_.operation = json::text(value);
      else if (key == "kind")
        span.kind = read_span_kind(value);
      else if (key == "startTimeUnixNano")
        read_units(value, 1, start);
      else if (key == "endTimeUnixNano")
        read_units(value, 1, end);
      else if (key == "durationNanos")
        read_units(value, 1, length);
      else if (key == "attributes")
        attributes = value, has_attributes = true, draft_.tags.read(value);
      else if (key == "links")
        read_links(value);
      else if (key == "status")
        read_ending(key, value, draft_.ending), draft_.failure = json::text_at(value, "message");
      else if (key == "events")
        read_events(value);
    });
    if (!span.id) return complain_of_id(place, "spanId", shard_);
    for (SpanParent& link : draft_.parents)
      if (!link.trace) link.trace = span.trace;
    if (parent) draft_.parents.insert(draft_.parents.begin(), {parent, span.trace, false});
    Time began = start <= Duration{0} ? kNoTime : Time(start);
    draft_.ending.has_end = end > Duration{0};
    if (length == kNoDuration && end > Duration{0}) length = elapsed(began, Time(end));
    if (has_attributes && draft_.tags.has(Tag::converted)) {
      draft_.span.start = began;
      draft_.span.duration = length;
      return add_converted(attributes, draft_, context_);
    }
    set_times(draft_, began, length, "startTimeUnixNano", shard_);
    add_span(draft_, shard_);
  }

  /// What an agent did, an event of its machinery, or what a model thought; false: none of these.
  bool read_log(json::element record, const Extent& place, const Around& around) {
    const std::string_view scope =
        around.has_scope ? json::text_at(around.scope, "name") : std::string_view();
    OtlpLog log(record, around.resource, scope, shard_);
    log.agent.at = place;
    complain_of_unread(log.tags, place, "log record", shard_);
    if (is_of_agent(log.agent)) return add_agent_record(log.agent, shard_);
    if (is_event_word(log.word)) {
      add_event(log.word, log.tags, {place, log.time, log.span, log.trace}, shard_);
      return true;
    }
    return log.may_be_thought() && (add_thought(log, place, context_), true);
  }

  /// A log record or an exemplar, if it names the span it tells of.
  void read_detail(json::element record, const Extent& place, SpanDetail::Kind kind) {
    SpanDetail detail;
    detail.source = place;
    detail.kind = kind;
    json::fields(record, [&](std::string_view name, json::element value) {
      const std::string_view key = otlp_key(name);
      Duration time = kNoDuration;
      if (key == "spanId")
        detail.span = intern_span_id(value, shard_);
      else if (key == "traceId")
        detail.trace = intern_span_id(value, shard_);
      else if (key.ends_with("imeUnixNano") && read_units(value, 1, time) && time > Duration{0})
        if (detail.time == kNoTime || key == "timeUnixNano") detail.time = Time(time);
    });
    if (detail.span) shard_.add(detail);
  }

  /// Its points, and of them what was measured in a span; if it shows how busy a component was,
  /// what they say.
  void read_metric(json::element metric, const Extent& place, const Around& around) {
    const RemarkName* name = find_remark_name(json::text_at(metric, "name"));
    if (name != nullptr && name->kind == Remark::Kind::number)
      read_measurements(name->key, metric, place, around.resource, shard_);
    else if (counts_money(metric))
      shard_.complain(Complaint::Kind::field, place,
                      "a cost metric that names no call or span; no sum includes it");
    json::element points, exemplars;
    json::fields(metric, [&](std::string_view, json::element values) {
      if (!json::find(values, "dataPoints", points)) return;
      json::items(points, [&](json::element point) {
        shard_.count_records(1);
        if (json::find(point, "exemplars", exemplars))
          json::items(exemplars, [&](json::element exemplar) {
            read_detail(exemplar, place, SpanDetail::Kind::exemplar);
          });
      });
    });
  }

  Extent at_;
  ItemPlaces places_;
  RecordContext& context_;
  Shard& shard_;
  SpanDraft draft_;
};

/// What only Tempo calls so must look like it as well.
bool fits_tempo(std::string_view key, json::element value) {
  bool fits = false;
  json::element found;
  if (key == "batches")
    json::items(value, [&](json::element batch) {
      fits |= json::find(batch, "scopeSpans", found) ||
              json::find(batch, "instrumentationLibrarySpans", found);
    });
  if (key == "traces")
    json::items(value, [&](json::element trace) { fits |= json::find(trace, "spanSet", found); });
  if (key == "trace")
    fits = json::find(value, "resourceSpans", found) || json::find(value, "batches", found);
  if (key == "result") fits = json::find(value, "resourceSpans", found);  // Jaeger's API, version 3
  return fits || (key == "spanSet" && json::find(value, "spans", found));
}

bool fits_otlp(json::element record) {
  bool fits = false;
  json::fields(record, [&](std::string_view key, json::element value) {
    fits |= is_envelope(key) || fits_tempo(key, value);
  });
  return fits;
}

void read_otlp(json::element record, std::string_view text, const Extent& at,
               RecordContext& context) {
  OtlpRecord(text, at, context).read(record);
}

constexpr std::string_view kLists[] = {"resourceSpans",   "batches",        "resourceLogs",
                                       "resourceMetrics", "resource_spans", "resource_logs",
                                       "resource_metrics"};

}  // namespace

extern constinit const Format kOtlp = {
    .name = "otlp",
    .summary = "OpenTelemetry JSON (OTLP): resourceSpans, resourceLogs, resourceMetrics",
    .fits = fits_otlp,
    .needs =
        "resourceSpans|scopeSpans|instrumentationLibrarySpans|resourceLogs|scopeLogs|"
        "instrumentationLibraryLogs|resourceMetrics|scopeMetrics|instrumentationLibraryMetrics|"
        "batches|traces|trace|spanSet|result",
    .read = read_otlp,
    .say = read_otlp_thought,
    .step = read_span_step,
    .lists = kLists,
};

}  // namespace xtrace
