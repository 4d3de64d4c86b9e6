#include "input/transcripts/thought_texts.h"

#include "base/one_of.h"
#include "input/common/graph_parts.h"

namespace xtrace {

namespace {

/// Lists of steps hold objects, which hold texts; nobody writes them deeper.
constexpr int kDeepest = 4;

bool is_text(std::string_view key) {
  return is_one_of(key,
                   {"text", "thought", "cot", "content", "reasoning", "response", "completion"}) ||
         is_key(key, "chainofthought");
}
bool is_summary(std::string_view key) {
  return key == "summary" || is_key(key, "promptsummary");
}
bool is_list(std::string_view key) {
  return is_one_of(key, {"thoughts", "steps", "reflection", "reflections"}) ||
         is_key(key, "reasoningsteps") || is_key(key, "selfreflection");
}
/// Only of what is a thought by something else.
bool is_part(std::string_view key) {
  return key == "why" || key == "how" || key == "alternatives";
}
bool is_wrapping(std::string_view key) {
  return key == "payload" || key == "data";
}
bool is_function_call(std::string_view key) {
  return is_key(key, "functioncall") || is_key(key, "functioncalls");
}

bool is_holding_text(json::element value, int depth);

bool is_thought(std::string_view key, json::element value, int depth) {
  if (key == "prompt" || is_summary(key)) return json::is_string(value);
  if (is_function_call(key)) return json::is_object(value) || json::is_array(value);
  if (is_text(key) || is_list(key))
    return json::is_string(value) || is_holding_text(value, depth + 1);
  return is_wrapping(key) && json::is_object(value) && is_holding_text(value, depth + 1);
}

bool is_holding_text(json::element value, int depth) {
  bool holds = false;
  if (depth > kDeepest) return false;
  json::items(value, [&](json::element item) {
    holds = holds || json::is_string(item) || is_holding_text(item, depth + 1);
  });
  if (json::is_object(value))
    json::fields(value, [&](std::string_view key, json::element inner) {
      holds = holds || is_thought(key, inner, depth);
    });
  return holds;
}

void add_text(std::string_view text, const EachThought& each) {
  if (text.empty()) return;
  Block piece;
  piece.kind = Block::Kind::text;
  piece.text = text;
  each(piece, false);
}

/// `{"name", "arguments"}`, the arguments as an object or as its JSON in a string.
void add_function_call(json::element value, const EachThought& each) {
  json::items(value, [&](json::element one) { add_function_call(one, each); });
  if (!json::is_object(value)) return;
  Block piece;
  piece.kind = Block::Kind::tool_use;
  json::fields(value, [&](std::string_view key, json::element inner) {
    if (key == "name") piece.name = json::text(inner);
    if (key == "id") piece.id = json::text(inner);
    if (!is_one_of(key, {"arguments", "args", "input", "parameters"})) return;
    piece.text = json::text(inner);
    piece.has_body = piece.text.empty();
    piece.body = inner;
  });
  if (!piece.name.empty()) each(piece, false);
}

void add_fields(json::element record, int depth, const EachThought& each);

void add_value(json::element value, int depth, const EachThought& each) {
  if (depth > kDeepest) return;
  if (json::is_string(value)) return add_text(json::text(value), each);
  if (json::is_object(value)) return add_fields(value, depth, each);
  json::items(value, [&](json::element item) { add_value(item, depth + 1, each); });
}

void add_fields(json::element record, int depth, const EachThought& each) {
  json::fields(record, [&](std::string_view key, json::element value) {
    if (key == "prompt" && json::is_string(value)) add_text(json::text(value), each);
  });
  json::fields(record, [&](std::string_view key, json::element value) {
    if (is_function_call(key))
      add_function_call(value, each);
    else if (is_text(key) || is_list(key) || is_part(key) ||
             (is_wrapping(key) && json::is_object(value)))
      add_value(value, depth + 1, each);
  });
  json::fields(record, [&](std::string_view key, json::element value) {
    if (!is_summary(key)) return;
    add_text(json::text(value), [&](const Block& piece, bool) { each(piece, true); });
  });
}

}  // namespace

bool is_thought_text(std::string_view key, json::element value) {
  return is_thought(key, value, 0);
}

void for_each_thought(json::element record, const EachThought& each) {
  add_fields(record, 0, each);
}

}  // namespace xtrace
