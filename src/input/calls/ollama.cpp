#include "input/calls/answer.h"
#include "input/calls/error_word.h"
#include "input/common/json_path.h"

namespace xtrace {

bool is_ollama_answer(json::element body) {
  json::element done, said;
  const bool is_its = (json::find(body, "done", done) && done.is_bool()) ||
                      json::follow(body, "prompt_eval_count|eval_count|total_duration", done);
  return is_its && (json::find(body, "message", said) || json::find(body, "response", said));
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
    else if (key == "message" && json::is_object(value))
      read_message(value, answer.message), answer.has_message = true;
    else if (key == "response" && json::is_string(value))
      read_block(value, answer.message), answer.has_message = true;
  });
  answer.tokens.input = json::count_on(body, "prompt_eval_count", kNoCount);
  answer.tokens.output = json::count_on(body, "eval_count", kNoCount);
  if (const int64_t took = json::count_on(body, "total_duration", kNoCount); took >= 0)
    answer.took = Duration(took);  // nanoseconds
  answer.message.role = Message::Role::assistant;
}

}  // namespace xtrace
