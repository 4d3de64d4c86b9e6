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

bool fits_proxy_log(json::element record) {
  json::element body, response, found;
  // Log records of OpenTelemetry have a body as well.
  const bool is_log =
      json::find(record, "attributes", found) && json::find(record, "spanId", found);
  if (!is_log && json::find(record, "body", body) &&
      (json::is_object(body) || json::is_string(body)))
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
