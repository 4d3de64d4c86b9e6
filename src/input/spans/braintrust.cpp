#include "input/common/format.h"
#include "input/common/record_context.h"
#include "input/spans/span_shape.h"

namespace xtrace {

// Spans of Braintrust, as its API fetches them (`events`) and `btql` selects them (`data`):
//
//   {"id", "span_id", "root_span_id", "span_parents": [span_id], "created",
//    "span_attributes": {"name", "type": "llm"|"tool"|"task"|"function"|"score"|"eval"},
//    "input", "output", "error", "metadata": {"model", "provider"},
//    "metrics": {"start", "end" (seconds), "prompt_tokens", "completion_tokens", "tokens",
//                "prompt_cached_tokens", "prompt_cache_creation_tokens"}}
//
// https://www.braintrust.dev/docs/guides/traces (read 2026-11).

namespace {

constexpr OperationShape kBraintrustOperations[] = {{"llm", "chat"}, {"tool", "execute_tool"}};

constexpr TagShape kBraintrustTags[] = {
    {"", "metadata/model", "gen_ai.request.model"},
    {"", "metadata/provider", "gen_ai.provider.name"},
    {"execute_tool", "span_attributes/name", "gen_ai.tool.name"},
    {"", "metadata/session_id|metadata/thread_id", "gen_ai.conversation.id"},
};

constexpr json::Path kBraintrustUsages[] = {"metrics"};

constexpr SpanShape kBraintrustSpan = {
    .id = "span_id|id",
    .trace = "root_span_id",
    .parent = "span_parents/0",
    .name = "span_attributes/name",
    .began = "metrics/start|created",
    .ended = "metrics/end",
    .kind = "span_attributes/type",
    .operations = kBraintrustOperations,
    .tags = kBraintrustTags,
    .usages = kBraintrustUsages,
    .failure = "error|error/message",
    .result = "output",
};

bool fits_braintrust(json::element record) {
  json::element value;
  return !json::text_at(record, "span_id").empty() &&
         !json::text_at(record, "root_span_id").empty() &&
         (json::find(record, "span_attributes", value) || json::find(record, "metrics", value));
}

void read_braintrust(json::element record, std::string_view, const Extent& at,
                     RecordContext& context) {
  ShapedSpans(kBraintrustSpan, context).read(record, at);
}

}  // namespace

extern constinit const Format kBraintrust = {
    .name = "braintrust",
    .summary = "spans of Braintrust: logs and experiments",
    .fits = fits_braintrust,
    .needs = "span_id root_span_id span_attributes|metrics",
    .read = read_braintrust,
};

}  // namespace xtrace
