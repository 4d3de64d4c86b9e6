#include "input/spans/span_messages.h"

#include <optional>

#include "input/common/parsers.h"
#include "input/spans/span_tags.h"

namespace xtrace {

namespace {

/// A text stays one; anything else is the block's body.
void take(json::element part, std::string_view key, Block& block) {
  json::element value;
  if (!json::find(part, key, value)) return;
  block.text = json::text(value);
  block.has_body = !json::is_string(value);
  if (block.has_body) block.body = value;
}

}  // namespace

bool read_message_part(json::element part, Draft& said) {
  const std::string_view type = json::text_at(part, "type");
  Block block;
  block.id = json::text_at(part, "id");
  if (type == "text") {
    block.kind = Block::Kind::text;
    take(part, "content", block);
  } else if (type == "tool_call") {
    block.kind = Block::Kind::tool_use;
    block.name = json::text_at(part, "name");
    take(part, "arguments", block);
  } else if (type == "tool_call_response") {
    block.kind = Block::Kind::tool_result;
    take(part, "response", block);
  } else {
    return false;
  }
  said.blocks.push_back(block);
  return true;
}

namespace {

void read_list(json::element list, Parsers& parsers,
               const std::function<void(const Draft&)>& each) {
  json::element messages = list;
  if (json::is_string(list) && !parsers.parse(json::text(list), messages)) return;
  json::items(messages, [&](json::element message) {
    Draft said;
    const bool answers = json::text_at(message, "role") == "assistant";
    said.role = answers ? Message::Role::assistant : Message::Role::user;
    json::element parts;
    if (json::find(message, "parts", parts))
      json::items(parts, [&](json::element part) { read_message_part(part, said); });
    each(said);
  });
}

}  // namespace

void read_span_messages(json::element span, Parsers& parsers,
                        const std::function<void(const Draft&)>& each) {
  std::optional<json::element> asked, answered;
  json::fields(span, [&](std::string_view field, json::element tags) {
    if (field != "tags" && field != "attributes") return;
    each_tag(tags, [&](std::string_view key, json::element value) {
      if (key == "gen_ai.input.messages") asked = value;
      if (key == "gen_ai.output.messages") answered = value;
    });
  });
  if (asked) read_list(*asked, parsers, each);
  if (answered) read_list(*answered, parsers, each);
}

}  // namespace xtrace
