#include <algorithm>

#include "input/calls/answer.h"
#include "input/common/format.h"
#include "input/common/record_context.h"
#include "input/transcripts/part.h"
#include "input/transcripts/utterance_reader.h"

namespace xtrace {

// The chats that Gemini CLI saves, one session a record:
//
//   {"sessionId", "startTime", "messages": [
//     {"id", "timestamp", "type": "user", "content": "…"},
//     {"id", "timestamp", "type": "gemini", "content", "model",
//      "tokens": {"input", "output", "cached", "thoughts", "tool", "total"},
//      "toolCalls": [{"id", "name", "args", "status", "timestamp",
//                     "result": [{"functionResponse": {"id", "name", "response"}}]}]}]}
//
// A tool's use and its output stand in one message: it is read as two, an answer and what the model
// is told next. Chats that are saved again and again share the ids of messages. Messages of other
// types tell the user something.

namespace {

/// A text, or a list of pieces with a text each.
void read_content(json::element content, Draft& draft) {
  add_text(json::text(content), draft);
  add_text(json::text_at(content, "text"), draft);
  json::items(content, [&](json::element piece) {
    add_text(json::is_string(piece) ? json::text(piece) : json::text_at(piece, "text"), draft);
  });
}

void read_said(json::element message, Draft& draft) {
  json::element content, calls;
  draft.role =
      json::text_at(message, "type") == "user" ? Message::Role::user : Message::Role::assistant;
  if (json::find(message, "content", content)) read_content(content, draft);
  if (!json::find(message, "toolCalls", calls)) return;
  json::items(calls, [&](json::element call) {
    read_tool_use(call, {"id", "name", "args"}, draft);
  });
}

/// A command ends well with `Exit Code: 0`, or without one where nothing was run.
bool tells_failure(std::string_view output) {
  constexpr std::string_view kMark = "\nExit Code: ";
  size_t at = output.rfind(kMark);
  if (at == std::string_view::npos) return false;
  output.remove_prefix(at + kMark.size());
  return !output.empty() && output.front() != '0' && output.front() != '(';
}

/// What the model is told of its tools.
void read_results(json::element calls, Draft& draft) {
  draft.role = Message::Role::user;
  json::items(calls, [&](json::element call) {
    json::element result, response;
    if (!json::find(call, "result", result) || result.is_null()) return;
    Block told;
    told.kind = Block::Kind::tool_result;
    told.id = json::text_at(call, "id");
    std::string_view status = json::text_at(call, "status");
    told.is_error = status == "error" || status == "cancelled";
    told.body = result;
    told.has_body = true;
    if (!result.at_pointer("/0/functionResponse/response/output").get(response))
      told.text = json::text(response);
    else if (!result.at_pointer("/0/functionResponse/response/error").get(response))
      told.text = json::text(response), told.is_error = true;
    told.is_error |= tells_failure(told.text);
    draft.blocks.push_back(told);
  });
}

/// `output` is without the thoughts, and what tools put into the prompt is counted apart.
Tokens read_usage(json::element usage) {
  int64_t input = kNoCount, output = kNoCount, cached = kNoCount, thoughts = 0, tool = 0, total = 0;
  json::fields(usage, [&](std::string_view key, json::element value) {
    if (key == "input")
      input = json::count(value, input);
    else if (key == "output")
      output = json::count(value, output);
    else if (key == "cached")
      cached = json::count(value, cached);
    else if (key == "thoughts")
      thoughts = json::count(value, thoughts);
    else if (key == "tool")
      tool = json::count(value, tool);
    else if (key == "total")
      total = json::count(value, total);
  });
  Tokens tokens;
  if (total == 0) return tokens;  // nothing was counted
  count_input(input, cached, tokens);
  if (input != kNoCount) tokens.input += tool;
  if (output != kNoCount) tokens.output = output + thoughts;
  return tokens;
}

class Chat {
 public:
  Chat(json::element record, RecordContext& context)
      : context_(context),
        shard_(context.shard),
        session_(shard_.intern(json::text_at(record, "sessionId"))) {}

  void read(json::element message, const Part& part) {
    Utterance said = begin(message, part);
    std::string_view type = json::text_at(message, "type");
    if (type == "user") {
      said.kind = Utterance::Kind::asked;
      return add_utterance(said, message, read_said, context_);
    }
    if (type == "gemini") return read_answer(message, part, said);
    if (type == "error") {
      said.kind = Utterance::Kind::failed;
      said.error = shard_.intern("error");
    }
    shard_.add(said);
  }

 private:
  Utterance begin(json::element value, const Part& part) {
    Utterance said;
    said.source = part.at;
    said.session = session_;
    said.id = shard_.intern(json::text_at(value, "id"));
    json::element time;
    if (json::find(value, "timestamp", time)) read_time(time, said);
    return said;
  }

  void read_answer(json::element message, const Part& part, Utterance& said) {
    json::element usage, calls;
    said.kind = Utterance::Kind::answered;
    said.is_whole = true;
    said.outcome = Outcome::ok;
    said.answer = said.id;
    said.model = shard_.intern(json::text_at(message, "model"));
    if (json::find(message, "tokens", usage)) said.tokens = read_usage(usage);
    add_utterance(said, message, read_said, context_);
    if (!json::find(message, "toolCalls", calls)) return;
    Part place = part.field("toolCalls");
    Utterance told = begin(calls, place.text.empty() ? part : place);
    told.kind = Utterance::Kind::asked;
    told.decimals = said.decimals;
    json::items(calls, [&](json::element call) {
      told.time = std::max(told.time, begin(call, part).time);
    });
    if (said.id)  // a chat that is saved again has it again
      told.id = shard_.intern(std::string(json::text_at(message, "id")) + "/results");
    add_utterance(told, calls, read_results, context_);
  }

  RecordContext& context_;
  Shard& shard_;
  StringId session_;
};

bool fits_gemini_cli(json::element record) {
  json::element messages;
  return !json::text_at(record, "sessionId").empty() && json::find(record, "messages", messages) &&
         json::is_array(messages);
}

void read_gemini_cli(json::element record, std::string_view text, const Extent& at,
                     RecordContext& context) {
  Part whole{text, at};
  context.shard.count_record();
  json::element messages;
  if (!json::find(record, "messages", messages)) return;
  std::vector<Part> parts = whole.field("messages").items();
  Chat chat(record, context);
  size_t nth = 0;
  json::items(messages, [&](json::element message) {
    chat.read(message, nth < parts.size() ? parts[nth] : whole);
    ++nth;
  });
}

void read_gemini_cli_part(json::element part, Draft& said) {
  if (json::is_array(part)) return read_results(part, said);
  read_said(part, said);
}

}  // namespace

extern constinit const Format kGeminiCli = {
    .name = "gemini-cli",
    .summary = "chats that Gemini CLI saves, one session a record",
    .fits = fits_gemini_cli,
    .read = read_gemini_cli,
    .say = read_gemini_cli_part,
};

}  // namespace xtrace
