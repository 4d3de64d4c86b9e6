#include "input/calls/error_word.h"
#include "input/calls/exchange.h"
#include "input/common/format.h"
#include "input/common/json_path.h"

namespace xtrace {

// What batches of requests gave, a line each, in no order and without times. OpenAI's:
//
//   {"id": "batch_req_…", "custom_id", "response": {"status_code", "request_id", "body"},
//    "error": {"code", "message"}}
//
// Anthropic's:
//
//   {"custom_id", "result": {"type": "succeeded"|"errored"|"canceled"|"expired", "message",
//                            "error"}}

namespace {

bool fits_batch(json::element record) {
  json::element response;
  if (json::text_at(record, "custom_id").empty()) return false;
  return json::find(record, "response", response) || json::find(record, "result", response);
}

void read_anthropic(json::element result, Exchange& exchange) {
  json::element value;
  const std::string_view type = json::text_at(result, "type");
  if (json::find(result, "message", value)) exchange.answer = value, exchange.has_answer = true;
  if (type == "succeeded") return;
  if (json::follow(result, "error/error|error", value)) exchange.error = error_word(value);
  if (exchange.error.empty()) exchange.error = type;
}

void read_batch(json::element record, Exchange& exchange) {
  json::element value;
  exchange.id = json::text_at(record, "custom_id");
  if (json::find(record, "result", value)) return read_anthropic(value, exchange);
  if (json::follow(record, "response/body", value))
    exchange.answer = value, exchange.has_answer = true;
  exchange.status = json::count_on(record, "response/status_code", -1);
  if (json::find(record, "error", value)) exchange.error = error_word(value);
}

}  // namespace

extern constinit const Format kBatch = {
    .name = "batch",
    .summary = "what batches of requests gave, OpenAI's and Anthropic's",
    .fits = fits_batch,
    .needs = "custom_id response|result",
    .exchange = read_batch,
};

}  // namespace xtrace
