#include <algorithm>

#include "input/calls/answer.h"
#include "input/calls/error_word.h"
#include "input/calls/server_tool.h"

namespace xtrace {

namespace {

/// What `usage` itself states, its iterations apart.
void read_counts(json::element usage, Tokens& tokens) {
  json::fields(usage, [&](std::string_view key, json::element value) {
    if (key == "input_tokens")
      tokens.input = json::count(value, tokens.input);
    else if (key == "output_tokens")
      tokens.output = json::count(value, tokens.output);
    else if (key == "cache_read_input_tokens")
      tokens.cache_read = json::count(value, tokens.cache_read);
    else if (key == "cache_creation_input_tokens")
      tokens.cache_creation = json::count(value, tokens.cache_creation);
    else if (key == "cache_creation")
      json::fields(value, [&](std::string_view kept, json::element count) {
        if (kept == "ephemeral_1h_input_tokens")
          tokens.cache_creation_1h = json::count(count, tokens.cache_creation_1h);
      });
  });
}

constexpr int64_t Tokens::*kCounts[] = {&Tokens::input, &Tokens::output, &Tokens::cache_read,
                                        &Tokens::cache_creation, &Tokens::cache_creation_1h};

/// What it took to ask the model once and again for one answer.
class Iterations {
 public:
  explicit Iterations(json::element usage) {
    json::element iterations;
    if (!json::find(usage, "iterations", iterations)) return;
    json::items(iterations, [&](json::element iteration) {
      const std::string_view type = json::text_at(iteration, "type");
      if (type == "compaction") add(iteration, summed_up);
      if (type == "message") add(iteration, answered);
    });
    if (number_ < 2) most_sent = kNoCount;
  }

  Tokens summed_up, answered;
  int64_t most_sent = kNoCount;  ///< at once

 private:
  void add(json::element iteration, Tokens& sum) {
    Tokens one;
    read_counts(iteration, one);
    for (int64_t Tokens::*count : kCounts) sum.*count = sum_of_known({sum.*count, one.*count});
    most_sent = std::max(most_sent, tokens_sent(one));
    ++number_;
  }

  size_t number_ = 0;
};

}  // namespace

void read_anthropic_usage(json::element usage, Tokens& tokens) {
  Tokens told;
  read_counts(usage, told);
  // To sum up what was said before, the model is asked once more, which the counts are without.
  // Where it asks another one for advice it is asked again behind that: some counts are of the
  // first time alone, or of the last, and some of all.
  const Iterations all(usage);
  for (int64_t Tokens::*count : kCounts)
    if (told.*count != kNoCount)
      tokens.*count =
          sum_of_known({std::max(told.*count, all.answered.*count), all.summed_up.*count});
  if (tokens_sent(told) >= 0) tokens.most_sent = all.most_sent;
  Terms stated = terms_stated("usage.service_tier", json::text_at(usage, "service_tier"));
  for (std::string_view key : {"speed", "inference_geo"})
    stated.add(terms_stated(key, json::text_at(usage, key)));
  tokens.terms = stated.over(tokens.terms);
  read_server_tools(usage, tokens.server_tools);
}

void read_anthropic_answer(json::element body, Answer& answer) {
  answer.message.role = Message::Role::assistant;
  json::fields(body, [&](std::string_view key, json::element value) {
    if (key == "id")
      answer.id = json::text(value);
    else if (key == "model")
      answer.model = json::text(value);
    else if (key == "stop_reason")
      answer.stop_reason = json::text(value);
    else if (key == "error")
      answer.error = error_word(value);
    else if (key == "usage")
      read_anthropic_usage(value, answer.tokens), answer.cost = cost_in_usage(value);
    else if (key == "content") {
      answer.has_message = json::is_array(value) || json::is_string(value);
      if (json::is_string(value)) read_block(value, answer.message);
      json::items(value, [&](json::element block) { read_block(block, answer.message); });
    }
  });
}

}  // namespace xtrace
