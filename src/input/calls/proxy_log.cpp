#include <algorithm>

#include "base/one_of.h"
#include "input/calls/exchange.h"
#include "input/common/format.h"
#include "input/common/json_path.h"
#include "input/common/moments.h"

namespace xtrace {

// The log of a proxy between agents and models, one HTTP exchange a line:
//
//   {"timestamp": start, "method", "url", "headers", "body": {…},
//    "response": {"status", "headers", "body": {…}, "timestamp": end, "duration_ms"}}
//
// and `"error"` in place of `"response"` when the exchange failed. A body may be a string.

namespace {

/// Is the address one at which models are asked, whatever was sent there?
bool is_address_of_model(std::string_view address) {
  constexpr std::string_view kWays[] = {"/chat/completions", "/v1/completions",
                                        "/v1/messages",      "/v1/responses",
                                        "/openai/responses", "/v1/embeddings",
                                        "/v1/chat",          "/v2/chat",
                                        "/api/chat",         "/api/generate",
                                        "/generate",         "/generate_stream",
                                        ":generateContent",  ":streamGenerateContent",
                                        "/converse",         "/converse-stream",
                                        "/invoke",           "/invoke-with-response-stream"};
  const std::string_view path = address.substr(0, address.find_first_of("?#"));
  return std::ranges::any_of(kWays, [&](std::string_view way) { return path.ends_with(way); });
}

/// Does a body that was logged as text ask a model?
bool text_asks_model(std::string_view body) {
  constexpr std::string_view kBlank = " \t\r\n";
  const size_t begin = body.find_first_not_of(kBlank);
  if (begin == body.npos || body[begin] != '{') return false;
  auto names = [&](std::string_view key) { return body.find(key) != body.npos; };
  const bool is_conversation = names("\"messages\"") || names("\"contents\"");
  if (is_conversation && (names("\"role\"") || names("\"parts\""))) return true;
  return names("\"model\"") && (is_conversation || names("\"input\"") || names("\"prompt\""));
}

/// Is it a list of what somebody said, if anything?
bool is_conversation(json::element value) {
  json::element first, found;
  if (!json::is_array(value)) return false;
  if (!json::follow(value, "0", first)) return true;
  return json::is_object(first) && json::follow(first, "role|parts", found);
}

/// Is the body what is asked of a model? Whatever logs things calls them a body, and a time stands
/// beside most of them.
bool asks_model(json::element body) {
  if (json::is_string(body)) return text_asks_model(json::text(body));
  bool says_anything = false, has_model = false, is_talk = false;
  json::fields(body, [&](std::string_view key, json::element value) {
    const bool is_list = key == "messages" || key == "contents";
    is_talk |= is_list && is_conversation(value);
    says_anything |= is_list || is_one_of(key, {"input", "prompt", "inputs", "inputText"});
    has_model |= key == "model";
  });
  return is_talk || (says_anything && has_model);
}

bool fits_proxy_log(json::element record) {
  json::element body, response, found;
  // Log records of OpenTelemetry have a body as well.
  const bool is_log =
      json::find(record, "attributes", found) && json::find(record, "spanId", found);
  const std::string_view address = json::text_at(record, "url");
  if (!is_log && json::find(record, "body", body) &&
      (asks_model(body) || is_address_of_model(address) || !model_in(address).empty()))
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
