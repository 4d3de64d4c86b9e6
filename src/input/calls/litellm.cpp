#include "base/digits.h"
#include "input/calls/answer.h"
#include "input/calls/exchange.h"
#include "input/common/format.h"
#include "input/common/graph_parts.h"
#include "input/common/json_path.h"
#include "input/common/moments.h"

namespace xtrace {

// What LiteLLM's proxy hands to its loggers, one call a record (StandardLoggingPayload):
//
//   {"id", "trace_id", "call_type", "status": "success"|"failure", "startTime", "endTime": seconds,
//    "model", "custom_llm_provider", "messages", "response", "response_cost", "prompt_tokens",
//    "completion_tokens", "error_str", "error_information": {"error_code", "error_class"},
//    "metadata": {"usage_object"}, "model_parameters", "cache_hit"}
//
// The record is the request as well: messages and model are in it as in a body. What a client calls
// its session is the `trace_id`, or the `session_id` of what the proxy keeps of its spending, which
// is made up for a call that is of none.

namespace {

bool fits_litellm(json::element record) {
  json::element start, cost;
  return json::find(record, "call_type", start) && json::find(record, "startTime", start) &&
         (json::find(record, "response_cost", cost) || json::find(record, "spend", cost));
}

/// Its counts are those of Chat Completions, the cache in them.
void read_usage_counts(json::element record, Exchange& exchange) {
  json::element usage;
  Tokens& tokens = exchange.tokens;
  if (json::follow(record, "metadata/usage_object|metadata/additional_usage_values", usage)) {
    const auto count = [&](json::Path path) { return json::count_on(usage, path, kNoCount); };
    tokens.cache_read = count("cache_read_input_tokens|prompt_tokens_details/cached_tokens");
    tokens.cache_creation =
        count("cache_creation_input_tokens|prompt_tokens_details/cache_creation_tokens");
  }
  const int64_t prompt = json::count_on(record, "prompt_tokens", 0),
                completion = json::count_on(record, "completion_tokens", 0);
  if (prompt <= 0 && completion <= 0) {
    tokens = {};
    return;
  }
  tokens.input = prompt;
  tokens.output = completion;
  take_cache_out_of_input(tokens);
}

/// LiteLLM's own cache, which logs tell of as `true` or as "True".
bool is_cache_hit(json::element record) {
  return json::is_true_on(record, "cache_hit") || json::text_at(record, "cache_hit") == "True";
}

void read_status(json::element record, Exchange& exchange) {
  exchange.is_answered = json::text_at(record, "status") == "success";
  if (json::text_at(record, "status") != "failure") return;
  const std::string code =
      json::text_on(record, "error_information/error_code|metadata/error_information/error_code");
  if (code.size() == 3 && are_digits(code)) exchange.status = std::stoi(code);
  exchange.error =
      json::text_on(record, "error_information/error_class|metadata/error_information/error_class");
  if (exchange.error.empty()) exchange.error = "error";
}

void read_litellm(json::element record, Exchange& exchange) {
  exchange.request = record;
  exchange.has_request = true;
  json::element value;
  if (json::find(record, "startTime", value)) exchange.start = read_moment(value);
  if (json::find(record, "endTime", value)) exchange.end = read_moment(value);
  if (json::find(record, "response", value)) {
    exchange.answer = value;
    exchange.has_answer = true;
  }
  if (json::follow(record, "response_cost|spend", value)) exchange.cost = read_dollars(value);
  exchange.id = json::text_at(record, "id");
  if (exchange.id.empty()) exchange.id = json::text_at(record, "request_id");
  exchange.trace = json::text_at(record, "session_id");
  if (exchange.trace.empty()) exchange.trace = json::text_at(record, "trace_id");
  exchange.provider = json::text_at(record, "custom_llm_provider");
  exchange.model = json::text_at(record, "model");
  read_usage_counts(record, exchange);
  exchange.is_unbilled = is_cache_hit(record);
  read_status(record, exchange);
}

}  // namespace

extern constinit const Format kLitellm = {
    .name = "litellm",
    .summary = "call log of the LiteLLM proxy",
    .fits = fits_litellm,
    .needs = "call_type startTime response_cost|spend",
    .exchange = read_litellm,
};

}  // namespace xtrace
