#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "base/one_of.h"
#include "facts/stop_reasons.h"
#include "facts/turn_duration.h"
#include "input/calls/answer.h"
#include "input/calls/error_word.h"
#include "input/calls/quote.h"
#include "input/common/format.h"
#include "input/common/graph_parts.h"
#include "input/common/json_path.h"
#include "input/common/moments.h"
#include "input/common/record_context.h"
#include "input/transcripts/agent_notices.h"
#include "input/transcripts/claude_code_hooks.h"
#include "input/transcripts/claude_code_shape.h"
#include "input/transcripts/claude_code_totals.h"
#include "input/transcripts/claude_code_words.h"
#include "input/transcripts/failed_runs.h"
#include "input/transcripts/message_shape.h"
#include "input/transcripts/session_notes.h"
#include "input/transcripts/subagent_report.h"
#include "input/transcripts/teammates.h"
#include "input/transcripts/utterance_reader.h"

namespace xtrace {

// The session transcripts of Claude Code, all versions from 1.0 on, one line a record:
//
//   {"type": "user", "uuid", "parentUuid", "sessionId", "isSidechain", "timestamp",
//    "message": {"role", "content"}, "toolUseResult": {"agentId", "totalDurationMs", …}}
//   {"type": "assistant", …, "requestId", "message": {"id", "model", "content", "usage", …},
//    "costUSD", before 1.0.9}
//   {"type": "progress", …, "parentToolUseID",
//    "data": {"type": "agent_progress", "agentId", "prompt", "message": {"type", "message", …}}}
//   {"type": "system", …, "subtype": "compact_boundary", "logicalParentUuid"}
//   {"type": "system", …, "subtype": "turn_duration", "durationMs"}
//   {"type": "system", …, "subtype": "model_refusal_fallback", "originalModel", "direction"}
//   {"type": "system", …, "subtype": "api_error", "error", "retryInMs" or, as
//    printed, "api_retry", "error", "retry_delay_ms"}: before the next attempt
//   {"type": "cost-state", "startTime", "totalCostUSD", "modelUsage"}: what all used up so far
//   {"type": "summary", "summary", "leafUuid"}, {"type": "ai-title", "aiTitle"} and
//   {"type": "custom-title", "customTitle"}: what the session is called
//
// and types that say nothing but may stand between two that do. What `--output-format stream-json`
// gives has `session_id` and `parent_tool_use_id` instead, and with partial messages {"type":
// "stream_event", "event"} between the others; the web's export has a list of lines
// under `loglines`. Beside a subagent's own file stands one (`agent-….meta.json`) with `agentType`
// and, in newer versions, `toolUseId`. Agents of a workflow have files in
// `subagents/workflows/RUN`; RUN is the `runId` of the tool's result. `claude -p --output-format
// json` gives {"type": "result", "subtype", "result", "usage", "modelUsage", "total_cost_usd",
// "num_turns"} alone: the answer of the last call, and what all used up.

namespace {

/// https://code.claude.com/docs/en/permission-modes, read 2026-01. Of other words nobody knows what
/// they mean.
struct PermissionMode {
  std::string_view word;
  AsksLeave asks;
};
constexpr PermissionMode kPermissionModes[] = {
    {"default", AsksLeave::always},          {"plan", AsksLeave::always},
    {"acceptEdits", AsksLeave::not_to_edit}, {"auto", AsksLeave::never},
    {"dontAsk", AsksLeave::never},           {"bypassPermissions", AsksLeave::never}};

constexpr int64_t kLongestDay = 86400;  // seconds: no tool runs as long, and no count is more

/// Adds a call for each time that another model gave advice while this answer was written
/// (`usage.iterations` of the type `advisor_message`): the vendor asks it by itself, and counts its
/// usage apart from that of the answer. Each line of the answer states all so far.
void add_advice(json::element message, const Utterance& said, Shard& shard) {
  json::element iterations;
  if (!said.answer || !json::follow(message, "usage/iterations", iterations)) return;
  size_t nth = 0;
  json::items(iterations, [&](json::element iteration) {
    if (json::text_at(iteration, "type") != "advisor_message") return;
    Utterance advice = usage_of(said, {.form = UsageTerms::Form::piece});
    advice.outcome = Outcome::ok;
    advice.id = shard.intern(fmt::format("{}/advice-{}", shard[said.answer], ++nth));
    advice.answer = advice.id;
    advice.is_newer = true;
    advice.after = said.id;
    advice.model = shard.intern(json::text_at(iteration, "model"));
    advice.tokens = {};
    read_anthropic_usage(iteration, advice.tokens);
    shard.add(advice);
  });
}

class ClaudeCodeLine {
 public:
  /// `is_record`: nothing else stands at that place.
  ClaudeCodeLine(const Extent& at, RecordContext& context, bool is_record = true)
      : context_(context), shard_(context.shard), is_record_(is_record) {
    said_.source = at;
  }

  /// The record, where the line is one: what stands in it has a place of its own.
  ClaudeCodeLine& in(std::string_view record) { return record_ = record, *this; }

  void read(json::element line) {
    json::fields(line, [&](std::string_view key, json::element value) { read_field(key, value); });
    note_session(shard_, SessionNote::Kind::project, said_.source, said_.session, cwd_);
    note_session_of_teammate(said_, name_, team_, shard_);
    for (const PermissionMode& mode : kPermissionModes)
      if (mode.word == permission_mode_) note_leave(said_, mode.asks, shard_);
    if (type_ == "progress") return read_progress();
    if (type_ == "cost-state") add_cost_state(line, said_, shard_);
    if (type_ == "api-request-blob") return add();  // what a request held, which others tell
    // New versions bring new types; whoever says something has a role.
    std::string_view role = message_ ? json::text_at(*message_, "role") : std::string_view{};
    if (type_ == "user" || type_ == "tool_result" || role == "user") return read_asked(line);
    if (type_ == "assistant" || type_ == "tool_use" || role == "assistant")
      return read_answered(line);
    if (type_ == "system") return read_system(line);
    if (type_ == "attachment") return read_attachment(line);
    if (type_ == "result" && !subtype_.empty()) return read_result(line);
    if (type_ == "stream_event") read_streamed(line);
    said_.is_ambiguous = is_launch(line);
    if (type_ == "queue-operation") read_queued(line);
    read_title(line);
    add();
  }

  /// What a line about a subagent says of it: the lines inside it are said by that one.
  void inside(const Utterance& outer) {
    said_.session = outer.session;
    said_.agent = outer.agent;
    said_.tool_use = outer.tool_use;
    said_.prompt = outer.prompt;
    said_.in_subagent = true;
  }

 private:
  void read_field(std::string_view key, json::element value) {
    if (key == "type")
      type_ = json::text(value);
    else if (key == "uuid")
      said_.id = text(value);
    else if (key == "parentUuid")
      said_.after = text(value), said_.is_chained = true;
    else if (key == "logicalParentUuid")
      logical_parent_ = text(value);
    else if (key == "sessionId" || key == "session_id")
      said_.session = text(value);
    else if (key == "cwd")
      cwd_ = json::text(value);
    else if (key == "agentName")
      name_ = json::text(value);
    else if (key == "teamName")
      team_ = json::text(value);
    else if (key == "isSidechain")
      said_.in_subagent |= json::is_true(value);
    else if (key == "agentId")
      said_.agent = text(value);
    else if (key == "attributionAgent")
      said_.agent_type = text(value);
    else if (key == "attributionSkill")
      said_.skill = text(value);
    else if (key == "timestamp")
      read_time(value, said_);
    else if (key == "requestId")
      said_.request = text(value);
    else if (key == "parent_tool_use_id" && json::is_string(value))
      said_.tool_use = text(value), said_.in_subagent = true;
    else if (key == "parentToolUseID")
      parent_tool_use_ = text(value);
    else if (key == "forkedFrom")
      said_.is_copy = json::is_object(value);
    else if (key == "subtype")
      subtype_ = json::text(value);
    else if (key == "permissionMode")
      permission_mode_ = json::text(value);
    else if (key == "durationMs")
      took_ = read_milliseconds(value);
    else if (key == "costUSD")  // of versions before 1.0.9
      cost_ = read_dollars(value);
    else if (key == "retryInMs" || key == "retry_delay_ms")  // as it is kept, and printed
      waits_ = read_milliseconds(value);
    else if (key == "message")
      message_ = value;
    else if (key == "data")
      progress_ = value;
    else if (key == "toolUseResult" || key == "tool_use_result")  // as it is kept, and printed
      tool_use_result_ = value;
    else if (marks_program(key))
      is_meta_ |= json::is_true(value);
    else if (key == "origin") {  // a person's words, or a notice, like that a task is done
      is_persons_ = is_of_person(value);
      is_meta_ |= json::is_object(value) && !is_persons_;
    } else if (key == "isApiErrorMessage")
      is_error_ = json::is_true(value);
    else if (key == "error") {
      if (!value.is_null()) error_ = value;
    }
  }

  StringId text(json::element value) { return shard_.intern(json::text(value)); }
  void add() { shard_.add(said_); }

  /// Keeps the sizes of what read_claude_code_line() finds in the record, if that is the same.
  void measure(const Draft& draft) {
    if (!is_record_ || !message_ || progress_) return;
    const bool is_answer = type_ == "assistant";
    if (!is_answer || json::text_at(*message_, "role") == type_)
      said_.sizes = note_sizes(draft, is_answer, shard_);
  }

  void read_title(json::element line) {
    auto note = [&](SessionNote::Kind kind, std::string_view key, StringId ends_with = {}) {
      note_session(shard_, kind, said_.source, said_.session, json::text_at(line, key), ends_with);
    };
    if (type_ == "summary")
      note(SessionNote::Kind::summary, "summary", shard_.intern(json::text_at(line, "leafUuid")));
    else if (type_ == "ai-title")
      note(SessionNote::Kind::ai_title, "aiTitle");
    else if (type_ == "custom-title")
      note(SessionNote::Kind::title, "customTitle");
  }

  /// Of what the client puts beside what is said, notices of subagents are read, and what a person
  /// said while the model worked.
  void read_attachment(json::element line) {
    Draft& draft = cleared(context_.draft);
    json::element attachment;
    if (json::find(line, "attachment", attachment)) {
      note_hook(attachment, said_, shard_);
      read_attached(attachment, draft);
    }
    if (draft.blocks.empty()) return add();
    const bool is_persons = draft.role == Message::Role::user;
    if (is_persons && is_record_) said_.sizes = note_sizes(draft, false, shard_);
    if (!read_notifications(draft) && !is_persons) return add();
    said_.kind = Utterance::Kind::asked;
    add_utterance(said_, draft, context_);
  }

  /// What waits to be told to the model: of a notice that never was, only this tells.
  void read_queued(json::element line) {
    const std::string_view words = json::text_at(line, "content");
    if (!is_task_notification(words)) return;
    Draft& draft = cleared(context_.draft);
    draft.role = Message::Role::other;
    add_text(words, draft);
    add_message({}, draft, context_.parsers, shard_);
  }

  void read_asked(json::element line) {
    Draft& draft = cleared(context_.draft);
    if (message_) read_message(*message_, draft);
    measure(draft);
    if (type_ == "tool_result") {  // of an early version: the block is the line
      Block& result = draft.blocks.emplace_back();
      result.kind = Block::Kind::tool_result;
      result.text = json::text_at(line, "output");
    }
    const bool is_one = draft.blocks.size() == 1;
    // What the client puts in by itself is told to the model, but not by the user.
    const bool is_of_program =
        is_meta_ || is_interruption(draft) || (is_of_teammate(draft) && !is_persons_);
    draft.role = is_of_program ? Message::Role::other : Message::Role::user;
    if (is_meta_) note_hook_feedback(draft, said_, shard_);
    read_denial(line, draft);
    said_.kind = Utterance::Kind::asked;
    StringId result;
    for (const Block& block : draft.blocks)
      if (block.kind == Block::Kind::tool_result) result = shard_.intern(block.id);
    // Some tools count how long they ran, and subagents how long they worked.
    if (json::element took; tool_use_result_ && is_one &&
                            json::follow(*tool_use_result_, "durationMs|totalDurationMs", took))
      draft.blocks[0].took = read_milliseconds(took);
    if (is_one && !is_persons_) read_notifications(draft);
    if (result) read_task_outputs(draft);
    if (tool_use_result_) read_background_state(*tool_use_result_, draft);
    add_utterance(said_, draft, context_);
    if (!tool_use_result_ || !json::is_object(*tool_use_result_)) return;
    read_subagent_report(*tool_use_result_, record_, said_, result, context_);
    note_spawned_teammate(*tool_use_result_, said_, result, shard_);
  }

  void read_answered(json::element line) {
    Answer answer;
    if (message_) read_anthropic_answer(*message_, answer);
    measure(answer.message);
    const bool is_made_up = answer.model == "<synthetic>";                       // by the client
    const bool is_error = is_error_.value_or(is_made_up && error_.has_value());  // as printed
    if (is_made_up && !is_error) return read_made_up(answer.message);
    if (type_ == "tool_use") {
      read_tool_use(line, {"id", "name", "input"}, answer.message);
      answer.message.role = Message::Role::assistant;
    }
    said_.kind = Utterance::Kind::answered;
    said_.outcome = Outcome::ok;
    said_.answer = shard_.intern(answer.id);
    said_.model = shard_.intern(answer.model);
    said_.stop_reason = shard_.intern(answer.stop_reason);
    said_.tokens = answer.tokens;
    said_.output_is_low = has_first_count(answer);
    if (cost_ > 0) said_.cost = cost_;
    if (is_error) {
      said_.outcome = Outcome::error;
      std::string error = error_ ? error_word(*error_) : std::string();
      said_.error = shard_.intern(error.empty() ? "api_error" : error);
    }
    if (is_made_up) {  // in place of an answer that did not come
      said_.model = {};
      said_.is_of_client = true;
      said_.tokens = {};
      said_.cost = 0;
      said_.output_is_low = false;
    }
    add_utterance(said_, answer.message, context_);
    if (message_ && !is_made_up) add_advice(*message_, said_, shard_);
  }

  /// Words that stand in the conversation without a request that asked for them.
  void read_made_up(Draft& words) {
    words.role = Message::Role::other;
    said_.kind = Utterance::Kind::asked;
    said_.request = {};
    add_utterance(said_, words, context_);
  }

  void read_system(json::element line) {
    if (subtype_ == "api_error" || subtype_ == "api_retry") {
      said_.kind = Utterance::Kind::failed;
      said_.is_echo = subtype_ == "api_retry";  // printed, and kept as the former
      std::string error = error_ ? error_word(*error_) : std::string();
      said_.error = shard_.intern(error.empty() ? "api_error" : error);
      if (waits_ != kNoDuration) said_.place = after(said_.time, waits_);
    } else if (subtype_ == "model_refusal_fallback") {
      read_refusal(line);
    } else if (subtype_ == "compact_boundary") {
      said_.kind = Utterance::Kind::compacted;
      if (logical_parent_) said_.after = logical_parent_;
    } else if (subtype_ == "microcompact_boundary") {
      said_.kind = Utterance::Kind::pruned;
    } else if (subtype_ == "turn_duration" && took_ != kNoDuration) {
      Measurement told{said_.source, said_.time, {}, said_.session, kTurnDuration};
      told.number = std::chrono::duration<double, std::milli>(took_).count();
      shard_.add(told);
    } else if (subtype_ == "stop_hook_summary") {
      note_stop_hooks(line, said_, shard_);
    }
    add();
  }

  /// Another model is asked, and what the first one said before it refused may be taken out of the
  /// log: where that still owes an answer, it was an attempt that got none.
  void read_refusal(json::element line) {
    const std::string_view direction = json::text_at(line, "direction");
    if (!direction.empty() && direction != "retry") return;
    said_.kind = Utterance::Kind::failed;
    said_.is_awaited = true;
    said_.error = shard_.intern(kRefusal);
    said_.model = shard_.intern(bare_model(json::text_on(line, "originalModel|original_model")));
  }

  /// The end of a turn of `claude -p`: what its calls used up, and the answer of the last one,
  /// which may be all that is on record of them.
  void read_result(json::element result) {
    json::element part;
    Answer answer;
    read_anthropic_answer(result, answer);
    add_result_totals(result, said_, answer.tokens, shard_);
    said_.kind = Utterance::Kind::answered;
    said_.is_echo = said_.is_whole = true;
    said_.answer = said_.id;
    said_.outcome = Outcome::ok;
    if (json::find(result, "modelUsage", part))
      json::fields(part, [&](std::string_view model, json::element) {
        said_.model =
            said_.model ? StringId{} : shard_.intern(bare_model(model));  // of one it is known
      });
    if (json::find(result, "is_error", part) && json::is_true(part)) said_.outcome = Outcome::error;
    if (subtype_.starts_with("error")) said_.outcome = Outcome::error;
    if (said_.outcome == Outcome::error)
      said_.error = shard_.intern(subtype_ == "success" ? kRequestFailed : subtype_);
    add();
  }

  /// How an answer comes in, as a run prints it: its counts when it begins, and when it ends.
  void read_streamed(json::element line) {
    json::element event, usage;
    if (!json::find(line, "event", event)) return;
    const bool is_begin = json::text_at(event, "type") == "message_start";
    Utterance used =
        usage_of(said_, {.form = UsageTerms::Form::piece,
                         .place = is_begin ? UsageTerms::Place::opens : UsageTerms::Place::before});
    used.answer = shard_.intern(json::text_on(event, "message/id"));
    used.model = shard_.intern(json::text_on(event, "message/model"));
    used.stop_reason = shard_.intern(json::text_on(event, "delta/stop_reason"));
    used.output_is_low = is_begin;
    if (json::follow(event, is_begin ? "message/usage" : "usage", usage))
      read_anthropic_usage(usage, used.tokens);
    if (is_begin ? bool{used.answer} : used.tokens.output > 0) shard_.add(used);
  }

  /// What a tool prints shows that it is at work; hooks are asked before that.
  void note_at_work() {
    if (!progress_ || !parent_tool_use_) return;
    const std::string_view type = json::text_at(*progress_, "type");
    if (!type.ends_with("_progress") || is_one_of(type, {"hook_progress", "agent_progress"}))
      return;
    json::element told;
    said_.item = parent_tool_use_;
    said_.is_aside = true;
    said_.took = Duration{0};
    if (json::follow(*progress_, "elapsedTimeMs", told))
      said_.took = read_milliseconds(told);
    else if (const int64_t seconds = json::count_on(*progress_, "elapsedTimeSeconds", 0);
             seconds < kLongestDay)
      said_.took = std::chrono::seconds(seconds);
  }

  void read_progress() {
    note_at_work();
    add();
    if (progress_) note_hook(*progress_, said_, shard_);
    if (!progress_ || json::text_at(*progress_, "type") != "agent_progress") return;
    Utterance outer = said_;
    outer.item = {};
    outer.tool_use = parent_tool_use_;
    std::optional<json::element> message;
    json::fields(*progress_, [&](std::string_view key, json::element value) {
      if (key == "agentId")
        outer.agent = text(value);
      else if (key == "prompt" && !json::text(value).empty())
        outer.prompt = intern_prompt(json::text(value), shard_);
      else if (key == "message" && json::is_object(value))
        message = value;
    });
    if (!message) return;
    ClaudeCodeLine line(said_.source, context_, is_record_);
    line.said_.time = said_.time;
    line.said_.decimals = said_.decimals;
    line.inside(outer);
    line.read(*message);
  }

  RecordContext& context_;
  Shard& shard_;
  Utterance said_;
  std::string_view type_, subtype_, cwd_, name_, team_, record_;
  StringId logical_parent_, parent_tool_use_;
  std::optional<json::element> message_, progress_, tool_use_result_, error_;
  Duration took_ = kNoDuration, waits_ = kNoDuration;
  std::string_view permission_mode_;
  int64_t cost_ = kNoCount;
  bool is_record_, is_meta_ = false, is_persons_ = false;
  std::optional<bool> is_error_;
};

void read_claude_code(json::element record, std::string_view text, const Extent& at,
                      RecordContext& context) {
  context.shard.count_record();
  json::element lines;
  if (json::find(record, "loglines", lines))
    return json::items(lines,
                       [&](json::element line) { ClaudeCodeLine(at, context, false).read(line); });
  if (!is_about_agent(record)) return ClaudeCodeLine(at, context).in(text).read(record);
  Utterance about;
  about.kind = Utterance::Kind::agent;
  about.source = at;
  about.in_subagent = true;
  about.agent_type = context.shard.intern(json::text_at(record, "agentType"));
  about.tool_use = context.shard.intern(json::text_at(record, "toolUseId"));
  if (!about.tool_use) about.item = teammate_named(record, context.shard);
  context.shard.add(about);
}

void read_claude_code_line(json::element line, Draft& said) {
  json::element message, part;
  if (json::find(line, "data", part) && json::find(part, "message", message))
    return read_claude_code_line(message, said);
  if (json::find(line, "message", message)) read_message(message, said);
  if (json::find(line, "attachment", part)) return read_attached(part, said);
  // What a tool's record notes of the subagent that it started says how that one ended.
  const bool is_closing = json::find(line, "agentId", part) && json::find(line, "usage", part);
  if (is_closing) read_message(line, said);
  std::string_view type = json::text_at(line, "type");
  said.role = type == "assistant" || is_closing ? Message::Role::assistant : Message::Role::user;
}

}  // namespace

extern constinit const Format kClaudeCode = {
    .name = "claude-code",
    .summary = "sessions of Claude Code and its subagents; stream-json output",
    .fits = fits_claude_code,
    .needs = "type|agentType|loglines|runId|key",
    .read = read_claude_code,
    .say = read_claude_code_line,
};

}  // namespace xtrace
