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
//
// What was asked is in a file of its own, which the vendor was handed; the answer has the same
// `custom_id`:
//
//   {"custom_id", "method", "url", "body"}, {"custom_id", "params"}

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
  exchange.terms.tier = ServiceTier::batch;
  if (json::find(record, "result", value)) return read_anthropic(value, exchange);
  if (json::follow(record, "response/body", value))
    exchange.answer = value, exchange.has_answer = true;
  exchange.status = json::count_on(record, "response/status_code", -1);
  if (json::find(record, "error", value)) exchange.error = error_word(value);
}

bool fits_batch_requests(json::element record) {
  json::element asked;
  return !json::text_at(record, "custom_id").empty() &&
         json::follow(record, "body|params", asked) && json::is_object(asked);
}

void read_batch_request(json::element record, Exchange& exchange) {
  exchange.id = json::text_at(record, "custom_id");
  exchange.has_request = json::follow(record, "body|params", exchange.request);
  exchange.has_no_answers = true;
}

}  // namespace

extern constinit const Format kBatchRequests = {
    .name = "batch-requests",
    .summary = "request files of OpenAI and Anthropic batches",
    .fits = fits_batch_requests,
    .needs = "custom_id body|params",
    .exchange = read_batch_request,
};

extern constinit const Format kBatch = {
    .name = "batch",
    .summary = "result files of OpenAI and Anthropic batches",
    .fits = fits_batch,
    .needs = "custom_id response|result",
    .exchange = read_batch,
};

}  // namespace xtrace
