#include "input/calls/completion.h"

#include <cmath>
#include <string>

#include "base/one_of.h"
#include "input/calls/answer.h"
#include "input/calls/error_word.h"
#include "input/common/json_path.h"
#include "input/common/moments.h"

namespace xtrace {

// A model that goes on with a text is given a prompt and no messages:
//
//   {"model", "prompt": text, list of texts or of tokens, "suffix", "max_tokens"}   OpenAI, vLLM
//   {"model", "prompt", "system", "options": {"num_predict", "temperature"}}        Ollama
//   {"prompt", "n_predict"}                                                         llama.cpp
//   {"inputs", "parameters": {"max_new_tokens"}}                         text-generation-inference
//
// What comes back has one text, and counts by many names.

namespace {

/// The keys of a prompt, the usual one first.
constexpr std::string_view kPrompts[] = {"prompt", "inputs", "inputText"};

/// Where a server has what it answered.
struct CompletionShape {
  std::string_view mark;  ///< a key next to the text, or its own
  json::Path text;        ///< of a string
  json::Path input{};     ///< tokens of the prompt, all of them
  json::Path unread{};    ///< likewise, but those that came from a cache
  json::Path cached{};    ///< those
  json::Path output{};    ///< tokens of the answer
  json::Path stop{};      ///< why it ended
  json::Path spent[2]{};  ///< milliseconds, which add up
};

constexpr CompletionShape kLlamaCpp = {.mark = "",
                                       .text = "content",
                                       .input = "tokens_evaluated",
                                       .unread = "timings/prompt_n",
                                       .cached = "timings/cache_n",
                                       .output = "tokens_predicted|timings/predicted_n",
                                       .stop = "stop_type",
                                       .spent = {"timings/prompt_ms", "timings/predicted_ms"}};

constexpr CompletionShape with_mark(CompletionShape shape, std::string_view mark) {
  shape.mark = mark;
  return shape;
}

constexpr CompletionShape kShapes[] = {
    // llama.cpp: the pieces of a stream have only `stop`.
    with_mark(kLlamaCpp, "tokens_predicted"),
    with_mark(kLlamaCpp, "tokens_evaluated"),
    with_mark(kLlamaCpp, "timings"),
    with_mark(kLlamaCpp, "stop"),
    // text-generation-inference; the pieces of a stream hold a token each.
    {.mark = "token",
     .text = "token/text",
     .output = "details/generated_tokens",
     .stop = "details/finish_reason"},
    {.mark = "generated_text",
     .text = "generated_text",
     .output = "details/generated_tokens",
     .stop = "details/finish_reason"},
    // SGLang
    {.mark = "meta_info",
     .text = "text",
     .input = "meta_info/prompt_tokens",
     .cached = "meta_info/cached_tokens",
     .output = "meta_info/completion_tokens",
     .stop = "meta_info/finish_reason/type|meta_info/finish_reason"},
    // Bedrock: Titan, Llama, Mistral, and Claude before it had messages
    {.mark = "results",
     .text = "results/0/outputText",
     .input = "inputTextTokenCount",
     .output = "results/0/tokenCount",
     .stop = "results/0/completionReason"},
    {.mark = "generation",
     .text = "generation",
     .input = "prompt_token_count",
     .output = "generation_token_count",
     .stop = "stop_reason"},
    {.mark = "outputs", .text = "outputs/0/text", .stop = "outputs/0/stop_reason"},
    {.mark = "completion", .text = "completion", .stop = "stop_reason"},
    // vLLM's own `/generate`: a list of texts
    {.mark = "text", .text = "text/0"},
};

const CompletionShape* shape_of(json::element body) {
  json::element mark, text;
  for (const CompletionShape& shape : kShapes)
    if (json::find(body, shape.mark, mark) && json::follow(body, shape.text, text) &&
        json::is_string(text))
      return &shape;
  return nullptr;
}

/// Why older versions of llama.cpp ended has a key for each reason.
std::string_view reason_by_key(json::element body) {
  for (const auto& [key, reason] : {std::pair<json::Path, std::string_view>{"stopped_eos", "eos"},
                                    {"stopped_word", "word"},
                                    {"stopped_limit", "limit"}})
    if (json::is_true_on(body, key)) return reason;
  return {};
}

Duration time_spent(json::element body, const CompletionShape& shape) {
  Duration sum = kNoDuration;
  json::element value;
  for (json::Path path : shape.spent) {
    if (!json::follow(body, path, value)) continue;
    const Duration part = read_milliseconds(value);
    if (part != kNoDuration) sum = sum == kNoDuration ? part : sum + part;
  }
  return sum;
}

/// The text of a prompt; tokens in place of one tell prompts apart all the same.
void read_prompt_text(json::element value, Draft& draft) {
  json::element text;
  const size_t before = draft.blocks.size();
  if (json::is_string(value)) read_block(value, draft);
  if (json::find(value, "prompt_string", text) && json::is_string(text))  // llama.cpp, with images
    read_block(text, draft);
  json::items(value, [&](json::element item) {
    if (json::find(item, "prompt_string", text)) item = text;
    if (json::is_string(item)) read_block(item, draft);
  });
  json::array tokens;
  if (draft.blocks.size() > before || value.get_array().get(tokens) || tokens.size() == 0) return;
  Block block;
  block.name = "tokens";
  block.body = value;
  block.has_body = true;
  draft.blocks.push_back(block);
}

bool may_be_prompt(json::element value) {
  json::element text;
  return json::is_string(value) || json::is_array(value) ||
         json::find(value, "prompt_string", text);
}

}  // namespace

bool is_setting_of_model(std::string_view key) {
  return is_one_of(key, {"model", "model_id", "max_tokens", "max_new_tokens", "temperature",
                         "top_p", "n_predict", "num_predict", "max_tokens_to_sample", "max_gen_len",
                         "sampling_params", "textGenerationConfig"});
}

bool asks_completion(json::element body) {
  bool has_prompt = false, is_for_model = false;
  json::fields(body, [&](std::string_view key, json::element value) {
    has_prompt |= is_one_of(key, kPrompts) && may_be_prompt(value);
    is_for_model |= is_setting_of_model(key) && !value.is_null();
  });
  return has_prompt && is_for_model;
}

bool read_prompt(json::element request, Draft& draft) {
  json::element value;
  for (std::string_view key : kPrompts) {
    if (!json::find(request, key, value) || !may_be_prompt(value)) continue;
    draft.role = Message::Role::user;
    read_prompt_text(value, draft);
    if (json::find(request, "suffix", value) && !json::text(value).empty())
      read_block(value, draft);
    return true;
  }
  return false;
}

bool is_completion(json::element body) {
  return shape_of(body) != nullptr;
}

bool is_counted_completion(json::element body) {
  const CompletionShape* shape = shape_of(body);
  if (shape == nullptr || shape->output.empty()) return false;
  return json::count_on(body, shape->output, kNoCount) != kNoCount;
}

void read_completion(json::element body, Answer& answer) {
  const CompletionShape* shape = shape_of(body);
  json::element value;
  answer.message.role = Message::Role::assistant;
  if (shape == nullptr) return;
  answer.model = json::text_at(body, "model");
  if (json::follow(body, "id|meta_info/id", value)) answer.id = json::text(value);
  if (json::find(body, "error", value)) answer.error = error_word(value);
  const int64_t cached = json::count_on(body, shape->cached, kNoCount);
  count_input(json::count_on(body, shape->input, kNoCount), cached, answer.tokens);
  if (answer.tokens.input == kNoCount)
    answer.tokens.input = json::count_on(body, shape->unread, kNoCount);
  answer.tokens.output = json::count_on(body, shape->output, kNoCount);
  if (json::follow(body, shape->stop, value)) answer.stop_reason = json::text(value);
  if (answer.stop_reason.empty()) answer.stop_reason = reason_by_key(body);
  answer.took = time_spent(body, *shape);
  if (!json::follow(body, shape->text, value)) return;
  read_block(value, answer.message);
  answer.has_message = true;
}

}  // namespace xtrace
