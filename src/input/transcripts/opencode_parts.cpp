#include "input/transcripts/opencode_parts.h"

#include "base/one_of.h"
#include "base/place_name.h"
#include "input/calls/error_word.h"
#include "input/calls/message_draft.h"
#include "input/common/graph_parts.h"
#include "input/common/moments.h"
#include "input/transcripts/part.h"
#include "input/transcripts/printed.h"
#include "input/transcripts/utterance_reader.h"

namespace xtrace {

// Files below `storage`, one object each, all of a message named by its id:
//
//   session/…/ses_….json   {"id", "projectID", "directory", "parentID", "title", "time"}
//   message/…/msg_….json   the `info` of a message: {"id", "sessionID", "role", "time", …}
//   part/…/prt_….json      {"id", "sessionID", "messageID", "type", …}
//
// and lines, of answers alone:
//
//   {"type": "text"|"reasoning"|"tool_use"|"step_start"|"step_finish", "timestamp", "sessionID",
//    "part": {as above}}
//   {"type": "error", "timestamp", "sessionID", "error": {"name", "data"}}

namespace {

constexpr PieceShape kOpencodePartsPieces[] = {
    {.type = "text", .says = PieceShape::Says::text, .text = "text", .unless = "synthetic|ignored"},
    {.type = "reasoning", .says = PieceShape::Says::thought},
    {.type = "tool",
     .says = PieceShape::Says::tool,
     .id = "callID",
     .name = "tool",
     .arguments = "state/input",
     .output = "state/output|state/error",
     .began = "state/time/start",
     .ended = "state/time/end",
     .failed = {.is_true = "state/metadata/timeout",  // `completed` as well, as are:
                .exit_code = "state/metadata/exit",
                .word = "tool",
                .words = "invalid"}},
    {.says = PieceShape::Says::nothing},
};

/// What is said, and whether all went well, is in parts and their message apart.
void adjust_opencode_parts(json::element record, Utterance& said, Draft&) {
  if (said.kind == Utterance::Kind::asked) return;
  said.kind = Utterance::Kind::answered;
  said.begins_step = json::text_at(record, "type") == "step-start";
  if (said.cost == 0) said.cost = kNoCount;  // of subscriptions, and where no price is known
}

constexpr MessageShape kInfo = {.id = "id",
                                .session = "sessionID",
                                .model = "modelID",
                                .provider = "providerID",
                                .answer = "id",
                                .time = "time/created",
                                .ended = "time/completed",
                                .content = {},
                                .stop_reason = "finish",
                                .error = "error",
                                .cost = "cost",
                                .usage = "tokens",
                                .counts = kOpenCodeCounts,
                                .adjust = adjust_opencode_parts};

/// A part by itself; whose it is, its message tells.
constexpr MessageShape shape_of_part(Message::Role role) {
  return {.id = "id",
          .session = "sessionID",
          .answer = "messageID",
          .time = "time/start|state/time/start",
          .role = {},
          .spoken_by = role,
          .content = ".",
          .results = "state",
          .pieces = kOpencodePartsPieces,
          .stop_reason = "reason",
          .cost = "cost",
          .usage = "tokens",
          .counts = kOpenCodeCounts,
          .adjust = adjust_opencode_parts};
}
constexpr MessageShape kPartOfAnswer = shape_of_part(Message::Role::assistant),
                       kPartOfPrompt = shape_of_part(Message::Role::user);

/// What a tool gave, as it is in its part.
constexpr PieceShape kGave[] = {
    {.type = "status", .says = PieceShape::Says::tool_result, .output = "output|error"}};
constexpr MessageShape kState = {
    .role = {}, .spoken_by = Message::Role::user, .content = ".", .type = {}, .pieces = kGave};

bool is_opencode_part(json::element record) {
  RecordMatcher matcher(record);
  return matcher.matches(kOpenCodePart) || matcher.matches(kOpenCodeTextPart);
}

bool is_info(json::element record) {
  return RecordMatcher(record).matches(kOpenCodeInfo);
}

class Reading {
 public:
  Reading(const Part& whole, RecordContext& context)
      : whole_(whole), context_(context), shard_(context.shard) {
    said_.source = whole.at;
  }

  /// Of a subagent: which session it is part of.
  void read_session(json::element session) {
    const StringId id = shard_.intern(json::text_at(session, "id"));
    if (json::text_at(session, "parentID").empty())
      return head_opencode_session(session, "time/created", whole_, id, shard_);
    AgentRelation about = relation_of(said_, AgentRelation::Kind::started, id);
    about.session = shard_.intern(json::text_at(session, "parentID"));
    if (about.session) shard_.add(about);
  }

  void read_info(json::element info) {
    MessageReader(kInfo, context_).read(info, whole_);
    said_.session = shard_.intern(json::text_at(info, "sessionID"));
    read_time_on(info, "time/completed|time/created", said_);
    if (json::text_at(info, "role") == "user") {
      said_.kind = Utterance::Kind::asked;
      said_.id = shard_.intern(json::text_at(info, "id"));
      shard_.add(said_);
    } else if (json::is_true_on(info, "summary")) {
      said_.kind = Utterance::Kind::compacted;
      said_.id = opencode_summary_id(json::text_at(info, "id"), shard_);
      said_.form = Utterance::Form::summary;
      shard_.add(said_);
    }
  }

  /// A text may be of either side.
  void read_part(json::element part) {
    const std::string_view type = json::text_at(part, "type");
    said_.form = Utterance::Form::part;
    if (type == "text") read_piece(part, kPartOfPrompt, whole_.field("text"));
    read_part_of_answer(part, whole_);
  }

  void read_line(json::element line) {
    json::element value;
    mark_printed(said_);
    read_time_on(line, "timestamp", said_);
    if (json::find(line, "part", value)) return read_part_of_answer(value, whole_.field("part"));
    said_.kind = Utterance::Kind::failed;
    said_.session = shard_.intern(json::text_at(line, "sessionID"));
    said_.error = error_of(line);
    shard_.add(said_);
  }

 private:
  void read_part_of_answer(json::element part, const Part& place) {
    const std::string_view type = json::text_at(part, "type");
    if (type == "retry") return read_attempt(part);
    if (is_one_of(type, {"text", "reasoning", "tool", "step-start", "step-finish"}))
      read_piece(part, kPartOfAnswer, place);
    if (type != "tool") return;
    Utterance common;
    common.source = place.at;
    if (is_printed(said_)) mark_printed(common);
    common.session = shard_.intern(json::text_at(part, "sessionID"));
    read_opencode_task(part, kOpenCodePartTask, common, shard_);
  }

  void read_piece(json::element part, const MessageShape& shape, const Part& place) {
    MessageReader reader(shape, context_);
    const std::string_view session = json::text_at(part, "sessionID");
    if (!session.empty()) reader.keep_apart(session);
    reader.common.time = said_.time;
    reader.common.decimals = said_.decimals;
    reader.common.form = said_.form;
    if (is_printed(said_)) mark_printed(reader.common);
    reader.read(part, place);
  }

  void read_attempt(json::element part) {
    said_.kind = Utterance::Kind::failed;
    said_.id = shard_.intern(json::text_at(part, "id"));
    said_.answer = shard_.intern(json::text_at(part, "messageID"));
    said_.session = shard_.intern(json::text_at(part, "sessionID"));
    read_time_on(part, "time/created|time/start", said_);
    said_.error = error_of(part);
    shard_.add(said_);
  }

  StringId error_of(json::element record) {
    json::element error;
    const bool is_told = json::follow(record, "error/data|error", error);
    return shard_.intern(is_told ? error_word(error) : "error");
  }

  const Part& whole_;
  RecordContext& context_;
  Shard& shard_;
  Utterance said_;
};

}  // namespace

void head_opencode_session(json::element record, json::Path made, const Part& whole,
                           StringId session, Shard& shard) {
  Utterance heading;
  heading.kind = Utterance::Kind::heading;
  heading.way = Utterance::Way::copied;
  heading.source = whole.at;
  heading.session = session;
  json::element time;
  read_time_on(record, made, heading);
  if (heading.time != kNoTime) shard.add(heading);
}

StringId opencode_summary_id(std::string_view message, Shard& shard) {
  return message.empty() ? StringId{} : shard.intern(std::string(message) + "/summary");
}

std::span<const PieceShape> opencode_pieces() {
  return kOpencodePartsPieces;
}

constinit const OpenCodeTask kOpenCodePartTask = {.names = {"task", {}},
                                                  .name = "tool",
                                                  .id = "callID",
                                                  .session = "state/metadata/sessionId",
                                                  .agent_type = "state/input/subagent_type",
                                                  .began = "state/time/start",
                                                  .ended = "state/time/end"};

void read_opencode_task(json::element tool, const OpenCodeTask& task, const Utterance& common,
                        Shard& shard) {
  Utterance began, ended = common;
  const std::string name = json::text_on(tool, task.name);
  if (name.empty() || !is_one_of(name, task.names)) return;
  json::element value;
  if (json::follow(tool, task.began, value)) read_time(value, began);
  if (json::follow(tool, task.ended, value)) read_time(value, ended);
  AgentRelation report = relation_of(ended, AgentRelation::Kind::reported,
                                     shard.intern(json::text_on(tool, task.session)));
  if (!report.agent) return;
  report.tool_use = shard.intern(json::text_on(tool, task.id));
  const std::string type(json::text_on(tool, task.agent_type));
  if (is_name(type)) report.agent_type = shard.intern(type);  // else words, which are content
  const Duration took = elapsed(began.time, report.time);
  if (took >= Duration{0}) report.took = took;
  shard.add(report);
}

void read_opencode_session(const RecordMatcher& record, const Part& whole, Utterance&,
                           RecordContext& context) {
  Reading(whole, context).read_session(record);
}
void read_opencode_info(const RecordMatcher& record, const Part& whole, Utterance&,
                        RecordContext& context) {
  Reading(whole, context).read_info(record);
}
void read_opencode_part(const RecordMatcher& record, const Part& whole, Utterance&,
                        RecordContext& context) {
  Reading(whole, context).read_part(record);
}
void read_opencode_line(const RecordMatcher& record, const Part& whole, Utterance&,
                        RecordContext& context) {
  Reading(whole, context).read_line(record);
}

bool has_opencode_steps(json::element info, json::element parts) {
  if (!is_info(info)) return false;
  const std::string_view id = json::text_at(info, "id");
  size_t steps = 0;
  bool are_all = true;
  json::items(parts, [&](json::element part) {
    if (json::text_at(part, "type") == "step-finish") ++steps;
    are_all &= !json::text_at(part, "id").empty() && json::text_at(part, "messageID") == id;
  });
  return steps > 1 && are_all;
}

void read_opencode_steps(json::element message, const Part& whole, RecordContext& context) {
  json::element info;
  if (json::find(message, "info", info)) Reading(whole.field("info"), context).read_info(info);
  each_item(message, whole, "parts", [&](json::element part, const Part& place) {
    if (is_opencode_part(part)) Reading(place, context).read_part(part);
  });
}

bool say_opencode_parts(json::element record, Draft& said) {
  if (json::is_string(record)) return say_message(record, kPartOfPrompt, said), true;
  if (is_opencode_part(record)) return say_message(record, kPartOfAnswer, said), true;
  const bool is_state =
      json::text_at(record, "type").empty() && !json::text_at(record, "status").empty();
  if (is_state) say_message(record, kState, said);
  return is_state || is_info(record);
}

}  // namespace xtrace
