#include <algorithm>
#include <map>

#include "input/calls/answer.h"
#include "input/calls/completion.h"
#include "input/calls/error_word.h"
#include "input/calls/google.h"
#include "input/calls/response_item.h"
#include "input/common/json_path.h"
#include "input/common/parsers.h"

namespace xtrace {

namespace {

/// One content block or tool call while its pieces come in.
struct GrowingBlock {
  Block::Kind kind = Block::Kind::other;
  std::string id, name, text;
  bool is_error = false;
  ServerTool server_tool = ServerTool::none;
};

/// An answer while its events come in. Blocks are kept in the order of their index.
class AnswerStream {
 public:
  explicit AnswerStream(Answer& answer) : answer_(answer) {}

  void event(json::element event) {
    std::string_view type = json::text_at(event, "type");
    if (type == "message_start") return start(event);
    if (type == "content_block_start") return start_block(event);
    if (type == "content_block_delta") return grow_block(event);
    if (type == "message_delta") return grow_message(event);
    if (type == "message_stop" || json::is_true_on(event, "done|stop")) has_ended_ = true;
    if (type.starts_with("response.")) return response(type, event);
    json::element error;
    if (type == "error") answer_.error = error_word(event);
    if (json::find(event, "error", error)) answer_.error = error_word(error);
    if (is_openai_answer(event))
      chunk(event);
    else if (is_ollama_answer(event))
      add_piece(event, read_ollama_answer);
    else if (is_google_answer(event))
      add_piece(event, read_google_answer);
    else if (is_completion(event))
      add_piece(event, read_completion);
  }

  /// What OpenAI's streams end with is no JSON.
  void end() { has_ended_ = true; }

  void finish() {
    answer_.message.role = Message::Role::assistant;
    const bool has_no_end = answer_.has_message && !has_ended_ && answer_.stop_reason.empty();
    answer_.is_broken_off = has_no_end && answer_.error.empty();
    answer_.output_is_low = has_no_end && answer_.tokens.output != kNoCount;
    for (const auto& [index, blocks] : blocks_)
      for (const GrowingBlock& grown : blocks) {
        Block block;
        block.kind = grown.kind;
        block.id = keep(grown.id);
        block.name = keep(grown.name);
        block.text = keep(grown.text);
        block.is_error = grown.is_error;
        block.server_tool = grown.server_tool;
        answer_.message.blocks.push_back(block);
      }
  }

 private:
  void start(json::element event) {
    json::element message, usage;
    if (!json::find(event, "message", message)) return;
    answer_.has_message = true;
    answer_.id = keep(json::text_at(message, "id"));
    answer_.model = keep(json::text_at(message, "model"));
    if (json::find(message, "usage", usage)) read_anthropic_usage(usage, answer_.tokens);
  }

  void start_block(json::element event) {
    json::element block;
    if (!json::find(event, "content_block", block)) return;
    Draft said;
    read_block(block, said);
    if (said.blocks.empty()) return;
    const Block& begun = said.blocks.front();
    GrowingBlock& grown = at(event) = whole(begun);
    // What a tool gave comes whole, what it is given in pieces.
    if (begun.kind != Block::Kind::tool_result) grown.text = begun.text;
  }

  static GrowingBlock whole(const Block& block) {
    const bool is_text = !block.has_body || json::is_string(block.body);
    return {block.kind,
            std::string(block.id),
            std::string(block.name),
            is_text ? std::string(block.text) : std::string(simdjson::minify(block.body)),
            block.is_error,
            block.server_tool};
  }

  void grow_block(json::element event) {
    json::element delta;
    if (!json::find(event, "delta", delta)) return;
    GrowingBlock& grown = at(event);
    grown.text += json::text_at(delta, "text");
    grown.text += json::text_at(delta, "thinking");
    grown.text += json::text_at(delta, "partial_json");
  }

  void grow_message(json::element event) {
    json::element delta, usage;
    if (json::find(event, "delta", delta))
      answer_.stop_reason = keep(json::text_at(delta, "stop_reason"));
    if (json::find(event, "usage", usage)) {
      read_anthropic_usage(usage, answer_.tokens);
      take_cost(cost_in_usage(usage));
    }
  }

  void take_cost(int64_t stated) {
    if (stated != kNoCount) answer_.cost = stated;
  }
  /// The last counts, with what only earlier events state.
  void take_tokens(const Tokens& last) {
    const Tokens before = answer_.tokens;
    answer_.tokens = last;
    answer_.tokens.server_tools.fill_in(before.server_tools);
    answer_.tokens.terms = last.terms.over(before.terms);
  }

  /// OpenAI's `chat.completion.chunk`: a text at index 0, tool calls at their own index.
  void chunk(json::element event) {
    answer_.has_message = true;
    if (std::string_view id = json::text_at(event, "id"); !id.empty()) answer_.id = keep(id);
    if (std::string_view model = json::text_at(event, "model"); !model.empty())
      answer_.model = keep(model);
    json::element usage, choice, delta, calls;
    if (json::find(event, "usage", usage)) {
      read_openai_usage(usage, answer_.tokens);
      take_cost(cost_in_usage(usage));
    }
    if (const std::string_view provider = json::text_at(event, "provider"); !provider.empty())
      answer_.provider = keep(provider);
    answer_.tokens.terms = terms_stated("service_tier", json::text_at(event, "service_tier"))
                               .over(answer_.tokens.terms);
    if (event.at_pointer("/choices/0").get(choice)) return;
    if (std::string_view reason = json::text_at(choice, "finish_reason"); !reason.empty())
      answer_.stop_reason = keep(reason);
    // A chat's text grows in `delta`, that of a completion beside it.
    if (!json::find(choice, "delta", delta)) return grow_text(json::text_at(choice, "text"));
    grow_text(json::text_at(delta, "content"));
    if (json::find(delta, "tool_calls", calls))
      json::items(calls, [&](json::element call) { grow_call(call); });
  }

  void grow_text(std::string_view text) {
    if (text.empty()) return;
    GrowingBlock& grown = last_at(-1);
    grown.kind = Block::Kind::text;
    grown.text += text;
  }

  /// Of Ollama, Google and completions: texts come word by word, tools whole, and the last piece
  /// has the counts.
  void add_piece(json::element event, void (*read)(json::element, Answer&)) {
    Answer piece;
    read(event, piece);
    answer_.has_message |= piece.has_message;
    answer_.provider = piece.provider;
    if (!piece.id.empty()) answer_.id = keep(piece.id);
    answer_.took = std::max(answer_.took, piece.took);
    if (!piece.model.empty()) answer_.model = keep(piece.model);
    if (!piece.stop_reason.empty()) answer_.stop_reason = keep(piece.stop_reason);
    if (piece.tokens != Tokens{}) take_tokens(piece.tokens);
    for (const Block& block : piece.message.blocks) {
      if (block.kind != Block::Kind::text) {
        blocks_[static_cast<int64_t>(blocks_.size())].push_back(whole(block));
        continue;
      }
      GrowingBlock& grown = last_at(-1);
      grown.kind = block.kind;
      grown.text += block.text;
    }
  }

  /// The Responses API: texts and arguments grow at the index of their item, items are told whole
  /// when they are done, and in the end the whole answer is.
  void response(std::string_view type, json::element event) {
    json::element value;
    // Not all servers give the answer that ends it a status.
    has_ended_ |=
        type == "response.completed" || type == "response.incomplete" || type == "response.failed";
    if (json::find(event, "response", value)) return whole_answer(value);
    if (type == "response.output_text.delta") {
      GrowingBlock& grown = at(event);
      grown.kind = Block::Kind::text;
      grown.text += json::text_at(event, "delta");
      answer_.has_message = true;
    } else if (type == "response.output_item.done" && json::find(event, "item", value)) {
      item(value, index_of(event));
    }
  }

  void whole_answer(json::element told) {
    Answer answer;
    read_responses_answer(told, answer);
    answer_.may_be_named = true;
    answer_.has_message |= answer.has_message;
    if (!answer.id.empty()) answer_.id = keep(answer.id);
    if (!answer.model.empty()) answer_.model = keep(answer.model);
    if (!answer.error.empty()) answer_.error = answer.error;
    answer_.stop_reason = keep(answer.stop_reason);
    if (answer.tokens != Tokens{}) take_tokens(answer.tokens);
    take_cost(answer.cost);
    json::element output;
    if (!json::find(told, "output", output)) return;
    int64_t index = 0;
    json::items(output, [&](json::element value) { item(value, index++); });
  }

  void item(json::element value, int64_t index) {
    Draft said;
    if (!read_response_item(value, said)) return;
    answer_.has_message = true;
    std::vector<GrowingBlock>& blocks = blocks_[index];
    blocks.clear();
    for (const Block& block : said.blocks) blocks.push_back(whole(block));
  }

  /// A new id begins a new call: some vendors give calls made at once one index, or none.
  void grow_call(json::element call) {
    Draft said;
    read_tool_call(call, said);
    if (said.blocks.empty()) return;
    const GrowingBlock piece = whole(said.blocks.front());
    GrowingBlock* grown = &at(call);
    if (!piece.id.empty() && !grown->id.empty() && grown->id != piece.id)
      grown = &blocks_[index_of(call)].emplace_back();
    grown->kind = Block::Kind::tool_use;
    if (!piece.id.empty()) grown->id = piece.id;
    grown->name += piece.name;
    grown->text += piece.text;
  }

  static int64_t index_of(json::element event) {
    return json::count_on(event, "index|output_index", 0);
  }
  /// What grows there, the last if there are several.
  GrowingBlock& at(json::element event) { return last_at(index_of(event)); }
  GrowingBlock& last_at(int64_t index) {
    std::vector<GrowingBlock>& blocks = blocks_[index];
    return blocks.empty() ? blocks.emplace_back() : blocks.back();
  }
  std::string_view keep(std::string_view text) {
    return text.empty() ? std::string_view{} : std::string_view(answer_.joined.emplace_back(text));
  }

  Answer& answer_;
  bool has_ended_ = false;  ///< by its own last event
  /// By index. What the vendor runs by itself is a use and a result at one, for example.
  std::map<int64_t, std::vector<GrowingBlock>> blocks_;
};

/// Does a line stand in a stream that is told line by line?
bool is_piece(json::element line) {
  json::element error;
  return json::is_object(line) && (is_ollama_answer(line) || is_openai_answer(line) ||
                                   is_completion(line) || json::find(line, "error", error));
}

}  // namespace

bool is_stream(std::string_view body) {
  return body.starts_with("event:") || body.starts_with("data:") || body.starts_with(":");
}

void read_stream(std::string_view events, Parsers& parsers, Answer& answer) {
  AnswerStream stream(answer);
  while (!events.empty()) {
    std::string_view line = events.substr(0, events.find('\n'));
    events.remove_prefix(std::min(events.size(), line.size() + 1));
    constexpr std::string_view kData = "data:";
    if (!line.starts_with(kData)) continue;
    json::element event;
    if (parsers.parse_for_now(line.substr(kData.size()), event))
      stream.event(event);
    else if (line.find("[DONE]") != line.npos)
      stream.end();
  }
  stream.finish();
}

bool read_lines(std::string_view lines, Parsers& parsers, Answer& answer) {
  AnswerStream stream(answer);
  size_t pieces = 0;
  while (!lines.empty()) {
    const std::string_view line = lines.substr(0, lines.find('\n'));
    lines.remove_prefix(std::min(lines.size(), line.size() + 1));
    json::element piece;
    if (!parsers.parse_for_now(line, piece) || !is_piece(piece)) continue;
    stream.event(piece);
    ++pieces;
  }
  if (pieces > 0) stream.finish();
  return pieces > 0;
}

void read_pieces(json::element pieces, Answer& answer) {
  AnswerStream stream(answer);
  json::items(pieces, [&](json::element piece) {
    if (json::is_object(piece)) stream.event(piece);
  });
  stream.finish();
}

}  // namespace xtrace
