#include "base/one_of.h"
#include "input/common/format.h"
#include "input/common/item_places.h"
#include "input/common/record_context.h"
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

constexpr SpanShape kOpikSpan = {
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

/// What the provider stated, whose cache Opik adds to the prompt and, where Anthropic writes to it,
/// to the completion.
DerivedCounts counts_of_provider(json::element span) {
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

bool is_opik_span(json::element record) {
  json::element value;
  return !json::text_at(record, "id").empty() && !json::text_at(record, "trace_id").empty() &&
         is_one_of(json::text_at(record, "type"), {"llm", "tool", "general", "guardrail"}) &&
         json::find(record, "start_time", value) && !json::find(record, "span_id", value);
}

bool fits_opik(json::element record) {
  json::element list;
  if (!json::find(record, "spans", list)) return is_opik_span(record);
  bool any = false;
  json::items(list, [&](json::element span) { any = any || is_opik_span(span); });
  return any;
}

void read_opik(json::element record, std::string_view text, const Extent& at,
               RecordContext& context) {
  ShapedSpans spans(kOpikSpan, context);
  const auto read = [&](json::element span, const Extent& place) {
    spans.counts = counts_of_provider(span);
    spans.read(span, place);
  };
  json::element list;
  if (!json::find(record, "spans", list)) return read(record, at);
  spans.whole = record;
  spans.common = kOpikOfTrace;
  ItemPlaces places(text, at, opens_nothing, is_spans);
  json::items(list, [&](json::element span) { read(span, places.next()); });
}

}  // namespace

extern constinit const Format kOpik = {
    .name = "opik",
    .summary = "spans of Opik: exports, API responses",
    .fits = fits_opik,
    .needs = "spans|trace_id spans|type",
    .read = read_opik,
};

}  // namespace xtrace
