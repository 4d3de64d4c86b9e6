#include "base/one_of.h"
#include "input/calls/message_draft.h"
#include "input/common/format.h"
#include "input/common/moments.h"
#include "input/common/record_context.h"
#include "input/transcripts/gemini_output.h"
#include "input/transcripts/message_shape.h"
#include "input/transcripts/session_notes.h"
#include "input/transcripts/utterance_reader.h"

namespace xtrace {

// The chats that Gemini CLI saves: one session a document until 2026,
//
//   {"sessionId", "startTime", "messages": [
//     {"id", "timestamp", "type": "user", "content": "…", "displayContent"},
//     {"id", "timestamp", "type": "gemini", "content", "model",
//      "tokens": {"input", "output", "cached", "thoughts", "tool", "total"},
//      "toolCalls": [{"id", "name", "args", "status", "timestamp", "agentId",
//                     "result": [{"functionResponse": {"id", "name", "response"}}]}]}]}
//
// and since then a line each: the document without messages, the messages, and what is changed:
//
//   {"$set": {"summary"}}         what the session is called; in a document it stands beside them
//   {"$set": {"messages": […]}}   all messages again, after a compression with a summary in front
//   {"$rewindTo": "id"}           that message and what follows it are taken back
//
// A message that grows (its tools are done) is written again with its id. A tool's use and its
// output stand in one message; what the model is told of it is written behind that once more.
// `agentId` names the session of a subagent. Messages of other types tell the user something.

namespace {

/// A command that failed tells so in a line `Exit Code: 1`; there is `0`, `(none)` or no such line
/// where it did not, or nothing was run. Other tools may put out such a line.
bool has_exit_code(std::string_view tool, std::string_view output) {
  constexpr std::string_view kMark = "\nExit Code: ";
  const size_t at = output.rfind(kMark);
  if (tool != "run_shell_command" || at == std::string_view::npos) return false;
  output.remove_prefix(at + kMark.size());
  output = output.substr(0, output.find_first_of("\r\n"));
  if (output.starts_with('-')) output.remove_prefix(1);
  return !output.empty() && output.find_first_not_of("0123456789") == std::string_view::npos &&
         output.find_first_not_of('0') != std::string_view::npos;
}

constexpr json::Path kOutput = "result/0/functionResponse/response/output",
                     kToolFailure = "result/0/functionResponse/response/error";

/// A subagent that failed is a tool that succeeded.
bool gemini_cli_tool_failed(json::element call) {
  json::element output;
  if (!json::follow(call, kOutput, output)) return json::follow(call, kToolFailure, output);
  const std::string_view text = json::text(output);
  const size_t failed = text.find("' failed. Error: ");
  return has_exit_code(json::text_at(call, "name"), text) ||
         (text.starts_with("Subagent '") && failed < text.find('\n'));
}

constexpr PieceShape kGeminiCliPieces[] = {
    {.type = "args",
     .says = PieceShape::Says::tool,
     .id = "id",
     .name = "name",
     .arguments = "args",
     .output = "result/0/functionResponse/response/output|result/0/functionResponse/response/error|"
               "result",
     .ended = "timestamp",
     .failed = gemini_cli_tool_failed},
    {.type = "text", .says = PieceShape::Says::text, .text = "text", .unless = "thought"},
    {.says = PieceShape::Says::nothing},  // calls and what they gave stand under `toolCalls`
};

/// What the program tells the model, or the user the program.
bool is_no_prompt(const Draft& draft) {
  for (const Block& block : draft.blocks)
    for (std::string_view mark : {"<session_context>", "<hook_context>", "<state_snapshot>"})
      if (block.text.starts_with(mark)) return true;
  return false;
}

void adjust_gemini_cli(json::element, Utterance& said, Draft& draft) {
  if (said.kind == Utterance::Kind::asked && is_no_prompt(draft)) draft.role = Message::Role::other;
}

constexpr MessageShape kGeminiCliMessages = {
    .id = "id",
    .model = "model",
    .time = "timestamp",
    .role = "type",
    .content = "displayContent|content",
    .calls = "toolCalls",
    .type = "",
    .pieces = kGeminiCliPieces,
    .usage = "tokens",
    .counts = {.input = "input",
               .tools = "tool",
               .output = "output",
               .cache_read = "cached",
               .reasoning = "thoughts",
               .total = "total",
               .input_has_cache = true,
               .output_has_reasoning = false},
    .adjust = adjust_gemini_cli,
};

// What `/chat save` writes: a list of {"role": "user"|"model", "parts": […]} as the API has them,
// without times, models or counts.

bool response_failed(json::element piece) {
  json::element value;
  if (json::follow(piece, "functionResponse/response/error", value)) return true;
  return json::follow(piece, "functionResponse/response/output", value) &&
         has_exit_code(json::text_on(piece, "functionResponse/name"), json::text(value));
}

constexpr PieceShape kContentPieces[] = {
    kGoogleToolUse,
    google_tool_result(response_failed),
    {.type = "text", .says = PieceShape::Says::text, .text = "text", .unless = "thought"},
    {.says = PieceShape::Says::nothing},
};

constexpr MessageShape kContents = {
    .content = "parts", .type = "", .pieces = kContentPieces, .adjust = adjust_gemini_cli};

bool is_content(json::element record) {
  bool is_other = false, has_parts = false;
  json::fields(record, [&](std::string_view key, json::element value) {
    has_parts |= key == "parts" && json::is_array(value);
    is_other |= key != "role" && key != "parts";
  });
  return has_parts && !is_other && is_one_of(json::text_at(record, "role"), {"user", "model"});
}

class Chat {
 public:
  Chat(RecordContext& context) : shard_(context.shard), messages_(kGeminiCliMessages, context) {
    messages_.common.is_newer = true;
  }

  /// A document, or the first line of a file of lines.
  void read_document(json::element record, const Part& whole) {
    const StringId session = shard_.intern(json::text_at(record, "sessionId"));
    Utterance heading;
    heading.kind = Utterance::Kind::heading;
    heading.source = whole.at;
    heading.session = session;
    shard_.add(heading);
    note_session(shard_, SessionNote::Kind::summary, whole.at, session,
                 json::text_at(record, "summary"));
    messages_.common.session = session;
    read_messages(record, whole);
  }

  void read(json::element message, const Part& part) {
    const std::string_view type = json::text_at(message, "type");
    if (is_one_of(type, {"user", "gemini"})) {
      messages_.read(message, part);
      return read_subagents(message, part);
    }
    Utterance said = begin(message, part);
    const std::string text = json::text_on(message, "content|content/0/text");
    if (type == "error" && text.starts_with("[API Error")) {  // others are the program's own
      said.kind = Utterance::Kind::failed;
      said.error = shard_.intern("error");
    }
    shard_.add(said);
  }

  /// What a change tells of the conversation: nothing, mostly.
  void read_change(json::element change, const Part& part) {
    json::element messages, first;
    note_session(shard_, SessionNote::Kind::summary, part.at, {}, json::text_at(change, "summary"));
    if (!json::find(change, "messages", messages)) return;
    if (json::follow(messages, "0/content/0/text|0/content", first) &&
        json::text(first).starts_with("<state_snapshot>"))
      add(Utterance::Kind::compacted, part);
    messages_.common.is_newer = false;
    messages_.common.is_again = true;
    read_messages(change, part);
  }

  void rewind(json::element line, const Part& part) {
    Utterance said;
    said.kind = Utterance::Kind::rewound;
    said.source = part.at;
    said.after = shard_.intern(json::text_at(line, "$rewindTo"));
    said.is_chained = true;
    shard_.add(said);
  }

 private:
  void read_messages(json::element from, const Part& whole) {
    json::element messages;
    if (!json::find(from, "messages", messages)) return;
    const std::vector<Part> parts = whole.field("messages").items();
    size_t nth = 0;
    json::items(messages, [&](json::element message) {
      json::element counted;
      const Part& part = nth < parts.size() ? parts[nth] : whole;
      ++nth;
      // The program answers its own summary by itself.
      const bool is_made_up = messages_.common.is_again &&
                              json::text_at(message, "type") == "gemini" &&
                              !json::follow(message, "tokens", counted);
      if (!is_made_up) read(message, part);
    });
  }

  Utterance begin(json::element value, const Part& part) const {
    Utterance said = messages_.common;
    said.source = part.at;
    said.id = shard_.intern(json::text_at(value, "id"));
    json::element time;
    if (json::find(value, "timestamp", time)) read_time(time, said);
    return said;
  }

  void add(Utterance::Kind kind, const Part& part) {
    Utterance said = messages_.common;
    said.kind = kind;
    said.source = part.at;
    shard_.add(said);
  }

  void read_subagents(json::element message, const Part& part) {
    json::element calls;
    if (!json::find(message, "toolCalls", calls)) return;
    json::items(calls, [&](json::element call) {
      Utterance report = begin(call, part);
      report.id = {};
      report.kind = Utterance::Kind::report;
      report.in_subagent = true;
      report.agent = shard_.intern(json::text_at(call, "agentId"));
      report.agent_type = shard_.intern(json::text_at(call, "name"));
      report.tool_use = shard_.intern(json::text_at(call, "id"));
      if (report.agent) shard_.add(report);
    });
  }

  Shard& shard_;
  MessageReader messages_;
};

bool is_change(json::element record) {
  json::element change;
  return (json::find(record, "$set", change) && json::is_object(change)) ||
         !json::text_at(record, "$rewindTo").empty();
}

bool fits_gemini_cli(json::element record) {
  bool has_session = false, has_messages = false, has_hash = false, has_start = false;
  bool has_id = false, has_time = false, has_content = false, is_other = false;
  std::string_view type;
  json::fields(record, [&](std::string_view key, json::element value) {
    has_session |= key == "sessionId" && !json::text(value).empty();
    has_messages |= key == "messages" && json::is_array(value);
    has_hash |= key == "projectHash";
    has_start |= key == "startTime";
    has_id |= key == "id" && json::is_string(value);
    has_time |= key == "timestamp";
    has_content |= key == "content";
    is_other |= key == "message" || key == "uuid" || key == "parentId";
    if (key == "type") type = json::text(value);
  });
  if (has_session && (has_messages || (has_hash && has_start))) return true;
  if (has_id && has_time && has_content && !is_other && !has_session)
    return is_one_of(type, {"user", "gemini", "info", "error", "warning"});
  return is_change(record) || is_content(record) || fits_gemini_output(record);
}

void read_gemini_cli(json::element record, std::string_view text, const Extent& at,
                     RecordContext& context) {
  const Part whole{text, at};
  json::element change;
  Chat chat(context);
  context.shard.count_record();
  if (is_content(record)) return MessageReader(kContents, context).read(record, whole);
  if (fits_gemini_output(record)) return read_gemini_output(record, at, context);
  if (json::find(record, "$set", change)) return chat.read_change(change, whole.field("$set"));
  if (json::find(record, "$rewindTo", change)) return chat.rewind(record, whole);
  if (!json::text_at(record, "sessionId").empty()) return chat.read_document(record, whole);
  chat.read(record, whole);
}

void say_gemini_cli(json::element part, Draft& said) {
  if (is_content(part)) return say_message(part, kContents, said);
  if (json::is_object(part) && fits_gemini_output(part)) return say_gemini_output(part, said);
  say_message(part, kGeminiCliMessages, said);
}

}  // namespace

extern constinit const Format kGeminiCli = {
    .name = "gemini-cli",
    .summary =
        "chats that Gemini CLI saves, one session a document or a message a line, and its "
        "stream-json "
        "and json output",
    .fits = fits_gemini_cli,
    .needs =
        "sessionId|timestamp|$set|$rewindTo|role|stats|error messages|projectHash|content|$set|"
        "$rewindTo|parts|model|tool_id|severity|status|stats|error",
    .read = read_gemini_cli,
    .say = say_gemini_cli,
};

}  // namespace xtrace
