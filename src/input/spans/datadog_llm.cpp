#include "input/common/format.h"
#include "input/common/item_places.h"
#include "input/common/record_context.h"
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

constexpr SpanShape kDatadogSpan = {
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

bool is_datadog_span(json::element span) {
  json::element value;
  return !json::text_on(span, "span_id").empty() && !json::text_on(span, "trace_id").empty() &&
         json::follow(span, kDatadogSpan.kind, value) &&
         json::follow(span, kDatadogSpan.began, value);
}

/// The spans, or what has them, as the API wraps it.
json::element inside_envelope(json::element record) {
  json::element inner;
  return json::follow(record, "data/attributes|attributes", inner) ? inner : record;
}

bool fits_datadog(json::element record) {
  json::element first;
  const json::element inner = inside_envelope(record);
  return is_datadog_span(inner) ||
         (json::follow(inner, "spans/0", first) && is_datadog_span(first));
}

void read_datadog(json::element record, std::string_view text, const Extent& at,
                  RecordContext& context) {
  ShapedSpans spans(kDatadogSpan, context);
  const json::element inner = inside_envelope(record);
  json::element list;
  if (!json::find(inner, "spans", list)) return spans.read(inner, at);
  spans.whole = inner;
  spans.common = kDatadogOfAll;
  ItemPlaces places(
      text, at, [](std::string_view key) { return key == "data" || key == "attributes"; },
      is_spans);
  json::items(list, [&](json::element span) { spans.read(span, places.next()); });
}

}  // namespace

extern constinit const Format kDatadogLlm = {
    .name = "datadog-llm",
    .summary = "spans of Datadog's LLM Observability: sent or exported",
    .fits = fits_datadog,
    .needs = "spans|attributes|data|span_id",
    .read = read_datadog,
};

}  // namespace xtrace
