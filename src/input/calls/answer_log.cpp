#include "base/one_of.h"
#include "input/calls/answer.h"
#include "input/calls/completion.h"
#include "input/calls/exchange.h"
#include "input/calls/google.h"
#include "input/common/format.h"
#include "input/common/json_path.h"
#include "input/common/moments.h"

namespace xtrace {

// What a model's API gave, kept without what it was asked: one answer a record, as it is or below
// `response`. Fields of the request may be next to it.
//
//   {"id", "object": "chat.completion", "created": seconds, "model", "choices", "usage"}
//   {"model", "created_at", "response", "done": true, "prompt_eval_count", "eval_count"}
//   {"timestamp", "session_id", "prompt", "response": {"id", "type": "message", "content", …}}
//
// A piece of a stream is no answer: no field states which pieces belong together.

namespace {

/// OpenAI's choices are those of a model, and whole, where they hold a message or a text.
bool is_whole_choice(json::element body) {
  json::element said;
  if (!is_openai_answer(body) || json::text_at(body, "object").ends_with(".chunk")) return false;
  if (json::follow(body, "choices/0/message", said)) return json::is_object(said);
  return json::follow(body, "choices/0/text", said) && json::is_string(said) &&
         !json::text_at(body, "model").empty();
}

bool is_whole_ollama_answer(json::element body) {
  return is_ollama_answer(body) && !json::text_at(body, "model").empty() &&
         (json::is_true_on(body, "done") || json::count_on(body, "eval_count", -1) >= 0);
}

bool is_message_of_anthropic(json::element body) {
  json::element said;
  return json::text_at(body, "type") == "message" && json::text_at(body, "role") == "assistant" &&
         !json::text_at(body, "model").empty() && json::find(body, "content", said) &&
         json::is_array(said) && json::find(body, "usage", said);
}

bool is_whole_answer(json::element body) {
  json::element said;
  return is_whole_choice(body) || is_whole_ollama_answer(body) || is_message_of_anthropic(body) ||
         (json::text_at(body, "object") == "response" && json::find(body, "output", said)) ||
         (json::follow(body, "candidates/0/content", said) && is_google_answer(body)) ||
         is_counted_completion(body);
}

bool find_answer(json::element record, json::element& answer) {
  answer = record;
  if (is_whole_answer(record)) return true;
  return json::find(record, "response", answer) && is_whole_answer(answer);
}

bool fits_answer_log(json::element record) {
  json::element answer;
  return json::is_object(record) && find_answer(record, answer);
}

/// When the answer began. Ollama notes when it ended.
void read_creation(json::element answer, Exchange& exchange) {
  json::element created;
  if (!json::follow(answer, "created|created_at|createTime", created)) return;
  exchange.start = read_moment(created);
  const int64_t took = json::count_on(answer, "total_duration", kNoCount);
  if (!exchange.start || took < 0 || !is_ollama_answer(answer)) return;
  exchange.end = exchange.start;
  exchange.start->time = after(exchange.start->time, Duration(-took));
}

void read_answer_log(json::element record, Exchange& exchange) {
  exchange.has_answer = find_answer(record, exchange.answer);
  if (exchange.has_answer) read_creation(exchange.answer, exchange);
  const bool is_around = !is_whole_answer(record);
  json::fields(record, [&](std::string_view key, json::element value) {
    if (key == "timestamp") {
      if (std::optional<Moment> start = read_moment(value)) exchange.start = start;
    } else if (key == "duration_ms") {
      exchange.duration = read_milliseconds(value);
    } else if (is_one_of(key, {"messages", "prompt", "input"})) {
      exchange.request = record, exchange.has_request = true;
    } else if (is_around || (key != "id" && key != "error")) {
      read_common_field(key, value, exchange);
    }
  });
}

}  // namespace

extern constinit const Format kAnswerLog = {
    .name = "answer-log",
    .summary = "the answer of a model's API by itself: a chat.completion, a message",
    .fits = fits_answer_log,
    .needs =
        "choices|response|message|content|output|candidates|token|generated_text|results|"
        "generation|text",
    .exchange = read_answer_log,
};

}  // namespace xtrace
