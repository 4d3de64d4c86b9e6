#include <algorithm>
#include <span>

#include "base/one_of.h"
#include "input/calls/completion.h"
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

bool ends_with_any(std::string_view address, std::span<const std::string_view> ways) {
  const std::string_view path = address.substr(0, address.find_first_of("?#"));
  return std::ranges::any_of(ways, [&](std::string_view way) { return path.ends_with(way); });
}

/// Is the address one at which models alone are asked, whatever was sent there?
bool is_address_of_model(std::string_view address) {
  constexpr std::string_view kWays[] = {"/chat/completions",
                                        "/v1/completions",
                                        "/v1/messages",
                                        "/v1/responses",
                                        "/openai/responses",
                                        "/v1/embeddings",
                                        "/v1/chat",
                                        "/v2/chat",
                                        "/api/chat",
                                        "/api/generate",
                                        "/text/generation",
                                        ":generateContent",
                                        ":streamGenerateContent",
                                        "/converse-stream",
                                        "/invoke-with-response-stream"};
  return ends_with_any(address, kWays) || !model_in(address).empty();
}

/// Or one that others may have as well, where what is sent tells?
bool may_be_of_model(std::string_view address) {
  constexpr std::string_view kWays[] = {"/generate",    "/generate_stream", "/completion",
                                        "/completions", "/predictions",     "/responses"};
  return ends_with_any(address, kWays) || address.find("/ai/run/") != address.npos;
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

/// Is the body what is asked of a model? Whatever logs things calls them a body, and a time is
/// beside most of them.
bool asks_model(json::element body, std::string_view address) {
  if (json::is_string(body)) return text_asks_model(json::text(body));
  bool is_talk = false, says_anything = false, is_for_model = may_be_of_model(address);
  json::fields(body, [&](std::string_view key, json::element value) {
    const bool is_list = key == "messages" || key == "contents";
    is_talk |= is_list && is_conversation(value);
    says_anything |= is_list || is_one_of(key, {"input", "prompt", "inputs", "inputText"});
    is_for_model |= is_setting_of_model(key);
    // Of endpoints of Hugging Face, which are at any address.
    is_for_model |= key == "inputs" && !address.empty();
  });
  return is_talk || (says_anything && is_for_model);
}

/// Does the exchange ask for what is there already, or what may be asked?
bool is_look(json::element record) {
  return is_one_of(json::text_at(record, "method"), {"GET", "HEAD", "OPTIONS"});
}

bool fits_proxy_log(json::element record) {
  json::element body, response, found;
  // Log records of OpenTelemetry have a body as well.
  const bool is_log =
      json::find(record, "attributes", found) && json::find(record, "spanId", found);
  const std::string_view address = json::text_at(record, "url");
  if (!is_log && !is_look(record) && json::find(record, "body", body) &&
      (asks_model(body, address) || is_address_of_model(address)))
    return true;
  return json::find(record, "response", response) && json::find(response, "body", body);
}

void read_proxy_log(json::element record, Exchange& exchange) {
  json::fields(record, [&](std::string_view key, json::element value) {
    if (key == "timestamp")
      exchange.start = read_moment(value);
    else if (key == "headers")
      read_request_headers(value, exchange);
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
    .summary = "one HTTP exchange per line: timestamp, body, response.body",
    .fits = fits_proxy_log,
    .needs = "body|response",
    .exchange = read_proxy_log,
};

}  // namespace xtrace
