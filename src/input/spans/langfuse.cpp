#include "input/common/format.h"
#include "input/common/item_places.h"
#include "input/spans/span_shape.h"

namespace xtrace {

// Traces of Langfuse, as its pages export them:
//
//   {"trace": {"id", "sessionId", "userId", …}, "observations": [{"id", "traceId",
//    "parentObservationId", "type": "GENERATION"|"SPAN"|"TOOL"|"AGENT"|…, "name", "startTime",
//    "endTime", "model", "usageDetails": {"input", "output", "total", …}, "costDetails": {"total"},
//    "level": "ERROR", "statusMessage"}]}
//
// and its observations one each, as its API lists them. Older versions have `usage` and
// `calculatedTotalCost`.

namespace {

constexpr OperationShape kOperations[] = {
    {"GENERATION", "chat"},      {"TOOL", "execute_tool"},   {"AGENT", "invoke_agent"},
    {"EMBEDDING", "embeddings"}, {"RETRIEVER", "retrieval"},
};

constexpr TagShape kTags[] = {
    {"chat", "model", "gen_ai.request.model"},
    {"chat", "usageDetails/input|usage/input|usage/promptTokens", "gen_ai.usage.input_tokens"},
    {"chat", "usageDetails/output|usage/output|usage/completionTokens",
     "gen_ai.usage.output_tokens"},
    {"chat", "usageDetails/total|usage/total|usage/totalTokens", "gen_ai.usage.total_tokens"},
    {"chat",
     "usageDetails/cache_read_input_tokens|usageDetails/input_cached_tokens|"
     "usageDetails/input_cache_read|usageDetails/prompt_details.cache_read",
     "gen_ai.usage.cache_read_input_tokens"},
    {"chat", "usageDetails/cache_creation_input_tokens|usageDetails/input_cache_creation",
     "gen_ai.usage.cache_creation_input_tokens"},
    {"chat", "costDetails/total|calculatedTotalCost|totalCost", "gen_ai.usage.cost"},
    {"execute_tool", "name", "gen_ai.tool.name"},
    {"invoke_agent", "name", "gen_ai.agent.name"},
    {"", "sessionId", "gen_ai.conversation.id"},
};

constexpr TagShape kOfTrace[] = {
    {"", "trace/sessionId", "gen_ai.conversation.id"},
    {"", "trace/userId", "user.id"},
};

bool failed(json::element observation) {
  return json::text_at(observation, "level") == "ERROR";
}

constexpr SpanShape kObservation = {
    .id = "id",
    .trace = "traceId",
    .parent = "parentObservationId",
    .name = "name",
    .began = "startTime",
    .ended = "endTime",
    .kind = "type",
    .operations = kOperations,
    .tags = kTags,
    .emitter = "langfuse",
    .failure = "statusMessage",
    .failed = failed,
};

bool is_observations(std::string_view key) {
  return key == "observations";
}

bool is_observation(json::element record) {
  json::element start;
  return !json::text_at(record, "id").empty() && !json::text_at(record, "traceId").empty() &&
         !json::text_at(record, "type").empty() && json::find(record, "startTime", start);
}

bool fits_langfuse(json::element record) {
  json::element list;
  if (!json::find(record, "observations", list)) return is_observation(record);
  bool any = false;
  json::items(list, [&](json::element observation) { any |= is_observation(observation); });
  return any;
}

void read_langfuse(json::element record, std::string_view text, const Extent& at,
                   RecordContext& context) {
  ShapedSpans spans(kObservation, context);
  json::element list;
  if (!json::find(record, "observations", list)) return spans.read(record, at);
  spans.whole = record;
  spans.common = kOfTrace;
  ItemPlaces places(text, at, opens_nothing, is_observations);
  json::items(list, [&](json::element observation) { spans.read(observation, places.next()); });
}

}  // namespace

extern constinit const Format kLangfuse = {
    .name = "langfuse",
    .summary = "traces of Langfuse, exported or listed",
    .fits = fits_langfuse,
    .needs = "observations|traceId observations|startTime",
    .read = read_langfuse,
};

}  // namespace xtrace
