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

constexpr RecordPattern kApmRecords[] = {
    "processor/event=span|transaction trace/id span/id|transaction/id "
    "span/duration/us|transaction/duration/us",
    "!processor/event:text trace/id span/id|transaction/id "
    "span/duration/us|transaction/duration/us"};

constexpr SpanShape kApmEvent = {
    .when = kApmRecords,
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

}  // namespace

extern constinit const Format kElasticApm = format_of_spans<kApmEvent>(
    "elastic-apm", "documents of Elastic APM: transactions and spans", "trace span|transaction");

}  // namespace xtrace
