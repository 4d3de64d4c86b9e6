#pragma once

#include <string_view>

#include "input/common/json.h"

namespace xtrace {

struct Answer;
struct Draft;

/// Does the body ask a model to continue a text: a prompt, and in addition what only models are
/// given? `prompt` may be the key of anything else.
bool asks_completion(json::element body);
/// Is it a setting that a request to a model has, or the model itself?
bool is_setting_of_model(std::string_view key);
/// What a request asks to go on with, as one message of a user; false: it has no prompt.
bool read_prompt(json::element request, Draft& draft);

/// What a server gave that was asked to go on with a text, in its own words: llama.cpp's
/// `/completion`, text-generation-inference's and SGLang's `/generate`, models on Bedrock. Those of
/// Ollama and of OpenAI's API are read as their chats are.
bool is_completion(json::element body);
/// Likewise, and with counts or times that no other document has by these names.
bool is_counted_completion(json::element body);
void read_completion(json::element body, Answer& answer);

}  // namespace xtrace
