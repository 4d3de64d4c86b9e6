#include "input/calls/answer.h"
#include "input/calls/error_word.h"
#include "input/common/graph_parts.h"

namespace xtrace {

void read_openai_usage(json::element usage, Tokens& tokens) {
  int64_t prompt = kNoCount, cached = kNoCount;
  json::fields(usage, [&](std::string_view key, json::element value) {
    if (key == "prompt_tokens" || key == "input_tokens")
      prompt = json::count(value, prompt);
    else if (key == "completion_tokens" || key == "output_tokens")
      tokens.output = json::count(value, tokens.output);
    else if (key == "prompt_tokens_details" || key == "input_tokens_details")
      json::fields(value, [&](std::string_view detail, json::element number) {
        if (detail == "cached_tokens") cached = json::count(number, cached);
      });
  });
  count_input(prompt, cached, tokens);
}

bool is_openai_answer(json::element body) {
  json::element choices;
  return json::find(body, "choices", choices) && json::is_array(choices);
}

bool is_embeddings(json::element body) {
  json::element data;
  return json::text_at(body, "object") == "list" && json::find(body, "data", data) &&
         json::is_array(data);
}

void read_embeddings(json::element body, Answer& answer) {
  json::element usage;
  answer.model = json::text_at(body, "model");
  answer.is_message = false;
  if (json::find(body, "usage", usage)) read_openai_usage(usage, answer.tokens);
}

namespace {

void read_choice(json::element choice, Answer& answer) {
  json::fields(choice, [&](std::string_view key, json::element value) {
    if (key == "finish_reason" && json::is_string(value)) answer.stop_reason = json::text(value);
    if (key != "message" || !json::is_object(value)) return;
    read_message(value, answer.message);
    answer.has_message = true;
  });
}

}  // namespace

void read_openai_answer(json::element body, Answer& answer) {
  json::fields(body, [&](std::string_view key, json::element value) {
    if (key == "id")
      answer.id = json::text(value);
    else if (key == "model")
      answer.model = json::text(value);
    else if (key == "error")
      answer.error = error_word(value);
    else if (key == "provider")  // of OpenRouter, with what it took for it
      answer.provider = json::text(value);
    else if (key == "usage") {
      read_openai_usage(value, answer.tokens);
      if (json::element cost; json::find(value, "cost", cost)) answer.cost = read_dollars(cost);
    } else if (key == "choices") {
      // Further choices are other answers to the same question; a conversation goes on with one.
      json::element first;
      if (!value.at_pointer("/0").get(first)) read_choice(first, answer);
    }
  });
  answer.message.role = Message::Role::assistant;
}

}  // namespace xtrace
