#include "input/calls/exchange.h"
#include "input/common/format.h"
#include "input/common/moments.h"

namespace xtrace {

// The log of a proxy between agents and models, one HTTP exchange a line:
//
//   {"timestamp": start, "method", "url", "headers", "body": {…},
//    "response": {"status", "headers", "body": {…}, "timestamp": end, "duration_ms"}}
//
// and `"error"` in place of `"response"` when the exchange failed. A body may be a string.

namespace {

/// Does a body that was logged as text ask a model?
bool text_asks_model(std::string_view body, bool has_address) {
  constexpr std::string_view kBlank = " \t\r\n";
  const size_t begin = body.find_first_not_of(kBlank);
  if (begin == body.npos || body[begin] != '{') return false;
  auto names = [&](std::string_view key) { return body.find(key) != body.npos; };
  if (names("\"messages\"") || names("\"contents\"")) return true;
  return (has_address || names("\"model\"")) && (names("\"input\"") || names("\"prompt\""));
}

/// Is the body what is asked of a model? Whatever logs things calls them a body, and a time stands
/// beside most of them.
bool asks_model(json::element body, bool has_address) {
  if (json::is_string(body)) return text_asks_model(json::text(body), has_address);
  bool is_conversation = false, is_prompt = false, has_model = has_address;
  json::fields(body, [&](std::string_view key, json::element) {
    is_conversation |= key == "messages" || key == "contents";
    is_prompt |= key == "input" || key == "prompt" || key == "inputs" || key == "inputText";
    has_model |= key == "model";
  });
  return is_conversation || (is_prompt && has_model);
}

bool fits_proxy_log(json::element record) {
  json::element body, response, found;
  // Log records of OpenTelemetry have a body as well.
  const bool is_log =
      json::find(record, "attributes", found) && json::find(record, "spanId", found);
  const std::string_view address = json::text_at(record, "url");
  if (!is_log && json::find(record, "body", body) &&
      (asks_model(body, !address.empty()) || !model_in(address).empty()))
    return true;
  return json::find(record, "response", response) && json::find(response, "body", body);
}

void read_proxy_log(json::element record, Exchange& exchange) {
  json::fields(record, [&](std::string_view key, json::element value) {
    if (key == "timestamp")
      exchange.start = read_moment(value);
    else if (key == "body")
      exchange.request = value, exchange.has_request = true;
    else if (key == "response")
      json::fields(value, [&](std::string_view name, json::element part) {
        if (name == "body")
          exchange.answer = part, exchange.has_answer = true;
        else if (name == "status")
          exchange.status = json::count(part, -1);
        else if (name == "timestamp")
          exchange.end = read_moment(part);
        else if (name == "duration_ms")
          exchange.duration = read_milliseconds(part);
        else if (name == "headers")
          read_headers(part, exchange);
      });
    else
      read_common_field(key, value, exchange);
  });
}

}  // namespace

extern constinit const Format kProxyLog = {
    .name = "proxy-log",
    .summary = "one HTTP exchange a line: timestamp, body, response.body",
    .fits = fits_proxy_log,
    .needs = "body|response",
    .exchange = read_proxy_log,
};

}  // namespace xtrace
