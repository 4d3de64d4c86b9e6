#include "base/digits.h"
#include "base/one_of.h"
#include "facts/record.h"
#include "input/calls/message_draft.h"
#include "input/common/format.h"
#include "input/common/json_path.h"
#include "input/common/moments.h"
#include "input/common/record_context.h"
#include "input/transcripts/message_shape.h"
#include "input/transcripts/printed.h"
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

constexpr UsageShape kStreamCounts = {.input = "input_tokens",
                                      .output = "output_tokens",
                                      .cache_read = "cached",
                                      .total = "total_tokens",
                                      .input_has_cache = true};
constexpr UsageShape kGeminiOutputCounts = {.input = "prompt",
                                            .tools = "tool",
                                            .output = "candidates",
                                            .cache_read = "cached",
                                            .reasoning = "thoughts",
                                            .total = "total",
                                            .input_has_cache = true,
                                            .output_has_reasoning = false};

/// Has it these keys, and none but those?
bool has_only(json::element record, std::initializer_list<std::string_view> keys) {
  bool is_other = false;
  json::fields(record,
               [&](std::string_view key, json::element) { is_other |= !is_one_of(key, keys); });
  return !is_other;
}

bool is_gemini_output_line(json::element record) {
  const std::string_view type = json::text_at(record, "type");
  json::element time, value;
  if (!json::find(record, "timestamp", time)) return false;
  if (type == "init")
    return has_only(record, {"type", "timestamp", "session_id", "model"}) &&
           json::find(record, "session_id", value) && json::find(record, "model", value);
  if (type == "message")
    return has_only(record, {"type", "timestamp", "role", "content", "delta"}) &&
           json::find(record, "content", value) && json::is_string(value) &&
           is_one_of(json::text_at(record, "role"), {"user", "assistant"});
  if (type == "tool_use" || type == "tool_result")
    return json::find(record, "tool_id", value) &&
           json::find(record, type == "tool_use" ? "tool_name" : "status", value);
  if (type == "error")
    return has_only(record, {"type", "timestamp", "severity", "message"}) &&
           json::find(record, "severity", value);
  return type == "result" && has_only(record, {"type", "timestamp", "status", "error", "stats"}) &&
         json::find(record, "status", value);
}

bool is_gemini_document(json::element record) {
  json::element value;
  if (!has_only(record, {"session_id", "response", "stats", "error", "warnings"})) return false;
  if (json::follow(record, "stats/models", value))
    return json::find(record, "response", value) || json::find(record, "error", value);
  return json::follow(record, "error/message", value) && json::find(record, "session_id", value) &&
         json::is_string(value);
}

void read_tool_result(json::element line, Draft& draft) {
  Block& told = draft.blocks.emplace_back();
  told.kind = Block::Kind::tool_result;
  told.id = json::text_at(line, "tool_id");
  told.is_error = json::text_at(line, "status") == "error";
  told.has_body = json::follow(line, "output|error/message", told.body);
  if (told.has_body) told.text = json::text(told.body);
}

/// What a record says; nothing where it says nothing.
void say_gemini_output(json::element record, Draft& said) {
  const std::string_view type = json::text_at(record, "type");
  const bool is_answer =
      type.empty() || type == "tool_use" || json::text_at(record, "role") == "assistant";
  said.role = is_answer ? Message::Role::assistant : Message::Role::user;
  if (type == "tool_result") return read_tool_result(record, said);
  if (type == "tool_use")
    return read_tool_use(record, {"tool_id", "tool_name", "parameters"}, said);
  add_text(json::text_at(record, type.empty() ? "response" : "content"), said);
}

/// The stream counts thoughts in the total alone.
Tokens counted(json::element usage, const UsageShape& counts) {
  Tokens tokens = read_usage(usage, counts);
  const int64_t rest = json::count_on(usage, counts.total, 0) - total_of(tokens);
  if (tokens.output >= 0 && rest > 0) tokens.output += rest;
  return tokens;
}

constexpr UsageTerms kTotal = {.scope = UsageTerms::Scope::session,
                               .form = UsageTerms::Form::total};

class Record {
 public:
  Record(const Extent& at, RecordContext& context) : context_(context), shard_(context.shard) {
    said_.source = at;
  }

  void read_line(json::element line) {
    const std::string_view type = json::text_at(line, "type");
    json::element value;
    mark_printed(said_);
    if (json::find(line, "timestamp", value)) read_time(value, said_);
    if (type == "init") {
      said_.kind = Utterance::Kind::heading;
      said_.session = shard_.intern(json::text_at(line, "session_id"));
      said_.model = shard_.intern(json::text_at(line, "model"));
      return shard_.add(said_);
    }
    if (type == "result") {
      read_totals(line, ".", kStreamCounts);
      said_.is_whole = true;
      return read_failure(line);
    }
    const bool is_answer = type == "tool_use" || json::text_at(line, "role") == "assistant";
    if (is_answer) said_.outcome = Outcome::ok;
    if (type != "error") return add(is_answer, line);
    shard_.add(said_);
  }

  void read_document(json::element document) {
    said_.session = shard_.intern(json::text_at(document, "session_id"));
    read_totals(document, "tokens", kGeminiOutputCounts);
    if (json::text_at(document, "response").empty()) return read_failure(document);
    said_.outcome = Outcome::ok;
    said_.is_echo = said_.is_whole = true;
    add(true, document);
  }

 private:
  void add(bool is_answer, json::element record) {
    said_.kind = is_answer ? Utterance::Kind::answered : Utterance::Kind::asked;
    add_utterance(said_, record, say_gemini_output, context_);
  }

  void read_failure(json::element record) {
    json::element error;
    if (!json::find(record, "error", error) || error.is_null()) return shard_.add(said_);
    said_.kind = Utterance::Kind::failed;
    said_.error = shard_.intern(json::text_at(error, "type"));
    if (!said_.error) said_.error = shard_.intern("error");
    shard_.add(said_);
  }

  void read_totals(json::element record, json::Path usage, const UsageShape& counts) {
    json::element models, stats;
    const bool has_models = json::follow(record, "stats/models", models);
    if (!has_models && json::find(record, "stats", stats)) return read_total_of_all(stats, counts);
    if (!has_models) return;
    json::fields(models, [&](std::string_view model, json::element told) {
      Utterance total = usage_of(said_, kTotal);
      json::element used;
      total.model = shard_.intern(model);
      if (json::follow(told, usage, used)) total.tokens = counted(used, counts);
      total.calls = json::count_on(told, "api/totalRequests", kNoCount);
      shard_.add(total);
    });
  }

  /// The model that a run began with need not have been its only one.
  void read_total_of_all(json::element stats, const UsageShape& counts) {
    Utterance total = usage_of(said_, kTotal);
    total.tokens = counted(stats, counts);
    if (states_usage(total)) shard_.add(total);
  }

  RecordContext& context_;
  Shard& shard_;
  Utterance said_;
};

bool fits_gemini_output(json::element record) {
  return is_gemini_output_line(record) || is_gemini_document(record);
}

void read_gemini_output(json::element record, const Extent& at, RecordContext& context) {
  Record reading(at, context);
  is_gemini_output_line(record) ? reading.read_line(record) : reading.read_document(record);
}

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
    .summary = "chats of Gemini CLI; its stream-json and json output",
    .fits = fits_gemini_cli,
    .needs =
        "sessionId|timestamp|$set|$rewindTo|role|stats|error messages|projectHash|content|$set|"
        "$rewindTo|parts|model|tool_id|severity|status|stats|error",
    .read = read_gemini_cli,
    .say = say_gemini_cli,
};

}  // namespace xtrace
