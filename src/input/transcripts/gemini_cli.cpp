#include "base/digits.h"
#include "base/one_of.h"
#include "facts/record.h"
#include "input/calls/message_draft.h"
#include "input/common/moments.h"
#include "input/common/record_context.h"
#include "input/transcripts/record_shape.h"
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
// output are in one message; what the model is told of it is written behind that once more.
// `agentId` names the session of a subagent. Messages of other types tell the user something.

namespace {

// What Gemini CLI prints with `--output-format stream-json` or `json`, which is read as its chats.
// `stream-json` prints a line a record:
//
//   {"type": "init", "timestamp", "session_id", "model"}
//   {"type": "message", "role", "content", "delta"}: a piece of an answer, if `delta` is true
//   {"type": "tool_use", "tool_name", "tool_id", "parameters"}
//   {"type": "tool_result", "tool_id", "status", "output", "error": {"type", "message"}}
//   {"type": "error", "severity", "message"}: words to the user
//   {"type": "result", "status", "error", "stats": {counts, "models": {MODEL: counts}}}: older
//    versions tell no models
//
// and `json` one document:
//
//   {"session_id", "response", "stats": {"models": {MODEL: {"api": {"totalRequests"}, "tokens":
//    counts}}}} or {"session_id", "error": {"type", "message"}}
//
// Tokens are of all calls of the run together. What a document says is the last answer.

constexpr PieceShape kStreamPieces[] = {
    {.type = "message", .says = PieceShape::Says::text, .text = "content"},
    {.type = "tool_use",
     .says = PieceShape::Says::tool_use,
     .id = "tool_id",
     .name = "tool_name",
     .arguments = "parameters"},
    {.type = "tool_result",
     .says = PieceShape::Says::tool_result,
     .id = "tool_id",
     .output = "output|error/message"},
};

constexpr MessageShape kGeminiStream = {.is_piece = true,
                                        .time = "timestamp",
                                        .role = "role|type",
                                        .model_roles = "tool_use",
                                        .user_roles = "tool_result",
                                        .content = ".",
                                        .pieces = kStreamPieces};

/// What a document says is the last answer.
constexpr MessageShape kDocument = {
    .role = {}, .spoken_by = Message::Role::assistant, .content = "response"};

/// The model that a run began with need not have been its only one, so counts without a model are
/// of none.
constexpr UsageRecord kStreamUsage = {.terms = kSessionInAll,
                                      .at = "stats|.",
                                      .counts = {.input = "input_tokens",
                                                 .output = "output_tokens",
                                                 .cache_read = "cached",
                                                 .total = "total_tokens",
                                                 .input_has_cache = true,
                                                 .rest_is_output = true},
                                      .by_model = "stats/models",
                                      .calls = "api/totalRequests"};
constexpr UsageRecord kDocumentUsage = {.terms = kSessionInAll,
                                        .at = "tokens",
                                        .counts = {.input = "prompt",
                                                   .tools = "tool",
                                                   .output = "candidates",
                                                   .cache_read = "cached",
                                                   .reasoning = "thoughts",
                                                   .total = "total",
                                                   .input_has_cache = true,
                                                   .output_has_reasoning = false,
                                                   .rest_is_output = true},
                                        .by_model = "stats/models",
                                        .calls = "api/totalRequests"};

/// A command that failed tells so in a line `Exit Code: 1`; there is `0`, `(none)` or no such line
/// where it did not, or nothing was run. Other tools may put out such a line.
bool has_exit_code(std::string_view tool, std::string_view output) {
  constexpr std::string_view kMark = "\nExit Code: ";
  const size_t at = output.rfind(kMark);
  if (tool != "run_shell_command" || at == std::string_view::npos) return false;
  output.remove_prefix(at + kMark.size());
  output = output.substr(0, output.find_first_of("\r\n"));
  if (output.starts_with('-')) output.remove_prefix(1);
  return are_digits(output) && output.find_first_not_of('0') != std::string_view::npos;
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
     .failed = {.stated = gemini_cli_tool_failed}},
    {.type = "text", .says = PieceShape::Says::text, .text = "text", .unless = "thought"},
    {.says = PieceShape::Says::nothing},  // calls and what they gave are under `toolCalls`
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
    .model_roles = "gemini",
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
    google_tool_result({.stated = response_failed}),
    {.type = "text", .says = PieceShape::Says::text, .text = "text", .unless = "thought"},
    {.says = PieceShape::Says::nothing},
};

constexpr MessageShape kContents = {
    .content = "parts", .type = "", .pieces = kContentPieces, .adjust = adjust_gemini_cli};

class Chat {
 public:
  Chat(RecordContext& context) : shard_(context.shard), messages_(kGeminiCliMessages, context) {
    messages_.common.version = Utterance::Version::newer;
  }

  /// A document, or the first line of a file of lines.
  void read_document(json::element record, const Part& whole, StringId session) {
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
    messages_.common.version = Utterance::Version::again;
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
    each_item(from, whole, "messages", [&](json::element message, const Part& part) {
      json::element counted;
      // The program answers its own summary by itself.
      const bool is_made_up = messages_.common.version == Utterance::Version::again &&
                              json::text_at(message, "type") == "gemini" &&
                              !json::follow(message, "tokens", counted);
      if (!is_made_up) read(message, part);
    });
  }

  Utterance begin(json::element value, const Part& part) const {
    Utterance said = messages_.common;
    said.source = part.at;
    said.id = shard_.intern(json::text_at(value, "id"));
    read_time_on(value, "timestamp", said);
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
      AgentRelation report = relation_of(begin(call, part), AgentRelation::Kind::reported,
                                         shard_.intern(json::text_at(call, "agentId")));
      report.agent_type = shard_.intern(json::text_at(call, "name"));
      report.tool_use = shard_.intern(json::text_at(call, "id"));
      if (report.agent) shard_.add(report);
    });
  }

  Shard& shard_;
  MessageReader messages_;
};

void read_gemini_document(const RecordMatcher& record, const Part& whole, Utterance& said,
                          RecordContext& context) {
  Chat(context).read_document(record, whole, said.session);
}
void read_gemini_line(const RecordMatcher& record, const Part& whole, Utterance&,
                      RecordContext& context) {
  Chat(context).read(record, whole);
}
void read_gemini_change(const RecordMatcher& record, const Part& whole, Utterance&,
                        RecordContext& context) {
  json::element change;
  if (json::find(record, "$set", change)) Chat(context).read_change(change, whole.field("$set"));
}
void rewind_gemini(const RecordMatcher& record, const Part& whole, Utterance&,
                   RecordContext& context) {
  Chat(context).rewind(record, whole);
}
void say_gemini_chat(json::element part, Draft& said) {
  say_message(part, kGeminiCliMessages, said);
}

constexpr SessionShape kGeminiSession = {.id = "sessionId", .summary = "summary"};

constexpr RecordShape kGeminiCliRecords[] = {
    {.when = "sessionId:text messages:array",
     .session = kGeminiSession,
     .adds = Utterance::Kind::heading,
     .read = read_gemini_document,
     .say = say_gemini_chat},
    {.when = "sessionId:text projectHash startTime",
     .session = kGeminiSession,
     .adds = Utterance::Kind::heading,
     .read = read_gemini_document},
    {.when = "id:text timestamp content type=user|gemini|info|error|warning "
             "!message !uuid !parentId !sessionId",
     .read = read_gemini_line,
     .say = say_gemini_chat},
    {.when = "$set:object", .read = read_gemini_change},
    {.when = "$rewindTo:text", .read = rewind_gemini},
    {.when = "parts:array role=user|model {role|parts}", .message = &kContents},
    {.when = "timestamp type=init session_id model {type|timestamp|session_id|model}",
     .session = {.id = "session_id", .model = "model"},
     .adds = Utterance::Kind::heading,
     .time = "timestamp",
     .is_printed = true},
    {.when = "timestamp type=message role=user|assistant content "
             "{type|timestamp|role|content|delta}",
     .is_printed = true,
     .message = &kGeminiStream},
    {.when = "timestamp type=tool_use tool_id tool_name",
     .is_printed = true,
     .message = &kGeminiStream},
    {.when = "timestamp type=tool_result tool_id status",
     .is_printed = true,
     .message = &kGeminiStream},
    {.when = "timestamp type=error severity {type|timestamp|severity|message}",
     .adds = Utterance::Kind::silent,
     .time = "timestamp",
     .is_printed = true},
    {.when = "timestamp type=result status error {type|timestamp|status|error|stats}",
     .adds = Utterance::Kind::failed,
     .time = "timestamp",
     .error = "error/type",
     .error_is = "error",
     .is_of_run = true,
     .limits = "FatalTurnLimitedError",
     .is_printed = true,
     .usage = &kStreamUsage},
    {.when = "timestamp type=result status {type|timestamp|status|error|stats}",
     .adds = Utterance::Kind::silent,
     .time = "timestamp",
     .is_printed = true,
     .usage = &kStreamUsage},
    {.when = "stats/models response:text {session_id|response|stats|error|warnings}",
     .session = {.id = "session_id"},
     .is_echo = true,
     .message = &kDocument,
     .usage = &kDocumentUsage},
    {.when = "stats/models error {session_id|response|stats|error|warnings}",
     .session = {.id = "session_id"},
     .adds = Utterance::Kind::failed,
     .error = "error/type",
     .error_is = "error",
     .usage = &kDocumentUsage},
    {.when = "error/message session_id:text {session_id|response|stats|error|warnings}",
     .session = {.id = "session_id"},
     .adds = Utterance::Kind::failed,
     .error = "error/type",
     .error_is = "error"},
};

}  // namespace

extern constinit const Format kGeminiCli = format_of_shapes<kGeminiCliRecords>(
    "gemini-cli", "chats of Gemini CLI; its stream-json and json output");

}  // namespace xtrace
