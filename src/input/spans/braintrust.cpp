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

constexpr RecordPattern kBraintrustRecords[] = {
    "span_id:text root_span_id:text span_attributes|metrics"};

constexpr SpanShape kBraintrustSpan = {
    .when = kBraintrustRecords,
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

}  // namespace

extern constinit const Format kBraintrust =
    format_of_spans<kBraintrustSpan>("braintrust", "spans of Braintrust: logs and experiments",
                                     "span_id root_span_id span_attributes|metrics");

}  // namespace xtrace
