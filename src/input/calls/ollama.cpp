#include "input/calls/answer.h"
#include "input/calls/error_word.h"

namespace xtrace {

bool is_ollama_answer(json::element body) {
  json::element done, said;
  return json::find(body, "done", done) && done.is_bool() &&
         (json::find(body, "message", said) || json::find(body, "response", said));
}

void read_ollama_answer(json::element body, Answer& answer) {
  answer.provider = "ollama";
  json::fields(body, [&](std::string_view key, json::element value) {
    if (key == "model")
      answer.model = json::text(value);
    else if (key == "done_reason")
      answer.stop_reason = json::text(value);
    else if (key == "error")
      answer.error = error_word(value);
    else if (key == "prompt_eval_count")
      answer.tokens.input = json::count(value, kNoCount);
    else if (key == "eval_count")
      answer.tokens.output = json::count(value, kNoCount);
    else if (key == "total_duration" && json::count(value, kNoCount) >= 0)
      answer.took = Duration(json::count(value, 0));  // nanoseconds
    else if (key == "message" && json::is_object(value))
      read_message(value, answer.message), answer.has_message = true;
    else if (key == "response" && json::is_string(value))
      read_block(value, answer.message), answer.has_message = true;
  });
  answer.message.role = Message::Role::assistant;
}

}  // namespace xtrace
