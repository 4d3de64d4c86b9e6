#include "input/spans/span_quotes.h"

#include <charconv>
#include <map>
#include <optional>

#include "input/calls/answer.h"
#include "input/calls/exchange.h"
#include "input/calls/quote.h"
#include "input/calls/tool_target.h"
#include "input/common/parsers.h"
#include "input/spans/span_step.h"
#include "input/spans/span_tags.h"

namespace xtrace {

namespace {

using Tags = AllTags::Map;

/// `{"id", "name", "args"}`, as LangChain and Gemini write what others wrap in `function`.
void read_plain_call(json::element call, Draft& said) {
  Block use;
  use.kind = Block::Kind::tool_use;
  use.id = json::text_at(call, "id");
  use.name = json::text_at(call, "name");
  json::element given;
  for (std::string_view key : {"args", "arguments", "input"}) {
    if (use.has_body || !use.text.empty() || !json::find(call, key, given)) continue;
    use.text = json::text(given);
    use.body = given;
    use.has_body = json::is_object(given);
  }
  if (!use.name.empty()) said.blocks.push_back(use);
}

void read_call(json::element call, Draft& said) {
  json::element found;
  if (json::find(call, "tool_call", found)) return read_call(found, said);
  if (json::find(call, "function", found) || json::find(call, "custom", found))
    return read_tool_call(call, said);
  read_plain_call(call, said);
}

/// A part of a message of Gemini: `{"text"}`, `{"functionCall": {"name", "args"}}`.
void read_google_part(json::element part, Draft& said) {
  json::element call;
  if (json::find(part, "functionCall", call) || json::find(part, "function_call", call))
    return read_plain_call(call, said);
  const std::string_view text = json::text_at(part, "text");
  if (text.empty()) return;
  Block block;
  block.kind = Block::Kind::text;
  block.text = text;
  said.blocks.push_back(block);
}

/// What a span says in one value: messages, one of them, or what a vendor answered.
class ValueReader {
 public:
  ValueReader(Parsers& parsers, bool is_answer, std::vector<Quote>& quotes)
      : parsers_(parsers), is_answer_(is_answer), quotes_(quotes) {}

  void read(json::element value) {
    json::element root = value;
    if (!json::is_string(value) || parsers_.parse(json::text(value), root)) visit(root, 0);
  }

 private:
  static constexpr int kDeepest = 8;

  void visit(json::element value, int depth) {
    if (depth > kDeepest) return;
    if (json::is_array(value))
      return json::items(value, [&](json::element item) { visit(item, depth + 1); });
    if (!json::is_object(value)) return;
    json::element inner;
    Draft said;
    said.role = role_of(value);
    if (json::find(value, "parts", inner) && json::is_array(inner)) {
      json::items(inner, [&](json::element part) {
        if (!read_message_part(part, said)) read_google_part(part, said);
      });
      return take(said);
    }
    for (std::string_view key : {"kwargs", "message", "messages", "generations", "outputs"})
      if (json::find(value, key, inner) && !json::is_string(inner)) return visit(inner, depth + 1);
    if (json::find(value, "content", inner) && json::is_object(inner))
      return visit(inner, depth + 1);
    if (json::find(value, "content", inner) || json::find(value, "tool_calls", inner)) {
      Draft read;
      read_message(value, read);
      read.role = said.role;
      std::erase_if(read.blocks, [](const Block& one) {
        return one.kind == Block::Kind::tool_use && one.name.empty();
      });
      const bool has_uses = std::ranges::any_of(
          read.blocks, [](const Block& one) { return one.kind == Block::Kind::tool_use; });
      if (!has_uses && json::find(value, "tool_calls", inner))
        json::items(inner, [&](json::element call) { read_call(call, read); });
      return take(read);
    }
    if (!is_answer_) return;
    Answer answer;
    read_answer(value, parsers_, answer);
    answer.message.role = Message::Role::assistant;
    take(answer.message);
  }

  Message::Role role_of(json::element message) const {
    const std::string_view role = json::text_at(message, "role");
    if (is_answer_ || role == "assistant" || role == "model") return Message::Role::assistant;
    return Message::Role::user;
  }

  /// What the model said before is no part of what came in.
  void take(const Draft& said) {
    if (is_answer_ || said.role != Message::Role::assistant) quote(said, quotes_);
  }

  Parsers& parsers_;
  bool is_answer_;
  std::vector<Quote>& quotes_;
};

/// The number at the beginning of a name, which is taken off with the dot behind it.
std::optional<int> take_number(std::string_view& name) {
  int number = 0;
  auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), number);
  if (error != std::errc()) return std::nullopt;
  name.remove_prefix(static_cast<size_t>(end - name.data()));
  if (name.starts_with('.')) name.remove_prefix(1);
  return number;
}

bool take_word(std::string_view& name, std::string_view word) {
  if (!name.starts_with(word)) return false;
  name.remove_prefix(word.size());
  return true;
}

/// Messages whose fields are a tag each: `gen_ai.prompt.3.tool_calls.0.name`.
class NumberedMessages {
 public:
  NumberedMessages(const Tags& tags, std::string_view before) {
    for (auto at = tags.lower_bound(before); at != tags.end() && at->first.starts_with(before);
         ++at) {
      std::string_view rest = at->first.substr(before.size());
      if (std::optional<int> nth = take_number(rest)) read(messages_[*nth], rest, at->second);
    }
  }

  void quote_all(bool is_answer, std::vector<Quote>& quotes) {
    for (auto& [nth, message] : messages_) {
      const bool is_said = is_answer || message.role == "assistant" || message.role == "model";
      if (is_said && !is_answer) continue;
      Draft said;
      said.role = is_said ? Message::Role::assistant : Message::Role::user;
      for (auto& [place, text] : message.texts) {
        if (text.empty()) continue;
        Block block;
        const bool is_result = message.role == "tool" || !message.result_of.empty();
        block.kind = is_result ? Block::Kind::tool_result : Block::Kind::text;
        block.id = is_result ? message.result_of : std::string_view();
        block.text = text;
        said.blocks.push_back(block);
      }
      for (auto& [place, use] : message.uses)
        if (!use.name.empty()) said.blocks.push_back(use);
      quote(said, quotes);
    }
  }

 private:
  struct Numbered {
    std::string_view role, result_of;
    std::map<int, std::string_view> texts;
    std::map<int, Block> uses;
  };

  static void read(Numbered& message, std::string_view field, json::element value) {
    const std::string_view text = json::text(value);
    take_word(field, "message.");
    if (field == "role") message.role = text;
    if (field == "content") message.texts[-1] = text;
    if (field == "tool_call_id") message.result_of = text;
    if (take_word(field, "contents.")) {
      if (std::optional<int> nth = take_number(field))
        if (field == "message_content.text") message.texts[*nth] = text;
    } else if (take_word(field, "tool_calls.")) {
      if (std::optional<int> nth = take_number(field)) read_use(message.uses[*nth], field, value);
    }
  }

  static void read_use(Block& use, std::string_view field, json::element value) {
    use.kind = Block::Kind::tool_use;
    take_word(field, "tool_call.");
    take_word(field, "function.");
    if (field == "id") use.id = json::text(value);
    if (field == "name") use.name = json::text(value);
    if (field != "arguments") return;
    use.text = json::text(value);
    use.body = value;
    use.has_body = json::is_object(value);
  }

  std::map<int, Numbered> messages_;
};

/// Of the ways to tell it the first that says something: some tell it in several.
void quote_said(const Tags& tags, bool is_answer, Parsers& parsers, std::vector<Quote>& quotes) {
  const size_t before = quotes.size();
  auto read = [&](std::initializer_list<std::string_view> names) {
    for (std::string_view name : names)
      if (auto found = tags.find(name); found != tags.end() && quotes.size() == before)
        ValueReader(parsers, is_answer, quotes).read(found->second);
  };
  read({is_answer ? "gen_ai.output.messages" : "gen_ai.input.messages"});
  for (std::string_view list : {is_answer ? "gen_ai.completion." : "gen_ai.prompt.",
                                is_answer ? "llm.output_messages." : "llm.input_messages."})
    if (quotes.size() == before) NumberedMessages(tags, list).quote_all(is_answer, quotes);
  if (is_answer)
    read({"gen_ai.completion", "output.value", "outputs", "traceloop.entity.output",
          "gcp.vertex.agent.llm_response"});
  else
    read({"gen_ai.prompt", "input.value", "inputs", "traceloop.entity.input"});
}

}  // namespace

std::vector<Quote> quote_span(json::element span, Parsers& parsers) {
  std::vector<Quote> quotes;
  const AllTags tags(span);
  quote_said(tags.all(), false, parsers, quotes);
  quote_said(tags.all(), true, parsers, quotes);
  for (Quote& one : quotes) {
    if (one.kind != Quote::Kind::tool_use || one.text.empty()) continue;
    json::element arguments;
    one.targets =
        (parsers.parse(one.text, arguments) ? targets_in(arguments) : targets_in(one.text)).all;
  }
  return quotes;
}

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
