#include "input/calls/answer.h"
#include "input/calls/exchange.h"
#include "input/common/format.h"
#include "input/common/graph_parts.h"
#include "input/common/json_path.h"
#include "input/common/moments.h"

namespace xtrace {

// The requests recorded by Helicone, one a record, as its API and its exports have them:
//
//   {"request_id", "request_created_at", "response_created_at", "request_body", "response_body",
//    "response_status", "request_model", "response_model", "provider", "delay_ms",
//    "prompt_tokens", "prompt_cache_read_tokens", "prompt_cache_write_tokens",
//    "completion_tokens", "cost", "request_properties": {"Helicone-Session-Id"}}
//
// A status below 0 is that of a request that was cancelled or ran out of time.

namespace {

bool fits_helicone(json::element record) {
  json::element value;
  return json::find(record, "request_created_at", value) &&
         (json::find(record, "request_body", value) ||
          json::find(record, "response_status", value));
}

/// Newer rows count the cache apart, older ones as the vendor does. The total shows which.
void read_counts(json::element record, Exchange& exchange) {
  const auto count = [&](json::Path key) { return json::count_on(record, key, kNoCount); };
  Tokens& tokens = exchange.tokens;
  tokens.input = count("prompt_tokens");
  tokens.output = count("completion_tokens");
  tokens.cache_read = count("prompt_cache_read_tokens");
  tokens.cache_creation = count("prompt_cache_write_tokens");
  if (count("total_tokens") != total_of(tokens)) take_cache_out_of_input(tokens);
}

void read_helicone(json::element record, Exchange& exchange) {
  json::element value;
  if (json::find(record, "request_body", value))
    exchange.request = value, exchange.has_request = true;
  if (json::find(record, "response_body", value))
    exchange.answer = value, exchange.has_answer = true;
  if (json::find(record, "request_created_at", value)) exchange.start = read_moment(value);
  if (json::find(record, "response_created_at", value)) exchange.end = read_moment(value);
  if (json::find(record, "delay_ms", value)) exchange.duration = read_milliseconds(value);
  if (json::find(record, "cost", value)) exchange.cost = read_dollars(value);
  exchange.status = json::count_on(record, "response_status", -1);
  int64_t status = 0;
  if (json::find(record, "response_status", value) && !value.get_int64().get(status) && status < 0)
    exchange.error = "cancelled";
  exchange.id = json::text_at(record, "request_id");
  exchange.provider = json::text_at(record, "provider");
  exchange.model = json::text_at(record, "response_model");
  if (exchange.model.empty()) exchange.model = json::text_at(record, "request_model");
  if (json::find(record, "request_properties", value))
    exchange.session = json::text_at(value, "Helicone-Session-Id");
  read_counts(record, exchange);
}

}  // namespace

extern constinit const Format kHelicone = {
    .name = "helicone",
    .summary = "requests that Helicone recorded",
    .fits = fits_helicone,
    .needs = "request_created_at request_body|response_status",
    .exchange = read_helicone,
};

}  // namespace xtrace
