#include "input/calls/exchange.h"
#include "input/common/format.h"
#include "input/common/moments.h"

namespace xtrace {

// What claude-trace writes, one pair a line; the times are seconds since 1970 with a fraction:
//
//   {"request": {"timestamp", "method", "url", "headers", "body": {…}},
//    "response": {"timestamp", "status_code", "headers", "body": {…} or "body_raw": "event: …"},
//    "logged_at"}
//
// `"response": null` with a `"note"` is a request that was never answered.

namespace {

bool fits_claude_trace(json::element record) {
  json::element request, body;
  return json::find(record, "request", request) && json::find(request, "body", body) &&
         (json::is_object(body) || json::is_string(body));
}

void read_claude_trace(json::element record, Exchange& exchange) {
  json::fields(record, [&](std::string_view key, json::element value) {
    if (key == "request")
      json::fields(value, [&](std::string_view name, json::element part) {
        if (name == "timestamp")
          exchange.start = read_moment(part);
        else if (name == "body")
          exchange.request = part, exchange.has_request = true;
        else if (name == "url")
          read_address(json::text(part), exchange);
        else if (name == "headers")
          read_request_headers(part, exchange);
      });
    else if (key == "response")
      json::fields(value, [&](std::string_view name, json::element part) {
        if (name == "timestamp")
          exchange.end = read_moment(part);
        else if (name == "status_code" || name == "status")
          exchange.status = json::count(part, -1);
        else if (name == "headers")
          read_headers(part, exchange);
        else if (name == "body" || name == "body_raw") {
          // One of the two is null or missing; the stream tells more if both are there.
          bool better = name == "body_raw" || !exchange.has_answer;
          if (part.is_null() || !better) return;
          exchange.answer = part;
          exchange.has_answer = true;
        }
      });
    else
      read_common_field(key, value, exchange);
  });
}

}  // namespace

extern constinit const Format kClaudeTrace = {
    .name = "claude-trace",
    .summary = "request and response pairs with HTTP headers, streams as raw events",
    .fits = fits_claude_trace,
    .needs = "request",
    .exchange = read_claude_trace,
};

}  // namespace xtrace
