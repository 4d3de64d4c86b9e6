#include "base/number.h"
#include "base/one_of.h"
#include "input/calls/answer.h"
#include "input/calls/completion.h"
#include "input/calls/exchange.h"
#include "input/common/ending.h"
#include "input/common/format.h"
#include "input/common/moments.h"

namespace xtrace {

// The plain shape, one call a line, the bodies as they went over the wire:
//
//   {"id", "timestamp": start, "timestamp_end": end, "request": {"model", "messages", "input",
//   "contents" or "prompt", …},
//    "response": {"id", "content", "usage", …}}

namespace {

/// Does the answer show that a model was asked? A request with only a prompt does not.
bool is_of_model(json::element answer) {
  return is_ollama_answer(answer) || is_openai_answer(answer) || is_counted_completion(answer);
}

bool fits_call_log(json::element record) {
  json::element request, answer, said;
  if (!json::find(record, "request", request)) return false;
  if (json::find(request, "messages", said) || json::find(request, "contents", said))
    return json::is_array(said);
  if (asks_completion(request)) return true;
  if (json::find(request, "prompt", said) && json::find(record, "response", answer))
    return is_of_model(answer);
  return json::find(request, "input", said) && (json::is_array(said) || json::is_string(said)) &&
         !json::text_at(request, "model").empty();
}

// Other names of our own fields, as gateways and teams have them in logs of this shape.
constexpr std::string_view kStarts[] = {"start_time", "started_at", "created_at"},
                           kEnds[] = {"end_time", "ended_at"},
                           kStatuses[] = {"status", "status_code", "http_status",
                                          "response_status_code"};

/// `429`, `"429"` or `"failed"`.
void read_logged_status(json::element value, Exchange& exchange) {
  const int64_t status = json::count(value, number_of<int64_t>(json::text(value)).value_or(-1));
  if (status >= 0) exchange.status = status;
  if (status < 0 && exchange.error.empty() && outcome_named(json::text(value)) == Outcome::error)
    exchange.error = "error";
}

void read_call_log(json::element record, Exchange& exchange) {
  json::fields(record, [&](std::string_view key, json::element value) {
    if (key == "timestamp" || (!exchange.start && is_one_of(key, kStarts)))
      exchange.start = read_moment(value);
    else if (key == "timestamp_end" || (!exchange.end && is_one_of(key, kEnds)))
      exchange.end = read_moment(value);
    else if (key == "duration_ms" || key == "latency_ms")
      exchange.duration = read_milliseconds(value);
    else if (is_one_of(key, kStatuses))
      read_logged_status(value, exchange);
    else if (key == "request")
      exchange.request = value, exchange.has_request = true;
    else if (key == "response") {
      exchange.answer = value;
      exchange.has_answer = !value.is_null();
    } else
      read_common_field(key, value, exchange);
  });
}

}  // namespace

extern constinit const Format kCallLog = {
    .name = "call-log",
    .summary = "one model call per line: id, timestamp, request, response",
    .fits = fits_call_log,
    .needs = "request",
    .exchange = read_call_log,
};

}  // namespace xtrace
