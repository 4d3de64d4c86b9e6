#include <utility>

#include "base/one_of.h"
#include "input/calls/answer.h"
#include "input/calls/error_word.h"
#include "input/calls/response_item.h"
#include "input/calls/server_tool.h"

namespace xtrace {

// The answers of OpenAI's Responses API:
//
//   {"id": "resp_…", "model", "status": "completed"|"incomplete"|"failed"|"cancelled"|"queued"|
//    "in_progress", "error": null,
//    "incomplete_details": {"reason"}, "output": [items, see read_response_item],
//    "usage": {"input_tokens", "input_tokens_details": {"cached_tokens"}, "output_tokens"}}

namespace {

/// Of a status that is no answer, the class of the error where none is named.
constexpr std::pair<std::string_view, std::string_view> kFailures[] = {{"failed", "error"},
                                                                       {"cancelled", "cancelled"}};

}  // namespace

bool is_responses_answer(json::element body) {
  json::element output;
  return (json::find(body, "output", output) && json::is_array(output)) ||
         json::text_at(body, "object") == "response";
}

void read_responses_answer(json::element body, Answer& answer) {
  std::string_view status;
  json::fields(body, [&](std::string_view key, json::element value) {
    if (key == "id")
      answer.id = json::text(value);
    else if (key == "model")
      answer.model = json::text(value);
    else if (key == "status")
      status = json::text(value);
    else if (key == "incomplete_details" && json::is_object(value))
      answer.stop_reason = json::text_at(value, "reason");
    else if (key == "error" && json::is_object(value))
      answer.error = error_word(value);
    else if (key == "service_tier")
      answer.tokens.terms.add(terms_stated(key, json::text(value)));
    else if (key == "usage")
      read_openai_usage(value, answer.tokens), answer.cost = cost_in_usage(value);
    else if (key == "output")
      json::items(value, [&](json::element item) {
        answer.has_message |= read_response_item(item, answer.message);
      });
  });
  read_server_tools(body, answer.tokens.server_tools);
  answer.may_be_named = true;
  if (status == "completed") answer.has_message = true;
  const bool is_going_on = is_one_of(status, {"queued", "in_progress"});
  if (answer.stop_reason.empty() && !is_going_on) answer.stop_reason = status;
  answer.may_be_cut |= is_going_on;  // of one in the background nothing else may be in the log
  for (const auto& [word, error] : kFailures)
    if (status == word && answer.error.empty()) answer.error = error;
  answer.message.role = Message::Role::assistant;
}

}  // namespace xtrace
