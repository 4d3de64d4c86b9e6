#include "base/digits.h"
#include "base/one_of.h"
#include "input/calls/answer.h"
#include "input/calls/error_word.h"
#include "input/common/graph_parts.h"
#include "input/common/record_context.h"
#include "input/transcripts/printed.h"
#include "input/transcripts/record_shape.h"
#include "input/transcripts/session_notes.h"
#include "input/transcripts/utterance_reader.h"

namespace xtrace {

// The sessions of pi, one line a record; since its second version lines have `id` and `parentId`:
//
//   {"type": "session", "id", "cwd", "provider", "modelId"}
//   {"type": "message", "timestamp", "message": {"role": …}}
//     user           {"content"}
//     assistant      {"content": [text, thinking or {"type": "toolCall", "id", "name",
//     "arguments"}],
//                     "provider", "model", "usage": {"input", "output", "cacheRead", "cacheWrite",
//                     "cost"}, "stopReason", "errorMessage"}: a whole answer
//     toolResult     {"toolCallId", "toolName", "content", "isError", "usage"}
//     bashExecution  {"command", "output"}: what the user ran by himself, and the model is told
//   {"type": "compaction", "summary", "usage"}: the summary stands for the conversation so far
//   {"type": "branch_summary", "fromId", "summary", "usage"}: of the branch that ended with that
//   {"type": "usage", "kind", "provider", "model", "usage"}: of a call beside the conversation
//   {"type": "title", "title"}: of Oh My Pi, before the first line
//   {"type": "model_change", "modelId"}, and further types that say nothing to the model
//
// `usage` beside a summary or a tool's result is that of calls which made it: pi adds it to what
// the session used up.
//
// What `--mode json` prints begins with the same line and goes on with events, which have no ids:
//
//   {"type": "message_end", "message": as above, with a timestamp of its own}
//   {"type": "tool_execution_end", "toolCallId", "toolName", "result": {"content"}, "isError"}
//   {"type": "message_start"|"message_update"|"turn_end"|"agent_end", …}: the same again

namespace {

void read_piece(json::element piece, Draft& draft) {
  std::string_view type = json::text_at(piece, "type");
  if (type != "toolCall") return read_block(piece, draft);
  read_tool_use(piece, {"id", "name", "arguments"}, draft);
}

/// What a tool gave, in a message or in an event.
void read_result(json::element told, Draft& draft) {
  Block& result = add_block(Block::Kind::tool_result, told, "content|result/content|result", draft);
  result.id = json::text_at(told, "toolCallId");
  result.is_error = json::is_true_on(told, "isError");
}

void read_pi_said(json::element message, Draft& draft) {
  std::string_view role = json::text_at(message, "role");
  if (role.empty() && !json::text_at(message, "toolCallId").empty()) role = "toolResult";
  draft.role = role == "assistant"                      ? Message::Role::assistant
               : role == "user" || role == "toolResult" ? Message::Role::user
                                                        : Message::Role::other;
  if (role == "toolResult") return read_result(message, draft);
  json::element content;
  const bool has_content = json::find(message, "content", content);
  for (std::string_view key : {"command", "output", "summary"})
    add_text(json::text_at(message, key), draft);
  if (!has_content) return;
  if (json::is_string(content)) read_block(content, draft);
  json::items(content, [&](json::element piece) { read_piece(piece, draft); });
}

/// Vendors' errors are passed on as `529 {…}`; of other words only their class may be told.
std::string class_of_error(json::element message) {
  std::string_view text = json::text(message);
  std::string_view status = text.substr(0, text.find(' '));
  bool is_status =
      status.size() == 3 && (status[0] == '4' || status[0] == '5') && are_digits(status);
  return is_status ? "http_" + std::string(status) : error_word(message);
}

constexpr UsageShape kPiCounts = {
    .input = "input", .output = "output", .cache_read = "cacheRead", .cache_write = "cacheWrite"};

class PiLine {
 public:
  PiLine(const Utterance& said, RecordContext& context)
      : context_(context), shard_(context.shard), said_(said) {}

  void read(json::element line) {
    const std::string_view type = json::text_at(line, "type");
    json::element message;
    if (type == "message" && json::find(line, "message", message)) return read_message(message);
    if (type == "model_change") add_model(line);
    if (type == "session_info")
      note_session(shard_, SessionNote::Kind::title, said_.source, {}, json::text_at(line, "name"));
    if (type == "compaction") return read_summary(line);
    if (type == "usage") add_own_call(line, said_);
    if (type == "branch_summary") add_summary_of_branch(line);
    if (type == "branch_summary" || type == "custom_message") return read_asked(line);
    shard_.add(said_);
  }

  /// A tool's result is recorded when the tool is done, and by some versions as a message behind
  /// that, which knows when it was.
  void read_event(json::element event) {
    const std::string_view type = json::text_at(event, "type");
    mark_printed(said_);
    json::element message = event, time;
    const bool is_message = type == "message_end" && json::find(event, "message", message);
    if (!is_message && type != "tool_execution_end") return shard_.add(said_);
    read_time_on(message, "timestamp", said_);
    if (std::string_view tool = json::text_at(message, "toolCallId"); !tool.empty()) {
      said_.id = shard_.intern(std::string(tool).append("/result"));
      said_.version = is_message ? Utterance::Version::newer : Utterance::Version::again;
    }
    is_message ? read_message(message) : read_asked(event);
  }

 private:
  void add_model(json::element line) {
    Utterance heading;
    heading.kind = Utterance::Kind::heading;
    heading.source = said_.source;
    heading.model = shard_.intern(json::text_at(line, "modelId"));
    shard_.add(heading);
  }

  void read_asked(json::element message) {
    said_.kind = Utterance::Kind::asked;
    add(message);
  }

  void add(json::element message) {
    Draft& draft = cleared(context_.draft);
    read_pi_said(message, draft);
    if (draft.blocks.empty()) return shard_.add(said_);
    add_utterance(said_, draft, context_);
  }

  void read_message(json::element message) {
    if (json::text_at(message, "role") == "toolResult") add_work_of_tool(message);
    if (json::text_at(message, "role") != "assistant") return read_asked(message);
    said_.kind = Utterance::Kind::answered;
    said_.form = Utterance::Form::whole;
    said_.outcome = Outcome::ok;
    bool is_empty = true;
    json::fields(message, [&](std::string_view key, json::element value) {
      if (key == "model")
        said_.model = shard_.intern(json::text(value));
      else if (key == "provider")
        said_.provider = shard_.intern(json::text(value));
      else if (key == "usage")
        read_spent(value, said_);
      else if (key == "stopReason")
        said_.stop_reason = shard_.intern(json::text(value));
      else if (key == "errorMessage")
        said_.error = shard_.intern(class_of_error(value));
      else if (key == "content")
        json::items(value, [&](json::element) { is_empty = false; });
    });
    std::string_view reason = json::text_at(message, "stopReason");
    if (reason == "aborted" || reason == "error") {
      said_.outcome = Outcome::error;
      if (reason == "aborted" || !said_.error) said_.error = shard_.intern(reason);
      if (is_empty) said_.kind = Utterance::Kind::failed;
    } else {
      said_.error = {};
    }
    add(message);
  }

  template <class Row>
  static void read_spent(json::element usage, Row& said) {
    said.tokens = read_usage(usage, kPiCounts);
    json::element cost, total;
    if (said.tokens != Tokens{} && json::find(usage, "cost", cost) &&
        json::find(cost, "total", total))
      said.cost = read_dollars(total);
  }

  /// What the models used up that a tool asked on its own.
  void add_work_of_tool(json::element message) {
    json::element usage;
    if (!json::find(message, "usage", usage)) return;
    AgentRelation work = relation_of(said_, AgentRelation::Kind::reported);
    work.tool_use = shard_.intern(json::text_at(message, "toolCallId"));
    work.agent_type = shard_.intern(json::text_at(message, "toolName"));
    read_spent(usage, work);
    if (work.tokens != Tokens{}) shard_.add(work);
  }

  /// A call of pi's own, which nobody asked for. False: what it used up is not told.
  bool add_own_call(json::element line, Utterance used) {
    json::element usage;
    if (!json::find(line, "usage", usage)) return false;
    read_spent(usage, used);
    if (used.tokens == Tokens{}) return false;
    used.kind = Utterance::Kind::answered;
    used.outcome = Outcome::ok;
    used.form = sums_up(used) ? Utterance::Form::aside_summary : Utterance::Form::aside;
    used.model = shard_.intern(json::text_at(line, "model"));
    used.provider = shard_.intern(json::text_at(line, "provider"));
    used.answer = used.id;
    if (used.id) used.id = id_of_use(used.id);
    Draft& draft = cleared(context_.draft);
    draft.role = Message::Role::assistant;
    add_text(json::text_at(line, "summary"), draft);
    draft.blocks.empty() ? shard_.add(used) : add_utterance(used, draft, context_);
    return true;
  }

  StringId id_of_use(StringId line) { return shard_.intern(std::string(shard_[line]) + "/usage"); }

  /// It was made at the end of the branch that was left.
  void add_summary_of_branch(json::element line) {
    Utterance used = said_;
    used.form = Utterance::Form::summary;
    if (const StringId from = shard_.intern(json::text_at(line, "fromId"))) used.after = from;
    add_own_call(line, used);
  }

  void read_summary(json::element line) {
    Utterance used = said_;
    used.form = Utterance::Form::summary;
    if (add_own_call(line, used) && said_.id) said_.after = id_of_use(said_.id);
    Utterance compacted = said_;
    compacted.kind = Utterance::Kind::compacted;
    compacted.id = {};  // what follows the line is behind its words
    shard_.add(compacted);
    said_.kind = Utterance::Kind::asked;
    add(line);
  }

  RecordContext& context_;
  Shard& shard_;
  Utterance said_;
};

void read_pi_line(json::element line, Draft& said) {
  json::element message;
  read_pi_said(json::find(line, "message", message) ? message : line, said);
}

constexpr RecordShape pi_line(RecordPattern when, decltype(RecordShape::read) read) {
  return {.when = when,
          .id = "id",
          .time = "timestamp",
          .after = "parentId",
          .read = read,
          .say = read_pi_line};
}

constexpr auto kPiRecord = read_with<PiLine, &PiLine::read>;
constexpr auto kPiEvent = read_with<PiLine, &PiLine::read_event>;

constexpr RecordShape kPiRecords[] = {
    {.when = "type=session id:known cwd:known",
     .session = {.id = "id", .model = "modelId", .project = "cwd"},
     .adds = Utterance::Kind::heading},
    // Others title their sessions as well, and state which.
    {.when = "type=title title {type|v|title|source|updatedAt|timestamp|pad}",
     .session = {.ai_title = "title"}},
    pi_line("type=message message/role:text timestamp:known", kPiRecord),
    pi_line("type=compaction|model_change|thinking_level_change|branch_summary|label|custom|"
            "session_info|custom_message|usage timestamp:known",
            kPiRecord),
    pi_line("type=message_start|message_update|message_end|turn_end message/role:text", kPiEvent),
    pi_line("type=tool_execution_* toolCallId:text toolName:text", kPiEvent),
    pi_line("type=agent_end messages:array", kPiEvent),
    pi_line("type=agent_start|turn_start {type}", kPiEvent),
};

}  // namespace

extern constinit const Format kPi =
    format_of_shapes<kPiRecords>("pi", "sessions of pi; output of `pi --mode json`");

}  // namespace xtrace
