#include "input/spans/span_shape.h"

namespace xtrace {

// Spans of Datadog's LLM Observability, as its libraries and its API send them, many in a record,
// and as the API exports them, each in the `attributes` of an item of `data`:
//
//   {"ml_app", "session_id", "spans": [{"span_id", "trace_id", "parent_id", "name", "start_ns",
//    "duration" (ns), "status", "meta": {"kind" or "span.kind": "llm"|"agent"|"tool"|"workflow"|…,
//    "model_name", "model_provider", "error": {"type", "message"}},
//    "metrics": {"input_tokens", "output_tokens", "cache_read_input_tokens", …}}]}
//   {"data": [{"attributes": {…, "span_kind", "start_ms", "model_name", "model_provider"}}]}
//
// https://docs.datadoghq.com/llm_observability/instrumentation/api/ (read 2026-11).

namespace {

constexpr OperationShape kDatadogOperations[] = {{"llm", "chat"},
                                                 {"embedding", "embeddings"},
                                                 {"retrieval", "retrieval"},
                                                 {"tool", "execute_tool"},
                                                 {"agent", "invoke_agent"}};

constexpr TagShape kDatadogTags[] = {
    {"", "meta/model_name|model_name", "gen_ai.request.model"},
    {"", "meta/model_provider|model_provider", "gen_ai.provider.name"},
    {"execute_tool", "name", "gen_ai.tool.name"},
    {"invoke_agent", "name", "gen_ai.agent.name"},
    {"", "session_id", "gen_ai.conversation.id"},
    {"", "ml_app", "service.name"},
    {"", "meta/error/type|meta/error.type", "exception.type"},
};

constexpr TagShape kDatadogOfAll[] = {
    {"", "session_id", "gen_ai.conversation.id"},
    {"", "ml_app", "service.name"},
};

constexpr json::Path kDatadogUsages[] = {"metrics"};

constexpr RecordPattern kDatadogRecords[] = {
    "span_id trace_id meta/kind|meta/span.kind|span_kind start_ns|start_ms"};

constexpr SpanShape kDatadogSpan = {
    .when = kDatadogRecords,
    .inside = "data/attributes|attributes",
    .list = "spans",
    .common = kDatadogOfAll,
    .id = "span_id",
    .trace = "trace_id",
    .parent = "parent_id",
    .name = "name",
    .began = "start_ns|start_ms",
    .kind = "meta/kind|meta/span.kind|span_kind",
    .operations = kDatadogOperations,
    .tags = kDatadogTags,
    .usages = kDatadogUsages,
    .failure = "meta/error/message|meta/error.message",
    .length = "duration",
};

}  // namespace

extern constinit const Format kDatadogLlm = format_of_spans<kDatadogSpan>(
    "datadog-llm", "spans of Datadog's LLM Observability: sent or exported",
    "spans|attributes|data|span_id");

}  // namespace xtrace
