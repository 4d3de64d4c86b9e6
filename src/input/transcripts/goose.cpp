#include <vector>

#include "input/calls/message_draft.h"
#include "input/common/graph_parts.h"
#include "input/common/moments.h"
#include "input/common/record_context.h"
#include "input/transcripts/record_shape.h"
#include "input/transcripts/utterance_reader.h"

namespace xtrace {

// The sessions of Goose: one a document, as `goose session export` writes it,
//
//   {"id", "working_dir", "session_type", "provider_name", "model_config": {"model_name"},
//    "accumulated_usage": {"input_tokens", …}, until 1.37 "accumulated_input_tokens" and the like,
//    "conversation": [messages]}
//
// or a line for each message behind a line about the session, as it kept them until 1.10:
//
//   {"working_dir", "description", "message_count", …}
//   {"id", "role", "created": seconds, "content": [{"type": "text"|"thinking"|
//      "toolRequest", "id", "toolCall": {"status", "value": {"name", "arguments"}, "error"}|
//      "toolResponse", "id", "toolResult": {"status", "value": {"content", "isError",
//      "_meta": {"subagent_session_id"}}, "error"}|…]}
//
// `goose run --output-format json` prints {"messages": [messages], "metadata": {"total_tokens",
// "status"}}, and `stream-json` a line for each piece of a message, those of one answer with the
// same id, or one after the other without any:
//
//   {"type": "message", "message"}
//   {"type": "notification", "extension_id", "log" or "progress"}: of a tool at work
//   {"type": "error", "error"}
//   {"type": "complete", "total_tokens", and since 1.50 "input_tokens" (cached ones included),
//    "output_tokens", "cache_read_input_tokens", "cache_write_input_tokens", "cost_usd"}
//
// The latter are of the whole run. Whether `total_tokens` is of all calls or of the last one, no
// version says, so it counts nowhere.
//
// What tools gave is in a message of the user. The accumulated counts are those of all calls of the
// session. Its database also has a row for each call, in a list `usage` here: {"time", "model",
// "input_tokens", …, "is_compaction"}, which names no message. A subagent's session (`sub_agent`)
// names the one that it is part of (`parent_session_id`), in newer versions.

namespace {

constexpr PieceShape kGoosePieces[] = {
    {.type = "text", .says = PieceShape::Says::text, .text = "text"},
    {.type = "thinking", .says = PieceShape::Says::thought},
    {.type = "redactedThinking", .says = PieceShape::Says::thought},
    {.type = "toolRequest",
     .says = PieceShape::Says::tool_use,
     .id = "id",
     .name = "toolCall/value/name",
     .arguments = "toolCall/value/arguments"},
    {.type = "toolResponse",
     .says = PieceShape::Says::tool_result,
     .id = "id",
     .output = "toolResult/value/content|toolResult/value|toolResult/error",
     .failed = {.is_true = "toolResult/value/isError",
                .word = "toolResult/status",
                .words = "error"}},
    {.says = PieceShape::Says::nothing},  // what the program tells the user
};

void adjust_goose(json::element message, Utterance& said, Draft& draft) {
  // The program tells the user something in the model's name as well.
  const bool is_notice = json::text_on(message, "content/0/type") == "systemNotification";
  if (!draft.blocks.empty() || (said.kind != Utterance::Kind::asked && !is_notice)) return;
  const std::string told = json::text_on(message, "content/0/msg");
  if (told.find("compacted") != std::string::npos)
    said.kind = Utterance::Kind::compacted;
  else if (is_notice)
    said.kind = Utterance::Kind::silent;
}

constexpr MessageShape kGooseMessages = {
    .id = "id", .time = "created", .pieces = kGoosePieces, .adjust = adjust_goose};

constexpr MessageShape kGooseStream = {
    .answer = "id", .time = "created", .pieces = kGoosePieces, .adjust = adjust_goose};

constexpr UsageShape kAccumulated = {
    .input = "accumulated_usage/input_tokens|accumulated_input_tokens",
    .output = "accumulated_usage/output_tokens|accumulated_output_tokens",
    .cache_read = "accumulated_usage/cache_read_input_tokens|accumulated_cache_read_tokens",
    .cache_write = "accumulated_usage/cache_write_input_tokens|accumulated_cache_write_tokens",
    .total = "accumulated_usage/total_tokens|accumulated_total_tokens",
    .input_has_cache = true};
constexpr UsageShape kUsed = {.input = "input_tokens",
                              .output = "output_tokens",
                              .cache_read = "cache_read_tokens",
                              .cache_write = "cache_write_tokens",
                              .total = "total_tokens",
                              .input_has_cache = true};

constexpr SessionShape kGooseSession = {.id = "id",
                                        .model = "model_config/model_name",
                                        .provider = "provider_name",
                                        .project = "working_dir",
                                        .ai_title = "name|description"};

class GooseSession {
 public:
  GooseSession(const Utterance& said, const Part& whole, RecordContext& context)
      : shard_(context.shard), messages_(kGooseMessages, context), whole_(whole) {
    messages_.common = said;
  }

  void read(json::element record) {
    json::element value;
    if (json::text_at(record, "session_type") == "sub_agent") add_subagent(record);
    read_conversation(record);
    Utterance total = usage_of(messages_.common, kAgentSoFar);
    if (is_other_model_) total.model = {};
    total.tokens = read_usage(record, kAccumulated);
    if (json::find(record, "accumulated_cost", value)) total.cost = read_dollars(value);
    if (states_usage(total)) shard_.add(total);
  }

 private:
  /// Whose, is to be found out where it is not told.
  void add_subagent(json::element record) {
    const Utterance& common = messages_.common;
    AgentRelation about = relation_of(common, AgentRelation::Kind::started, common.session);
    about.session = shard_.intern(json::text_on(record, "parent_session_id"));
    if (!about.session) about.kind = AgentRelation::Kind::unclaimed;
    shard_.add(about);
  }

  /// Which subagents' sessions ended with what tools gave.
  void add_reports(json::element message, const Part& part) {
    json::element pieces, created;
    if (!json::find(message, "content", pieces)) return;
    json::items(pieces, [&](json::element piece) {
      Utterance told = messages_.common;
      told.source = part.at;
      read_time_on(message, "created", told);
      AgentRelation report = relation_of(
          told, AgentRelation::Kind::reported,
          shard_.intern(json::text_on(piece, "toolResult/value/_meta/subagent_session_id")));
      report.tool_use = shard_.intern(json::text_at(piece, "id"));
      if (report.agent) shard_.add(report);
    });
  }

  /// A row of the database: a call's usage, or a compaction, which is a call that nobody asked for.
  Utterance read_row(json::element row) {
    Utterance used = usage_of(messages_.common,
                              {.form = UsageTerms::Form::piece, .place = UsageTerms::Place::time});
    json::element value;
    read_time_on(row, "time", used);
    if (const StringId model = shard_.intern(json::text_at(row, "model"))) used.model = model;
    is_other_model_ |= used.model != messages_.common.model;
    used.tokens = read_usage(row, kUsed);
    if (json::find(row, "cost", value)) used.cost = read_dollars(value);
    if (json::count_on(row, "is_compaction", 0) == 0) return used;
    used.usage = {};
    used.kind = Utterance::Kind::answered;
    used.outcome = Outcome::ok;
    used.form = Utterance::Form::aside_summary;
    return used;
  }

  void read_conversation(json::element record) {
    std::vector<Utterance> compactions;
    each_item(record, whole_, "usage", [&](json::element row, const Part& part) {
      Utterance used = read_row(row);
      used.source = part.at;
      if (sums_up(used))
        compactions.push_back(used);
      else
        shard_.add(used);
    });
    size_t nth = 0;
    const auto add_compactions = [&](Time until) {
      for (; nth < compactions.size(); ++nth) {
        if (until != kNoTime && compactions[nth].time > until) return;
        shard_.add(compactions[nth]);
      }
    };
    each_item(record, whole_, "conversation", [&](json::element message, const Part& part) {
      json::element created;
      if (json::find(message, "created", created)) add_compactions(instant_of(created));
      messages_.read(message, part);
      if (json::text_at(message, "role") != "assistant") add_reports(message, part);
    });
    add_compactions(kNoTime);
  }

  Shard& shard_;
  MessageReader messages_;
  const Part& whole_;
  bool is_other_model_ = false;  ///< a call was of another one than the session's
};

void read_goose_session(const RecordMatcher& record, const Part& whole, Utterance& said,
                        RecordContext& context) {
  GooseSession(said, whole, context).read(record);
}

constexpr UsageRecord kGooseUsage = {
    .terms = kAgentSoFar, .counts = kAccumulated, .cost = "accumulated_cost"};

/// A run that starts anew states its totals again.
constexpr UsageRecord kGooseRun = {.terms = kAgentSoFar,
                                   .counts = {.input = "input_tokens",
                                              .output = "output_tokens",
                                              .cache_read = "cache_read_input_tokens",
                                              .cache_write = "cache_write_input_tokens",
                                              .total = "total_tokens",
                                              .input_has_cache = true},
                                   .cost = "cost_usd"};

constexpr RecordShape kGooseRecords[] = {
    // A subagent's session has no title that anybody would look for.
    {.when = "working_dir conversation session_type=sub_agent",
     .session = {.id = kGooseSession.id,
                 .model = kGooseSession.model,
                 .provider = kGooseSession.provider},
     .read = read_goose_session},
    {.when = "working_dir conversation", .session = kGooseSession, .read = read_goose_session},
    {.when = "working_dir message_count",
     .session = kGooseSession,
     .adds = Utterance::Kind::heading,
     .usage = &kGooseUsage},
    {.when = "created:number role=user|assistant content/0/type=text|thinking|redactedThinking|"
             "toolRequest|toolResponse|image|systemNotification|actionRequired|"
             "toolConfirmationRequest|frontendToolRequest",
     .message = &kGooseMessages},
    {.when = "type=message message/created:number message/role=user|assistant "
             "message/content/0/type",
     .is_printed = true,
     .message = &kGooseStream,
     .message_at = "message"},
    {.when = "messages/0/created:number messages/0/role=user|assistant messages/0/content/0/type "
             "metadata",
     .message = &kGooseMessages,
     .list = "messages"},
    {.when = "type=notification extension_id log|progress"},
    {.when = "type=error error:text {type|error}",
     .adds = Utterance::Kind::failed,
     .error = "error",
     .is_of_run = true,
     .is_printed = true,
     .is_ambiguous = true},
    {.when = "type=complete total_tokens",
     .adds = Utterance::Kind::silent,
     .is_printed = true,
     .usage = &kGooseRun},
    // The total is null where nobody counted.
    {.when = "type=complete {type|total_tokens}",
     .adds = Utterance::Kind::silent,
     .is_printed = true},
};

}  // namespace

extern constinit const Format kGoose = format_of_shapes<kGooseRecords>(
    "goose", "sessions of Goose: exports, JSONL up to version 1.10, output of `goose run`");

}  // namespace xtrace
