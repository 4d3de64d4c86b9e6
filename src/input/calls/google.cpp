#include "input/calls/google.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "base/hash.h"
#include "base/hex.h"
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
// Few tool uses have an id: the others are named by the tool and what it was given. The results of
// a tool come in the order in which it was used.

namespace {

/// Those of a conversation, told of it message by message.
class ToolNames {
 public:
  void name(Draft& draft) {
    for (Block& block : draft.blocks) {
      if (block.kind == Block::Kind::tool_use) block.id = use(block, draft);
      if (block.kind == Block::Kind::tool_result) block.id = result(block, draft);
    }
  }

 private:
  std::string_view use(const Block& use, Draft& draft) {
    std::vector<std::string>& ids = ids_[std::string(use.name)];
    if (!use.id.empty()) return ids.emplace_back(use.id), use.id;
    uint64_t of = hash_of(use.text);
    if (use.has_body) of = hash_of(std::string(simdjson::minify(use.body)));
    const std::string id = fmt::format("{}-{}", use.name, hex(of).substr(0, 8));
    const size_t nth = ++told_[id];
    return draft.keep(ids.emplace_back(nth == 1 ? id : fmt::format("{}-{}", id, nth)));
  }
  std::string_view result(const Block& result, Draft& draft) {
    const size_t nth = results_[std::string(result.name)]++;
    if (!result.id.empty()) return result.id;
    const std::vector<std::string>& ids = ids_[std::string(result.name)];
    return draft.keep(nth < ids.size() ? ids[nth] : fmt::format("{}-{}", result.name, nth + 1));
  }

  std::map<std::string, std::vector<std::string>> ids_;  ///< by tool, those of its uses
  std::map<std::string, size_t> results_, told_;
};

/// Pieces of a text that follow one another are one, as they are where they come in a stream.
void join_texts(Draft& draft) {
  std::vector<Block> joined;
  for (size_t i = 0, end = 0; i < draft.blocks.size(); i = end) {
    const auto is_text = [&](size_t at) { return draft.blocks[at].kind == Block::Kind::text; };
    std::string text;
    for (end = i; end < draft.blocks.size() && (end == i || (is_text(i) && is_text(end))); ++end)
      text += draft.blocks[end].text;
    joined.push_back(draft.blocks[i]);
    if (end - i > 1) joined.back().text = draft.keep(std::move(text));
  }
  draft.blocks = std::move(joined);
}

void read_part(json::element part, Draft& draft) {
  Block block;
  json::element value;
  if (json::find(part, "functionCall", value)) {
    block.kind = Block::Kind::tool_use;
    block.name = json::text_at(value, "name");
    block.id = json::text_at(value, "id");
    block.has_body = json::find(value, "args", block.body);
  } else if (json::find(part, "functionResponse", value)) {
    block.kind = Block::Kind::tool_result;
    block.name = json::text_at(value, "name");
    block.id = json::text_at(value, "id");
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

void read_content(json::element content, Draft& draft) {
  json::element parts;
  draft.role =
      json::text_at(content, "role") == "model" ? Message::Role::assistant : Message::Role::user;
  if (!json::find(content, "parts", parts)) return;
  if (json::is_object(parts)) read_part(parts, draft);
  json::items(parts, [&](json::element part) { read_part(part, draft); });
}

}  // namespace

void read_contents(json::element contents, RecordContext& context, Asked& asked) {
  ToolNames names;
  Draft& draft = cleared(context.draft);
  const auto add = [&] {
    Asked::Step step = asked.steps.empty() ? Asked::Step{} : asked.steps.back();
    names.name(draft);
    join_texts(draft);
    step.last = add_message(step.last, draft, context.parsers, context.shard);
    asked.steps.push_back(step);
    cleared(draft);
  };
  // What the model says in a row is one answer, which a client may have kept as it came in.
  json::items(contents, [&](json::element content) {
    const bool goes_on =
        draft.role == Message::Role::assistant && json::text_at(content, "role") == "model";
    if (!draft.blocks.empty() && !goes_on) add();
    read_content(content, draft);
  });
  if (!draft.blocks.empty()) add();
}

namespace {

/// Reads the sources of an answer: searches by their queries, which is how newer models are paid
/// for, and places. Pieces of a stream may name sources before their queries.
void read_grounding(json::element body, ServerToolUses& uses) {
  json::element grounding, list, place;
  if (!json::follow(body, "candidates/0/groundingMetadata", grounding)) return;
  int32_t queries = 0, pages = 0, places = 0;
  if (json::find(grounding, "webSearchQueries", list))
    json::items(list, [&](json::element) { ++queries; });
  if (json::find(grounding, "groundingChunks", list))
    json::items(list, [&](json::element chunk) {
      (json::find(chunk, "maps", place) ? places : pages) = 1;
    });
  if (queries + pages > 0) uses[ServerTool::web_search] = std::max(queries, pages);
  if (places > 0) uses[ServerTool::maps] = places;
}

}  // namespace

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
  answer.tokens.terms =
      terms_stated("trafficType", json::text_on(body, "usageMetadata/trafficType"));
  read_grounding(body, answer.tokens.server_tools);
  if (json::follow(body, "promptFeedback/blockReason|candidates/0/finishReason", value))
    answer.stop_reason = json::text(value);
  if (json::follow(body, "candidates/0/content/parts", value)) {
    json::items(value, [&](json::element part) { read_part(part, answer.message); });
    join_texts(answer.message);
    answer.has_message = true;
  }
  answer.message.role = Message::Role::assistant;
}

void name_tool_uses(json::element request, Draft& answer) {
  json::element contents;
  const bool lacks_names = std::ranges::any_of(answer.blocks, [](const Block& block) {
    return block.kind == Block::Kind::tool_use && block.id.empty();
  });
  if (!lacks_names || !json::find(request, "contents", contents)) return;
  ToolNames names;
  Draft before;
  json::items(contents, [&](json::element content) { read_content(content, before); });
  names.name(before);
  names.name(answer);
}

}  // namespace xtrace
