#include "input/calls/answer.h"
#include "input/calls/completion.h"
#include "input/calls/exchange.h"
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

void read_call_log(json::element record, Exchange& exchange) {
  json::fields(record, [&](std::string_view key, json::element value) {
    if (key == "timestamp")
      exchange.start = read_moment(value);
    else if (key == "timestamp_end")
      exchange.end = read_moment(value);
    else if (key == "duration_ms")
      exchange.duration = read_milliseconds(value);
    else if (key == "status")
      exchange.status = json::count(value, -1);
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
