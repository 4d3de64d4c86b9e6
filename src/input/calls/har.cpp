#include "input/calls/exchange.h"
#include "input/common/format.h"
#include "input/common/json_path.h"
#include "input/common/moments.h"
#include "input/common/record_context.h"

namespace xtrace {

// What browsers and proxies save of their traffic (HTTP Archive 1.2), one exchange an entry:
//
//   {"log": {"version", "creator", "entries": [
//     {"startedDateTime", "time": milliseconds,
//      "request": {"method", "url", "headers": [{"name", "value"}], "postData": {"text"}},
//      "response": {"status", "headers", "content": {"mimeType", "text"}}}]}}
//
// Entries that ask no model are no calls. Status 0 is that of a request without an answer. Who is
// asked is in the body, or in the address alone (model_in).

namespace {

constexpr std::string_view kLists[] = {"entries"};

bool fits_har(json::element record) {
  json::element value;
  return json::find(record, "startedDateTime", value) && json::follow(record, "request/url", value);
}

void read_har(json::element entry, Exchange& exchange) {
  json::element value, headers;
  if (json::follow(entry, "request/headers", headers)) read_request_headers(headers, exchange);
  if (json::follow(entry, "request/postData/text", value))
    exchange.request = value, exchange.has_request = true;
  if (json::follow(entry, "response/content/text", value))
    exchange.answer = value, exchange.has_answer = true;
  exchange.is_in_base64 = json::text_on(entry, "response/content/encoding") == "base64";
  if (json::find(entry, "startedDateTime", value)) exchange.start = read_moment(value);
  if (json::find(entry, "time", value)) exchange.duration = read_milliseconds(value);
  exchange.status = json::count_on(entry, "response/status", -1);
  if (exchange.status == 0) exchange.error = "no_answer";
  if (json::follow(entry, "response/headers", headers)) read_headers(headers, exchange);
}

/// What goes to a model has something to say to it.
bool asks_model(json::element entry, std::string_view model, RecordContext& context) {
  json::element text, body, said;
  if (!json::follow(entry, "request/postData/text", text) || !unwrap(text, context.parsers, body))
    return false;
  return json::follow(body, "messages|input|contents|prompt", said) &&
         !(model.empty() && json::text_at(body, "model").empty());
}

void read_entry(json::element entry, std::string_view, const Extent& at, RecordContext& context) {
  const std::string address = json::text_on(entry, "request/url");
  Exchange exchange;
  read_address(address, exchange);
  if (!asks_model(entry, exchange.model, context)) return context.shard.count_record();
  read_har(entry, exchange);
  const bool had_answer = exchange.has_answer;
  decode_answer(exchange, context.parsers);
  if (had_answer && !exchange.has_answer)
    context.shard.complain(Complaint::Kind::field, at,
                           "the response is base64, but its content is not text");
  add_exchange(exchange, at, context);
}

}  // namespace

extern constinit const Format kHar = {
    .name = "har",
    .summary = "HTTP archive (HAR) of a browser or proxy",
    .fits = fits_har,
    .needs = "startedDateTime request",
    .exchange = read_har,
    .read = read_entry,
    .lists = kLists,
    .lists_stand_in = "log",
    .lists_come_in_lines = false,
};

}  // namespace xtrace
