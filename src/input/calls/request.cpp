#include "input/calls/request.h"

#include "base/hash.h"
#include "base/one_of.h"
#include "input/calls/block_hash.h"
#include "input/calls/completion.h"
#include "input/calls/google.h"
#include "input/calls/response_item.h"
#include "input/common/record_context.h"

namespace xtrace {

uint64_t hash_instructions(json::element value, uint64_t hash) {
  if (json::is_string(value)) return chain(hash, hash_of(json::text(value)));
  json::items(value, [&](json::element block) {
    std::string_view text =
        json::is_string(block) ? json::text(block) : json::text_at(block, "text");
    hash = chain(hash, hash_of(text));
  });
  return hash;
}

namespace {

void read_messages(json::element messages, RecordContext& context, Asked& asked) {
  json::items(messages, [&](json::element message) {
    Asked::Step step = asked.steps.empty() ? Asked::Step{} : asked.steps.back();
    std::string_view role = json::text_at(message, "role");
    json::element content;
    if (role == "system" || role == "developer") {  // OpenAI's place for the system prompt
      if (json::find(message, "content", content))
        step.system = hash_instructions(content, step.system);
    } else {
      read_message(message, cleared(context.draft));
      step.last = add_message(step.last, context.draft, context.parsers, context.shard);
    }
    asked.steps.push_back(step);
  });
}

/// Adds to the path what the draft says; what instructs the model is no part of it.
void add_step(RecordContext& context, Asked& asked) {
  Asked::Step step = asked.steps.empty() ? Asked::Step{} : asked.steps.back();
  step.last = add_message(step.last, context.draft, context.parsers, context.shard);
  asked.steps.push_back(step);
  cleared(context.draft);
}

/// The `input` of the Responses API: a text, or items. All that the model says in a row is one
/// message, as it was when it was its answer.
void read_input(json::element input, RecordContext& context, Asked& asked) {
  Draft& draft = cleared(context.draft);
  draft.role = Message::Role::user;
  if (json::is_string(input)) {
    read_block(input, draft);
    return add_step(context, asked);
  }
  json::items(input, [&](json::element item) {
    std::string_view role = json::text_at(item, "role");
    if (role == "system" || role == "developer") {
      json::element content;
      if (!json::find(item, "content", content)) return;
      if (!draft.blocks.empty()) add_step(context, asked);
      Asked::Step step = asked.steps.empty() ? Asked::Step{} : asked.steps.back();
      step.system = hash_instructions(content, step.system);
      asked.steps.push_back(step);
      return;
    }
    Draft next;
    if (!read_response_item(item, next)) return;
    bool goes_on = next.role == Message::Role::assistant && draft.role == next.role;
    if (!goes_on && !draft.blocks.empty()) add_step(context, asked);
    draft.role = next.role;
    draft.blocks.insert(draft.blocks.end(), next.blocks.begin(), next.blocks.end());
    draft.kept.insert(draft.kept.end(), next.kept.begin(), next.kept.end());
  });
  if (!draft.blocks.empty()) add_step(context, asked);
}

/// The user is `user_…_account_…_session_<id>` in some clients, JSON with a `session_id` in others.
void read_metadata(json::element metadata, RecordContext& context, Asked& asked) {
  std::string_view user = json::text_at(metadata, "user_id");
  std::string_view session = json::text_at(metadata, "session_id");
  constexpr std::string_view kMark = "_session_";
  if (size_t at = user.rfind(kMark); at != std::string_view::npos)
    session = user.substr(at + kMark.size());
  json::element root;
  if (user.starts_with("{") && context.parsers.parse(user, root))
    session = json::text_at(root, "session_id");
  asked.user = context.shard.intern(user);
  asked.session = context.shard.intern(session);
}

/// Google's system prompt.
uint64_t hash_parts(json::element instruction) {
  json::element parts;
  return json::find(instruction, "parts", parts) ? hash_instructions(parts, 0) : 0;
}

/// What a request may hold its settings in: Google's, Ollama's, Hugging Face's, SGLang's, Titan's.
bool holds_settings(std::string_view key) {
  return is_one_of(key, {"generationConfig", "options", "parameters", "sampling_params",
                         "textGenerationConfig"});
}

/// How many tokens the answer may have at most.
bool is_limit(std::string_view key) {
  return is_one_of(key, {"max_tokens", "max_completion_tokens", "max_output_tokens",
                         "maxOutputTokens", "n_predict", "num_predict", "max_new_tokens",
                         "max_tokens_to_sample", "max_gen_len", "maxTokenCount"});
}

void read_generation(json::element settings, Asked& asked) {
  json::element value;
  json::fields(settings, [&](std::string_view key, json::element limit) {
    if (is_limit(key)) asked.max_tokens = json::count(limit, asked.max_tokens);
  });
  if (json::find(settings, "temperature", value) && value.get_double().get(asked.temperature))
    asked.temperature = -1;
}

}  // namespace

void read_request(json::element body, RecordContext& context, Asked& asked) {
  json::fields(body, [&](std::string_view key, json::element value) {
    if (key == "model")
      asked.model = context.shard.intern(json::text(value));
    else if (key == "messages")
      read_messages(value, context, asked);
    else if (key == "input")
      read_input(value, context, asked);
    else if (key == "contents")
      read_contents(value, context, asked);
    else if (key == "systemInstruction" || key == "system_instruction")
      asked.system = hash_parts(value);
    else if (holds_settings(key) && json::is_object(value))
      read_generation(value, asked);
    else if (key == "previous_response_id")
      asked.follows = context.shard.intern(json::text(value));
    else if (key == "conversation" && !asked.session)
      asked.session = context.shard.intern(json::is_string(value) ? json::text(value)
                                                                  : json::text_at(value, "id"));
    else if (key == "system" || (key == "instructions" && json::is_string(value)))
      asked.system = hash_instructions(value, 0);
    else if (key == "metadata")
      read_metadata(value, context, asked);
    else if (key == "user" && !asked.user)
      asked.user = context.shard.intern(json::text(value));
    else if (is_limit(key))
      asked.max_tokens = json::count(value, asked.max_tokens);
    else if (key == "tools")
      asked.tools = json::is_array(value) ? hash_value(value) : 0;
    else if (key == "temperature" && value.get_double().get(asked.temperature))
      asked.temperature = -1;
    else
      asked.terms.add(terms_stated(
          key, json::is_object(value) ? json::text_at(value, "type") : json::text(value)));
  });
  // A conversation that has messages may have a prompt beside them, which is a template's name.
  if (asked.steps.empty() && read_prompt(body, cleared(context.draft))) add_step(context, asked);
}

}  // namespace xtrace
