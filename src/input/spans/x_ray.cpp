#include <string>

#include "input/spans/span_shape.h"
#include "input/transcripts/part.h"

namespace xtrace {

// Segments of AWS X-Ray, and what was done in them:
//
//   {"id", "trace_id": "1-5759e988-bd862e3fe1be46a994272793", "parent_id", "name", "start_time":
//    1461096053.37, "end_time" or "in_progress", "fault", "error", "throttle", "cause":
//    {"exceptions": [{"type", "message"}]}, "annotations": {"gen_ai_request_model": …}, "metadata":
//    {"default": {…}}, "subsegments": [{the same without "trace_id"}]}
//
// https://docs.aws.amazon.com/xray/latest/devguide/xray-api-segmentdocuments.html (2026-11-29)

namespace {

constexpr TagShape kXRayTags[] = {
    {"", "cause/exceptions/0/type", "exception.type"},
    {"", "http/response/status", "http.status_code"},
    {"", "user", "user.id"},
};

constexpr TagShape kXRayOfSegment[] = {{"", "name", "service.name"}};

/// The second one holds attributes by namespace, of which one without a name is `default`.
constexpr json::Path kXRayAttributes[] = {"metadata", "metadata/default"};
constexpr json::Path kXRayLabels[] = {"annotations"};

constexpr RecordPattern kXRayRecords[] = {
    "id:text name:text start_time:number end_time|in_progress trace_id=1-*",
    "id:text name:text start_time:number end_time|in_progress subsegments:known"};

constexpr SpanShape kXRaySegment = {
    .when = kXRayRecords,
    .id = "id",
    .trace = "trace_id",
    .parent = "parent_id",
    .name = "name",
    .began = "start_time",
    .ended = "end_time",
    .tags = kXRayTags,
    .failure = "cause/exceptions/0/message",
    .attributes = kXRayAttributes,
    .labels = kXRayLabels,
};

void read_segment(json::element segment, const Part& part, ShapedSpans& spans) {
  constexpr std::string_view kBelow = "subsegments";
  spans.read(segment, part.at);
  json::element below;
  if (!json::find(segment, kBelow, below)) return;
  const std::string parent = json::text_on(segment, "id");
  each_item(segment, part, kBelow, [&](json::element one, const Part& place) {
    spans.made_parent = parent;
    read_segment(one, place, spans);
  });
}

void read_x_ray(json::element record, std::string_view text, const Extent& at,
                RecordContext& context) {
  ShapedSpans spans(kXRaySegment, context);
  spans.run = json::text_on(record, "trace_id");
  spans.whole = record;
  // What was done in a segment may be sent alone, and names no service.
  if (json::text_at(record, "type") != "subsegment") spans.common = kXRayOfSegment;
  read_segment(record, {text, at}, spans);
}

}  // namespace

extern constinit const Format kXRay = format_of_spans<kXRaySegment>(
    "x-ray", "segments of AWS X-Ray",
    "id name start_time end_time|in_progress trace_id|subsegments", read_x_ray);

}  // namespace xtrace
