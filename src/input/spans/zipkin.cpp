#include "input/common/format.h"
#include "input/common/record_context.h"
#include "input/spans/span_draft.h"
#include "input/spans/span_step.h"
#include "input/spans/span_values.h"
#include "input/spans/step_events.h"

namespace xtrace {

// Zipkin's second format, a list of spans:
//
//   [{"traceId", "id", "parentId", "kind": "CLIENT", "name", "timestamp": us, "duration": us,
//     "localEndpoint": {"serviceName"}, "remoteEndpoint", "tags": {…}, "shared": true}]
//
// `shared`: the client's half of the call has the same id; which of the two is meant by a parent's
// id, follow_parents() decides.

namespace {

constexpr int64_t kMicrosecond = 1000;  // nanoseconds

bool is_endpoint(std::string_view key) {
  return key == "localEndpoint" || key == "remoteEndpoint";
}

bool fits_zipkin(json::element record) {
  bool has_trace = false, has_id = false, tells = false;
  json::fields(record, [&](std::string_view key, json::element value) {
    has_trace |= key == "traceId" && json::is_string(value);
    has_id |= key == "id" && json::is_string(value);
    tells |= is_endpoint(key) || key == "annotations" || key == "shared" || key == "timestamp" ||
             key == "duration" || key == "parentId";
  });
  return has_trace && has_id && tells && !fits_step_event(record);
}

void read_zipkin(json::element record, std::string_view, const Extent& at, RecordContext& context) {
  Shard& shard = context.shard;
  SpanDraft draft;
  Span& span = draft.span;
  span.source = at;
  StringId parent;
  Duration start = kNoDuration, length = kNoDuration;
  json::fields(record, [&](std::string_view key, json::element value) {
    if (key == "id")
      span.id = intern_span_id(value, shard);
    else if (key == "traceId")
      span.trace = intern_span_id(value, shard);
    else if (key == "parentId")
      parent = intern_span_id(value, shard);
    else if (key == "name")
      draft.operation = json::text(value);
    else if (key == "kind")
      span.kind = read_span_kind(json::text(value));
    else if (key == "timestamp")
      read_units(value, kMicrosecond, start);
    else if (key == "duration")
      read_units(value, kMicrosecond, length);
    else if (key == "localEndpoint")
      draft.service = json::text_at(value, "serviceName");
    else if (key == "remoteEndpoint")
      draft.peer = json::text_at(value, "serviceName");
    else if (key == "tags")
      draft.tags.read(value);
  });
  if (!span.id) return complain_of_id(at, "id", shard);
  // The tag says what went wrong; that it is there says that something did.
  std::string_view error = draft.tags.text(Tag::error);
  draft.failed = draft.tags.has(Tag::error) && error != "false" && error != "0";
  set_times(draft, start == kNoDuration ? kNoTime : Time(start), length, "timestamp", shard);
  if (parent) draft.parents.push_back({parent, span.trace, false});
  add_span(draft, shard);
}

}  // namespace

extern constinit const Format kZipkin = {
    .name = "zipkin",
    .summary = "spans as Zipkin's API takes and gives them (version 2)",
    .fits = fits_zipkin,
    .needs = "traceId id",
    .read = read_zipkin,
    .step = read_span_step,
};

}  // namespace xtrace
