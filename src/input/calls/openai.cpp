#include "input/calls/answer.h"
#include "input/calls/error_word.h"
#include "input/calls/server_tool.h"
#include "input/common/graph_parts.h"
#include "input/common/json_path.h"

namespace xtrace {

// What is OpenAI's of `usage`, and what vendors of its API add or do otherwise:
//
//   {"prompt_tokens", "completion_tokens", "total_tokens",    of Responses: input_tokens, …
//    "prompt_tokens_details": {"cached_tokens", "cache_write_tokens"},   written: OpenRouter
//    "completion_tokens_details": {"reasoning_tokens"},       within the output, but of xAI
//    "cached_tokens"}                                         of Moonshot; DeepSeek's is
//                                                             prompt_cache_hit_tokens

void read_openai_usage(json::element usage, Tokens& tokens) {
  const int64_t prompt = json::count_on(usage, "prompt_tokens|input_tokens", kNoCount);
  const int64_t cached =
      json::count_on(usage,
                     "prompt_tokens_details/cached_tokens|input_tokens_details/cached_tokens|"
                     "prompt_cache_hit_tokens|cached_tokens",
                     kNoCount);
  int64_t written = json::count_on(
      usage,
      "prompt_tokens_details/cache_write_tokens|input_tokens_details/cache_write_tokens|"
      "prompt_tokens_details/cache_creation_tokens",
      kNoCount);
  // LiteLLM has what Anthropic said of the cache beside the counts, and within the prompt's.
  if (json::element counts; written <= 0 && json::find(usage, "prompt_tokens", counts))
    written = json::count_on(usage, "cache_creation_input_tokens", written);
  const int64_t thought = json::count_on(
      usage, "completion_tokens_details/reasoning_tokens|output_tokens_details/reasoning_tokens",
      kNoCount);
  int64_t output = json::count_on(usage, "completion_tokens|output_tokens", kNoCount);
  // Only a total shows that thoughts are beside the output.
  if (thought > 0 && output != kNoCount && prompt != kNoCount &&
      sum_of_known({prompt, output, thought}) == json::count_on(usage, "total_tokens", kNoCount))
    output = sum_of_known({output, thought});
  if (output != kNoCount) tokens.output = output;
  // What was written is within the prompt's count, unless more was written than that.
  const int64_t within = sum_of_known({cached, written});
  if (prompt != kNoCount)
    tokens.input =
        prompt - std::clamp<int64_t>(written > 0 && within > prompt ? cached : within, 0, prompt);
  if (cached != kNoCount) tokens.cache_read = cached;
  if (written != kNoCount) tokens.cache_creation = written;
  read_server_tools(usage, tokens.server_tools);
}

int64_t cost_in_usage(json::element usage) {
  json::element cost, upstream;
  // xAI's, ten billion to the dollar: https://docs.x.ai/developers/cost-tracking
  constexpr int64_t kTicks = 10;
  if (const int64_t ticks = json::count_on(usage, "cost_in_usd_ticks", kNoCount); ticks >= 0)
    return ticks / kTicks;
  if (!json::follow(usage, "cost/total_cost|cost", cost)) return kNoCount;  // an object: Perplexity
  const int64_t stated = read_dollars(cost);
  // With the user's own key the vendor is paid as well; the router states its own fee as `cost`:
  // https://openrouter.ai/docs/use-cases/byok
  if (!json::is_true_on(usage, "is_byok") || stated < 0) return stated;
  if (!json::follow(usage, "cost_details/upstream_inference_cost", upstream)) return kNoCount;
  const int64_t paid = read_dollars(upstream);
  return paid < 0 ? kNoCount : stated + paid;
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
    if (key == "error") answer.error = error_word(value);  // of OpenRouter, where a provider failed
    if (key == "text" && json::is_string(value))           // of a completion
      read_block(value, answer.message), answer.has_message = true;
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
    else if (key == "service_tier")
      answer.tokens.terms.add(terms_stated(key, json::text(value)));
    else if (key == "provider")  // of OpenRouter, with what it took for it
      answer.provider = json::text(value);
    else if (key == "usage") {
      read_openai_usage(value, answer.tokens);
      answer.cost = cost_in_usage(value);
    } else if (key == "choices") {
      // Further choices are other answers to the same question; a conversation goes on with one.
      json::element first;
      if (!value.at_pointer("/0").get(first)) read_choice(first, answer);
    }
  });
  answer.message.role = Message::Role::assistant;
}

}  // namespace xtrace
