#include "base/one_of.h"
#include "input/common/format.h"
#include "input/common/record_context.h"
#include "input/spans/plain_value.h"
#include "input/spans/span_draft.h"
#include "input/spans/span_step.h"
#include "input/spans/step_events.h"

namespace xtrace {

// Zipkin's formats, a list of spans:
//
//   [{"traceId", "id", "parentId", "kind": "CLIENT", "name", "timestamp": us, "duration": us,
//     "localEndpoint": {"serviceName"}, "remoteEndpoint", "tags": {…}, "shared": true}]
//
// and the first one, which has the moments of both sides and what became tags later in lists:
//
//   [{"traceId", "id", "name", "annotations": [{"timestamp": us, "value": "cs"|"sr"|"ss"|"cr", of a
//     message "ms"|"mr", "endpoint"}], "binaryAnnotations": [{"key", "value", "endpoint"}]}]
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
    tells |= is_endpoint(key) || key == "annotations" || key == "binaryAnnotations" ||
             key == "shared" || key == "timestamp" || key == "duration" || key == "parentId";
  });
  return has_trace && has_id && tells && !fits_step_event(record);
}

/// Moments that annotations of the first format record, on either side of a call.
struct Moments {
  Duration sent = kNoDuration, received = kNoDuration;     ///< by the client
  Duration arrived = kNoDuration, answered = kNoDuration;  ///< at the server
  std::string_view client, server;
  bool is_of_message = false;  ///< which a broker passes on: nobody answers

  void read(json::element annotation) {
    const std::string_view value = json::text_at(annotation, "value");
    json::element time, endpoint;
    Duration at = kNoDuration;
    if (!json::find(annotation, "timestamp", time) || !read_units(time, kMicrosecond, at)) return;
    if (value == "cs" || value == "ms") sent = at;
    if (value == "cr") received = at;
    if (value == "sr" || value == "mr") arrived = at;
    if (value == "ss") answered = at;
    is_of_message |= value == "ms" || value == "mr";
    if (!json::find(annotation, "endpoint", endpoint)) return;
    const bool is_of_client = value.starts_with('c') || value == "ms";
    (is_of_client ? client : server) = json::text_at(endpoint, "serviceName");
  }

  /// Fills in what the span itself does not state.
  void complete(Duration& start, Duration& length, SpanDraft& draft) const {
    const bool is_client = sent != kNoDuration;
    SpanKind& kind = draft.span.kind;
    if (draft.service.empty()) draft.service = is_client ? client : server;
    if (draft.peer.empty() && is_client) draft.peer = server;
    const Duration begin = is_client ? sent : arrived, end = is_client ? received : answered;
    if (begin != kNoDuration && kind == SpanKind::unknown)
      kind = is_of_message ? is_client ? SpanKind::producer : SpanKind::consumer
             : is_client   ? SpanKind::client
                           : SpanKind::server;
    if (start == kNoDuration) start = begin;
    if (length == kNoDuration && start != kNoDuration && end != kNoDuration) length = end - start;
  }
};

/// A tag of the first format, or the address of the other side of the call.
void read_binary_annotation(json::element annotation, SpanDraft& draft) {
  const std::string_view key = json::text_at(annotation, "key");
  json::element value, endpoint;
  const bool has_endpoint = json::find(annotation, "endpoint", endpoint);
  if (has_endpoint && is_one_of(key, {"sa", "ca"}))
    draft.peer = json::text_at(endpoint, "serviceName");
  else if (json::find(annotation, "value", value) && !key.empty())
    draft.tags.read_tag(key, value);
  if (has_endpoint && draft.service.empty() && !is_one_of(key, {"sa", "ca"}))
    draft.service = json::text_at(endpoint, "serviceName");
}

void read_zipkin(json::element record, std::string_view, const Extent& at, RecordContext& context) {
  Shard& shard = context.shard;
  SpanDraft draft;
  Span& span = draft.span;
  span.source = at;
  StringId parent;
  Duration start = kNoDuration, length = kNoDuration;
  Moments moments;
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
    else if (key == "annotations")
      json::items(value, [&](json::element one) { moments.read(one); });
    else if (key == "binaryAnnotations")
      json::items(value, [&](json::element one) { read_binary_annotation(one, draft); });
  });
  moments.complete(start, length, draft);
  if (!span.id) return complain_of_id(at, "id", shard);
  // The tag says what went wrong; that it is there says that something did.
  std::string_view error = draft.tags.text(Tag::error);
  if (draft.tags.has(Tag::error) && error != "false" && error != "0")
    draft.ending.state(Outcome::error);
  set_times(draft, start == kNoDuration ? kNoTime : Time(start), length, "timestamp", shard);
  if (parent) draft.parents.push_back({parent, span.trace, false});
  add_span(draft, shard);
}

}  // namespace

extern constinit const Format kZipkin = {
    .name = "zipkin",
    .summary = "spans of the Zipkin API (versions 1 and 2)",
    .fits = fits_zipkin,
    .needs = "traceId id",
    .read = read_zipkin,
    .step = read_span_step,
};

}  // namespace xtrace
