#include "input/spans/span_shape.h"

namespace xtrace {

// Spans of Opik, as its API lists them, or with their trace, as `opik export` writes it:
//
//   {"trace": {"id", "thread_id", …}, "spans": [{"id", "trace_id", "parent_span_id", "type":
//    "llm"|"tool"|"general"|"guardrail", "name", "start_time", "end_time", "model", "provider",
//    "usage": {"prompt_tokens", "original_usage.input_tokens", …}, "total_estimated_cost",
//    "error_info": {"exception_type", "message"}}]}

namespace {

constexpr OperationShape kOpikOperations[] = {{"llm", "chat"}, {"tool", "execute_tool"}};

constexpr TagShape kOpikTags[] = {
    {"", "model", "gen_ai.request.model"},
    {"", "provider", "gen_ai.provider.name"},
    {"", "total_estimated_cost", "gen_ai.usage.cost"},
    {"execute_tool", "name", "gen_ai.tool.name"},
    {"", "error_info/exception_type", "exception.type"},
    {"", "thread_id", "gen_ai.conversation.id"},
};

constexpr TagShape kOpikOfTrace[] = {{"", "trace/thread_id", "gen_ai.conversation.id"}};

constexpr json::Path kOpikUsages[] = {"usage"};

/// What the provider stated, whose cache Opik adds to the prompt and, where Anthropic writes to it,
/// to the completion.
DerivedCounts count_by_provider(json::element span, Parsers&) {
  const auto count = [&](json::Path path) { return json::count_on(span, path, kNoCount); };
  DerivedCounts counts;
  counts.cache_read = count("usage/original_usage.cache_read_input_tokens");
  counts.cache_creation = count("usage/original_usage.cache_creation_input_tokens");
  if (counts.cache_read >= 0 || counts.cache_creation >= 0) {
    counts.input = sum_of_known(
        {count("usage/original_usage.input_tokens"), counts.cache_read, counts.cache_creation});
    counts.output = count("usage/original_usage.output_tokens");
    return counts;
  }
  counts.cache_read = count(
      "usage/original_usage.prompt_tokens_details.cached_tokens|"
      "usage/original_usage.input_tokens_details.cached_tokens|"
      "usage/original_usage.cached_content_token_count");
  return counts;
}

constexpr RecordPattern kOpikRecords[] = {
    "id:text trace_id:text type=llm|tool|general|guardrail start_time !span_id"};

constexpr SpanShape kOpikSpan = {
    .when = kOpikRecords,
    .list = "spans",
    .common = kOpikOfTrace,
    .count = count_by_provider,
    .id = "id",
    .trace = "trace_id",
    .parent = "parent_span_id",
    .name = "name",
    .began = "start_time",
    .ended = "end_time",
    .kind = "type",
    .operations = kOpikOperations,
    .tags = kOpikTags,
    .usages = kOpikUsages,
    .failure = "error_info/message",
    .result = "output",
};

}  // namespace

extern constinit const Format kOpik = format_of_spans<kOpikSpan>(
    "opik", "spans of Opik: exports, API responses", "spans|trace_id spans|type");

}  // namespace xtrace
