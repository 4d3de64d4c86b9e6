#include "base/one_of.h"
#include "input/spans/span_shape.h"

namespace xtrace {

// Traces of MLflow, a document each:
//
//   {"info": {"trace_id" or "request_id", "trace_metadata" or "request_metadata": {…}},
//    "data": {"spans": [{span}]}}
//
// Spans of version 3 are as OpenTelemetry has them, the ids in base64; of version 2 they have
// `context` {"span_id", "trace_id"}, `parent_id`, `start_time` in nanoseconds and `status_code`.
// The value of each attribute is JSON in a string: of `mlflow.chat.tokenUsage`, or where a library
// lacks that, of the provider's answer in `mlflow.spanOutputs`; of `mlflow.llm.cost` in dollars.
// What MLflow keeps beside a run is `data` alone.

namespace {

constexpr OperationShape kMlflowOperations[] = {
    {"LLM", "chat"},           {"CHAT_MODEL", "chat"},      {"TOOL", "execute_tool"},
    {"AGENT", "invoke_agent"}, {"EMBEDDING", "embeddings"}, {"RETRIEVER", "retrieval"},
};

constexpr TagShape kMlflowTags[] = {
    {"", "attributes/mlflow.llm.model", "gen_ai.request.model", "."},
    {"chat", "attributes/mlflow.spanInputs", "gen_ai.request.model", "model"},
    {"chat", "attributes/mlflow.spanOutputs", "gen_ai.response.model", "model"},
    {"", "attributes/mlflow.llm.cost", "gen_ai.usage.cost", "total_cost"},
    {"execute_tool", "name", "gen_ai.tool.name"},
    {"invoke_agent", "name", "gen_ai.agent.name"},
};

constexpr json::Path kMlflowUsages[] = {"attributes/mlflow.chat.tokenUsage"};

constexpr TagShape kMlflowOfTrace[] = {
    {"", "info/trace_metadata/mlflow.trace.session|info/request_metadata/mlflow.trace.session",
     "gen_ai.conversation.id"},
    {"", "info/trace_metadata/mlflow.trace.user|info/request_metadata/mlflow.trace.user",
     "user.id"},
};

/// Of an attribute, whose value is JSON in a string.
bool read_attribute(json::element span, json::Path path, Parsers& parsers, json::element& value) {
  json::element told;
  if (!json::follow(span, path, told)) return false;
  if (!json::is_string(told)) return value = told, true;
  return parsers.parse_for_now(json::text(told), value);
}

/// What the provider's own answer tells: Chat Completions and Responses count the cache within, and
/// tell a total; Anthropic counts it apart, and tells none. It counts where MLflow wrote nothing
/// down itself, or what Anthropic says as that has it, with or without the cache.
DerivedCounts count_by_answer(json::element span, Parsers& parsers) {
  DerivedCounts counts;
  json::element told, outputs, usage;
  const bool has_own = json::follow(span, "attributes/mlflow.chat.tokenUsage", told);
  int64_t own_input = kNoCount;
  // Others put out the answers of calls that have spans of their own.
  if (!read_attribute(span, "attributes/mlflow.spanType", parsers, told) ||
      !is_one_of(json::text(told), {"LLM", "CHAT_MODEL", "EMBEDDING"}))
    return {};
  if (has_own && read_attribute(span, "attributes/mlflow.chat.tokenUsage", parsers, told))
    own_input = json::count_on(told, "input_tokens", kNoCount);
  if (!read_attribute(span, "attributes/mlflow.spanOutputs", parsers, outputs) ||
      !json::follow(outputs, "usage", usage))
    return {};
  counts.input = json::count_on(usage, "input_tokens|prompt_tokens", kNoCount);
  counts.output = json::count_on(usage, "output_tokens|completion_tokens", kNoCount);
  counts.total = json::count_on(usage, "total_tokens", kNoCount);
  const int64_t read_by_anthropic = json::count_on(usage, "cache_read_input_tokens", kNoCount);
  counts.cache_read = json::count_on(usage,
                                     "cache_read_input_tokens|input_tokens_details/cached_tokens|"
                                     "prompt_tokens_details/cached_tokens",
                                     kNoCount);
  counts.cache_creation = json::count_on(usage, "cache_creation_input_tokens", kNoCount);
  const bool is_as_anthropic =
      counts.total < 0 && sum_of_known({read_by_anthropic, counts.cache_creation}) != kNoCount;
  if (has_own && !(is_as_anthropic && own_input == counts.input)) return {};
  if (counts.total < 0 && (counts.input >= 0 || counts.output >= 0))
    counts.total =
        sum_of_known({counts.input, counts.output, counts.cache_read, counts.cache_creation});
  return counts;
}

constexpr RecordPattern kMlflowRecords[] = {"info/trace_id|info/request_id data/spans:array"};
/// Only its spans identify a list that MLflow keeps as a file.
constexpr RecordPattern kMlflowListed[] = {
    "attributes/mlflow.spanType|attributes/mlflow.traceRequestId"};

constexpr SpanShape kMlflowSpan = {
    .when = kMlflowRecords,
    .listed = kMlflowListed,
    .list = "data/spans|spans",
    .common = kMlflowOfTrace,
    .count = count_by_answer,
    .id = "span_id|context/span_id",
    .trace = "trace_id|context/trace_id",
    .parent = "parent_span_id|parent_id",
    .name = "name",
    .began = "start_time_unix_nano|start_time",
    .ended = "end_time_unix_nano|end_time",
    .kind = "attributes/mlflow.spanType",
    .kind_inside = ".",
    .operations = kMlflowOperations,
    .tags = kMlflowTags,
    .usages = kMlflowUsages,
    .emitter = "mlflow",
    .failure = "status/message|status_message",
    .result = "attributes/mlflow.spanOutputs",
};

}  // namespace

extern constinit const Format kMlflow =
    format_of_spans<kMlflowSpan>("mlflow", "traces of MLflow, version 2 and 3", "data|spans");

}  // namespace xtrace
