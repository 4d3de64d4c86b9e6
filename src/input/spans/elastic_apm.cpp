#include "base/one_of.h"
#include "input/common/format.h"
#include "input/common/record_context.h"
#include "input/spans/span_shape.h"

namespace xtrace {

// Documents of Elastic APM: a transaction, which is the work of a service, or a span in one:
//
//   {"processor": {"event": "span"|"transaction"}, "trace": {"id"}, "parent": {"id"},
//    "transaction": {"id", "name", "duration": {"us"}}, "span": {"id", "name", "duration": {"us"}},
//    "timestamp": {"us"}, "event": {"outcome": "success"|"failure"|"unknown"}, "service": {"name"},
//    "labels": {"gen_ai_request_model": …}, "numeric_labels": {"gen_ai_usage_input_tokens": 7}}

namespace {

constexpr TagShape kApmTags[] = {
    {"", "service/name", "service.name"},
    {"", "span/kind|transaction/kind", "span.kind"},
    {"", "service/target/name|span/destination/service/resource", "peer.service"},
    {"", "http/response/status_code", "http.status_code"},
    {"", "user/id", "user.id"},
};

constexpr json::Path kApmLabels[] = {"labels", "numeric_labels"};

constexpr SpanShape kApmEvent = {
    .id = "span/id|transaction/id",
    .trace = "trace/id",
    .parent = "parent/id",
    .name = "span/name|transaction/name",
    .began = "timestamp/us|@timestamp",
    .tags = kApmTags,
    .length = "span/duration/us|transaction/duration/us",
    .length_unit = 1000,
    .status = "event/outcome",
    .labels = kApmLabels,
};

bool fits_elastic_apm(json::element record) {
  json::element value;
  const std::string event = json::text_on(record, "processor/event");
  return (event.empty() || is_one_of(event, {"span", "transaction"})) &&
         json::follow(record, kApmEvent.id, value) && json::follow(record, "trace/id", value) &&
         json::follow(record, kApmEvent.length, value);
}

void read_elastic_apm(json::element record, std::string_view, const Extent& at,
                      RecordContext& context) {
  ShapedSpans(kApmEvent, context).read(record, at);
}

}  // namespace

extern constinit const Format kElasticApm = {
    .name = "elastic-apm",
    .summary = "documents of Elastic APM: transactions and spans",
    .fits = fits_elastic_apm,
    .needs = "trace span|transaction",
    .read = read_elastic_apm,
};

}  // namespace xtrace
