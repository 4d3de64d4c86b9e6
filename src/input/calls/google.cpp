#include "input/calls/google.h"

#include <fmt/format.h>

#include <map>
#include <string>

#include "base/hash.h"
#include "input/calls/error_word.h"
#include "input/common/json_path.h"
#include "input/common/record_context.h"

namespace xtrace {

// Google's API (`generateContent` and `streamGenerateContent`), whose messages are made of parts:
//
//   {"contents": [{"role": "user"|"model", "parts": [{"text", "thought"},
//      {"functionCall": {"id", "name", "args"}},
//      {"functionResponse": {"id", "name", "response"}}]}], "systemInstruction",
//    "generationConfig": {"maxOutputTokens", "temperature"}, "tools"}
//
//   {"candidates": [{"content", "finishReason"}], "usageMetadata", "modelVersion", "responseId"}
//
// Few tool uses have an id. Of the others, the results of a tool come in the order in which it was
// used, so that each is named by the tool and its number in the conversation.

namespace {

class ToolNames {
 public:
  std::string_view use(std::string_view id, std::string_view name, Draft& draft) {
    return named(id, name, uses_, draft);
  }
  std::string_view result(std::string_view id, std::string_view name, Draft& draft) {
    return named(id, name, results_, draft);
  }

 private:
  using Counts = std::map<std::string, size_t, std::less<>>;
  static std::string_view named(std::string_view id, std::string_view name, Counts& counts,
                                Draft& draft) {
    if (!id.empty()) return id;
    return draft.keep(fmt::format("{}-{}", name, ++counts[std::string(name)]));
  }

  Counts uses_, results_;
};

void read_part(json::element part, ToolNames& names, Draft& draft) {
  Block block;
  json::element value;
  if (json::find(part, "functionCall", value)) {
    block.kind = Block::Kind::tool_use;
    block.name = json::text_at(value, "name");
    block.id = names.use(json::text_at(value, "id"), block.name, draft);
    block.has_body = json::find(value, "args", block.body);
  } else if (json::find(part, "functionResponse", value)) {
    block.kind = Block::Kind::tool_result;
    block.id = names.result(json::text_at(value, "id"), json::text_at(value, "name"), draft);
    block.has_body = json::follow(value, "response/output|response/error|response", block.body);
    if (block.has_body) block.text = json::text(block.body);
    block.is_error = json::follow(value, "response/error", value) && !value.is_null();
  } else if (json::find(part, "text", value)) {
    block.kind = json::is_true_on(part, "thought") ? Block::Kind::hidden : Block::Kind::text;
    block.text = json::text(value);
  } else {
    block.body = part;
    block.has_body = true;
  }
  draft.blocks.push_back(block);
}

void read_content(json::element content, ToolNames& names, Draft& draft) {
  json::element parts;
  draft.role =
      json::text_at(content, "role") == "model" ? Message::Role::assistant : Message::Role::user;
  if (json::find(content, "parts", parts))
    json::items(parts, [&](json::element part) { read_part(part, names, draft); });
}

}  // namespace

void read_contents(json::element contents, RecordContext& context, Asked& asked) {
  ToolNames names;
  json::items(contents, [&](json::element content) {
    Asked::Step step = asked.steps.empty() ? Asked::Step{} : asked.steps.back();
    Draft& draft = cleared(context.draft);
    read_content(content, names, draft);
    step.last = add_message(step.last, draft, context.parsers, context.shard);
    asked.steps.push_back(step);
  });
  cleared(context.draft);
}

bool is_google_answer(json::element body) {
  json::element value;
  return (json::find(body, "candidates", value) && json::is_array(value)) ||
         (json::find(body, "usageMetadata", value) && json::is_object(value));
}

void read_google_answer(json::element body, Answer& answer) {
  json::element value;
  answer.id = json::text_at(body, "responseId");
  answer.model = json::text_at(body, "modelVersion");
  if (json::find(body, "error", value)) answer.error = error_word(value);
  const auto count = [&](json::Path path) { return json::count_on(body, path, kNoCount); };
  const int64_t input = sum_of_known(
      {count("usageMetadata/promptTokenCount"), count("usageMetadata/toolUsePromptTokenCount")});
  count_input(input, count("usageMetadata/cachedContentTokenCount"), answer.tokens);
  answer.tokens.output = sum_of_known(
      {count("usageMetadata/candidatesTokenCount"), count("usageMetadata/thoughtsTokenCount")});
  if (json::follow(body, "promptFeedback/blockReason|candidates/0/finishReason", value))
    answer.stop_reason = json::text(value);
  if (json::follow(body, "candidates/0/content/parts", value)) {
    // A piece tells its own parts only; ids are given once all of them are there.
    json::items(value, [&](json::element part) {
      ToolNames names;
      read_part(part, names, answer.message);
      Block& block = answer.message.blocks.back();
      json::element id;
      if (block.kind == Block::Kind::tool_use && !json::follow(part, "functionCall/id", id))
        block.id = {};
    });
    answer.has_message = true;
  }
  answer.message.role = Message::Role::assistant;
}

void name_tool_uses(json::element request, Draft& answer) {
  json::element contents;
  if (!json::find(request, "contents", contents)) return;
  ToolNames names;
  Draft before;
  json::items(contents, [&](json::element content) { read_content(content, names, before); });
  for (Block& block : answer.blocks)
    if (block.kind == Block::Kind::tool_use) block.id = names.use(block.id, block.name, answer);
}

}  // namespace xtrace
