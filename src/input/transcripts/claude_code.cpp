#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "base/one_of.h"
#include "facts/stop_reasons.h"
#include "facts/turn_duration.h"
#include "input/calls/answer.h"
#include "input/calls/error_word.h"
#include "input/calls/quote.h"
#include "input/common/graph_parts.h"
#include "input/common/json_path.h"
#include "input/common/moments.h"
#include "input/common/record_context.h"
#include "input/transcripts/claude_code_parts.h"
#include "input/transcripts/message_shape.h"
#include "input/transcripts/record_shape.h"
#include "input/transcripts/session_notes.h"
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
// and types that say nothing but may be between two that do. What `--output-format stream-json`
// gives has `session_id` and `parent_tool_use_id` instead, and with partial messages {"type":
// "stream_event", "event"} between the others; the web's export has a list of lines under
// `loglines`. Beside a subagent's own file stands one (`agent-….meta.json`) with `agentType` and,
// in newer versions, `toolUseId`. Agents of a workflow have files in `subagents/workflows/RUN`; RUN
// is the `runId` of the tool's result. `claude -p --output-format json` gives {"type": "result",
// "subtype", "result", "usage", "modelUsage", "total_cost_usd", "num_turns"} alone: the answer of
// the last call, and what all used up.

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
void add_claude_advice(json::element message, const Utterance& said, Shard& shard) {
  json::element iterations;
  if (!said.answer || !json::follow(message, "usage/iterations", iterations)) return;
  size_t nth = 0;
  json::items(iterations, [&](json::element iteration) {
    if (json::text_at(iteration, "type") != "advisor_message") return;
    Utterance advice = usage_of(said, kOfCall);
    advice.outcome = Outcome::ok;
    advice.id = shard.intern(fmt::format("{}/advice-{}", shard[said.answer], ++nth));
    advice.answer = advice.id;
    advice.version = Utterance::Version::newer;
    advice.after = said.id;
    advice.model = shard.intern(json::text_at(iteration, "model"));
    advice.tokens = {};
    read_anthropic_usage(iteration, advice.tokens);
    shard.add(advice);
  });
}

using ClaudeLine = const RecordMatcher&;

/// Keeps the sizes of what say_claude_code_line() finds in the record, if that is the same.
void measure_claude_line(ClaudeLine line, const Part& whole, const Draft& draft, Utterance& said,
                         Shard& shard) {
  json::element message, data;
  if (whole.text.empty() || !line.find("message", message) || line.find("data", data)) return;
  const std::string_view type = line.text_at("type");
  const bool is_answer = type == "assistant";
  if (!is_answer || json::text_at(message, "role") == type)
    said.sizes = note_sizes(draft, is_answer, shard);
}

/// Whose session it is, and what the client asks the person from then on.
void note_claude_client(ClaudeLine line, const Part&, Utterance& said, RecordContext& context) {
  note_session_of_teammate(said, line.text_at("agentName"), line.text_at("teamName"),
                           context.shard);
  said.skill = context.shard.intern(line.text_at("attributionSkill"));
  const std::string_view word = line.text_at("permissionMode");
  if (word.empty()) return;
  for (const PermissionMode& mode : kPermissionModes)
    if (mode.word == word) note_leave(said, mode.asks, context.shard);
}

void read_claude_summary(ClaudeLine line, const Part& whole, Utterance& said,
                         RecordContext& context) {
  Shard& shard = context.shard;
  note_session(shard, SessionNote::Kind::summary, whole.at, said.session, line.text_at("summary"),
               shard.intern(line.text_at("leafUuid")));
  shard.add(said);
}

/// Of what the client puts beside what is said, notices of subagents are read, and what a person
/// said while the model worked.
void read_claude_attachment(ClaudeLine line, const Part& whole, Utterance& said,
                            RecordContext& context) {
  Draft& draft = cleared(context.draft);
  json::element attachment;
  if (line.find("attachment", attachment)) {
    note_hook(attachment, said, context.shard);
    read_attached(attachment, draft);
  }
  if (draft.blocks.empty()) return context.shard.add(said);
  const bool is_persons = draft.role == Message::Role::user;
  if (is_persons && !whole.text.empty()) said.sizes = note_sizes(draft, false, context.shard);
  if (!read_notifications(draft) && !is_persons) return context.shard.add(said);
  said.kind = Utterance::Kind::asked;
  add_utterance(said, draft, context);
}

/// What waits to be told to the model: of a notice that never was, only this tells.
void read_claude_queued(ClaudeLine line, const Part&, Utterance& said, RecordContext& context) {
  if (const std::string_view words = line.text_at("content"); is_task_notification(words)) {
    Draft& draft = cleared(context.draft);
    draft.role = Message::Role::other;
    add_text(words, draft);
    add_message({}, draft, context.parsers, context.shard);
  }
  context.shard.add(said);
}

void read_claude_asked(ClaudeLine line, const Part& whole, Utterance& said,
                       RecordContext& context) {
  Shard& shard = context.shard;
  Draft& draft = cleared(context.draft);
  json::element message, noted, origin, took;
  if (line.find("message", message)) read_message(message, draft);
  measure_claude_line(line, whole, draft, said, shard);
  if (line.text_at("type") == "tool_result") {  // of an early version: the block is the line
    Block& result = draft.blocks.emplace_back();
    result.kind = Block::Kind::tool_result;
    result.text = line.text_at("output");
  }
  const bool is_one = draft.blocks.size() == 1;
  // A person's words, or a notice, like that a task is done.
  const bool has_origin = line.find("origin", origin);
  const bool is_persons = has_origin && is_of_person(origin);
  // What the client puts in by itself is told to the model, but not by the user.
  const bool is_of_program = is_of_client(line) || is_interruption(draft) ||
                             (has_origin && json::is_object(origin) && !is_persons) ||
                             (is_of_teammate(draft) && !is_persons);
  draft.role = is_of_program ? Message::Role::other : Message::Role::user;
  if (is_of_client(line)) note_hook_feedback(draft, said, shard);
  read_denial(line, draft);
  said.kind = Utterance::Kind::asked;
  StringId result;
  for (const Block& block : draft.blocks)
    if (block.kind == Block::Kind::tool_result) result = shard.intern(block.id);
  const bool has_notes = line.follow("toolUseResult|tool_use_result", noted);
  // A note that is text is an error's, which not every version marks in the result as well.
  if (result && is_one && has_notes && json::text(noted).starts_with("Error: "))
    draft.blocks[0].is_error = true;
  // Some tools count how long they ran, and subagents how long they worked.
  if (has_notes && is_one && json::follow(noted, "durationMs|totalDurationMs", took))
    draft.blocks[0].took = read_milliseconds(took);
  if (is_one && !is_persons) read_notifications(draft);
  if (result) read_task_outputs(draft);
  if (has_notes) read_background_state(noted, draft);
  add_utterance(said, draft, context);
  if (!has_notes || !json::is_object(noted)) return;
  read_subagent_report(noted, whole, said, result, context);
  note_spawned_teammate(noted, said, result, shard);
}

void read_claude_answered(ClaudeLine line, const Part& whole, Utterance& said,
                          RecordContext& context) {
  Shard& shard = context.shard;
  Answer answer;
  json::element message, error, value;
  const bool has_message = line.find("message", message);
  if (has_message) read_anthropic_answer(message, answer);
  measure_claude_line(line, whole, answer.message, said, shard);
  const bool has_error = line.follow("error", error);
  const bool is_made_up = answer.model == "<synthetic>";  // by the client
  const bool is_error = line.find("isApiErrorMessage", value)
                            ? json::is_true(value)
                            : is_made_up && has_error;  // as printed
  if (is_made_up && !is_error) {  // words without a request that asked for them
    answer.message.role = Message::Role::other;
    said.kind = Utterance::Kind::asked;
    said.request = {};
    return add_utterance(said, answer.message, context);
  }
  if (line.text_at("type") == "tool_use") {
    read_tool_use(line, {"id", "name", "input"}, answer.message);
    answer.message.role = Message::Role::assistant;
  }
  said.kind = Utterance::Kind::answered;
  said.outcome = Outcome::ok;
  said.answer = shard.intern(answer.id);
  said.model = shard.intern(answer.model);
  said.stop_reason = shard.intern(answer.stop_reason);
  said.tokens = answer.tokens;
  said.output_is_low = has_first_count(answer);
  if (line.find("costUSD", value) && read_dollars(value) > 0)  // before version 1.0.9
    said.cost = read_dollars(value);
  if (is_error) {
    said.outcome = Outcome::error;
    const std::string word = has_error ? error_word(error) : std::string();
    said.error = shard.intern(word.empty() ? "api_error" : word);
  }
  if (is_made_up) {  // in place of an answer that did not come
    said.model = {};
    said.is_of_client = true;
    said.tokens = {};
    said.cost = 0;
    said.output_is_low = false;
  }
  add_utterance(said, answer.message, context);
  if (has_message && !is_made_up) add_claude_advice(message, said, shard);
}

void read_claude_turn_duration(ClaudeLine line, const Part&, Utterance& said,
                               RecordContext& context) {
  json::element value;
  if (line.find("durationMs", value))
    if (const Duration took = read_milliseconds(value); took != kNoDuration) {
      Measurement told{said.source, said.time, {}, said.session, kTurnDuration};
      told.number = std::chrono::duration<double, std::milli>(took).count();
      context.shard.add(told);
    }
  context.shard.add(said);
}

void read_claude_stop_hooks(ClaudeLine line, const Part&, Utterance& said, RecordContext& context) {
  note_stop_hooks(line, said, context.shard);
  context.shard.add(said);
}

/// Another model is asked, and what the first one said before it refused may be taken out of the
/// log: where that still owes an answer, it was an attempt that got none.
void read_claude_refusal(ClaudeLine line, const Part&, Utterance& said, RecordContext& context) {
  said.kind = Utterance::Kind::failed;
  said.is_owed = true;
  said.error = context.shard.intern(kRefusal);
  said.model =
      context.shard.intern(bare_model(json::text_on(line, "originalModel|original_model")));
  context.shard.add(said);
}

/// What a tool prints shows that it is at work; hooks are asked before that.
void note_claude_at_work(ClaudeLine line, json::element data, const Utterance& said, Shard& shard) {
  const std::string_view type = json::text_at(data, "type");
  const StringId tool_use = shard.intern(line.text_at("parentToolUseID"));
  if (!tool_use || !type.ends_with("_progress") ||
      is_one_of(type, {"hook_progress", "agent_progress"}))
    return;
  json::element told;
  ToolRun run{said.source, tool_use, said.time, Duration{0}};
  if (json::follow(data, "elapsedTimeMs", told))
    run.took = read_milliseconds(told);
  else if (const int64_t seconds = json::count_on(data, "elapsedTimeSeconds", 0);
           seconds < kLongestDay)
    run.took = std::chrono::seconds(seconds);
  shard.add(run);
}

void read_claude_line(json::element line, const Part& whole, const Utterance& said,
                      RecordContext& context);

/// The line inside one about a subagent is said by that one.
void read_claude_progress(ClaudeLine line, const Part& whole, Utterance& said,
                          RecordContext& context) {
  Shard& shard = context.shard;
  json::element data, message;
  const bool has_data = line.find("data", data);
  if (has_data) note_claude_at_work(line, data, said, shard);
  shard.add(said);
  if (has_data) note_hook(data, said, shard);
  if (!has_data || json::text_at(data, "type") != "agent_progress" ||
      !json::find(data, "message", message) || !json::is_object(message))
    return;
  Utterance inside;
  inside.time = said.time;
  inside.decimals = said.decimals;
  inside.session = said.session;
  inside.agent = said.agent;
  if (const StringId agent = shard.intern(json::text_at(data, "agentId"))) inside.agent = agent;
  inside.tool_use = shard.intern(line.text_at("parentToolUseID"));
  if (const std::string_view prompt = json::text_at(data, "prompt"); !prompt.empty())
    inside.prompt = intern_prompt(prompt, shard);
  inside.in_subagent = true;
  read_claude_line(message, whole, inside, context);
}

/// A subagent's type, and what started it, as its own file's neighbor states them.
void read_claude_about_agent(ClaudeLine line, const Part&, Utterance& said,
                             RecordContext& context) {
  AgentRelation about = relation_of(said, AgentRelation::Kind::described);
  about.agent_type = said.agent_type;
  about.tool_use = context.shard.intern(line.text_at("toolUseId"));
  if (!about.tool_use) about.path = teammate_named(line, context.shard);
  context.shard.add(about);
}

/// Lines that the web's export lists have no places of their own.
void read_claude_loglines(ClaudeLine line, const Part& whole, Utterance&, RecordContext& context) {
  json::element lines;
  if (!line.find("loglines", lines)) return;
  json::items(lines, [&](json::element item) {
    read_claude_line(item, {{}, whole.at}, {}, context);
  });
}

void say_claude_code_line(json::element line, Draft& said) {
  json::element message, part;
  if (json::find(line, "data", part) && json::find(part, "message", message))
    return say_claude_code_line(message, said);
  if (json::find(line, "message", message)) read_message(message, said);
  if (json::find(line, "attachment", part)) return read_attached(part, said);
  // What a tool's record notes of the subagent that it started says how that one ended.
  const bool is_closing = json::find(line, "agentId", part) && json::find(line, "usage", part);
  if (is_closing) read_message(line, said);
  std::string_view type = json::text_at(line, "type");
  said.role = type == "assistant" || is_closing ? Message::Role::assistant : Message::Role::user;
}

// New versions bring new types; whoever says something has a role.
constexpr RecordShape kClaudeCodeLines[] = {
    {.when = "type=progress", .read = read_claude_progress},
    {.when = "type=cost-state", .read = read_claude_cost_state},
    // What a request held, which others tell.
    {.when = "type=api-request-blob", .adds = Utterance::Kind::silent},
    {.when = "type=user|tool_result", .read = read_claude_asked},
    {.when = "message/role=user", .read = read_claude_asked},
    {.when = "type=assistant|tool_use", .read = read_claude_answered},
    {.when = "message/role=assistant", .read = read_claude_answered},
    {.when = "type=system subtype=api_error",
     .adds = Utterance::Kind::failed,
     .error = "error",
     .error_is = "api_error",
     .waits = "retryInMs"},
    // The former, as it is printed.
    {.when = "type=system subtype=api_retry",
     .adds = Utterance::Kind::failed,
     .error = "error",
     .error_is = "api_error",
     .waits = "retry_delay_ms",
     .is_echo = true},
    {.when = "type=system subtype=model_refusal_fallback direction=retry",
     .read = read_claude_refusal},
    {.when = "type=system subtype=model_refusal_fallback !direction:text",
     .read = read_claude_refusal},
    {.when = "type=system subtype=compact_boundary",
     .adds = Utterance::Kind::compacted,
     .after = "logicalParentUuid"},
    {.when = "type=system subtype=microcompact_boundary", .adds = Utterance::Kind::pruned},
    {.when = "type=system subtype=turn_duration", .read = read_claude_turn_duration},
    {.when = "type=system subtype=stop_hook_summary", .read = read_claude_stop_hooks},
    {.when = "type=attachment", .read = read_claude_attachment},
    {.when = "type=result subtype:text", .read = read_claude_result},
    {.when = "type=stream_event", .read = read_claude_streamed},
    {.when = "type=queue-operation", .read = read_claude_queued},
    {.when = "type=summary", .read = read_claude_summary},
    {.when = "type=ai-title", .session = {.ai_title = "aiTitle"}, .adds = Utterance::Kind::silent},
    {.when = "type=custom-title",
     .session = {.title = "customTitle"},
     .adds = Utterance::Kind::silent},
    {.when = "", .adds = Utterance::Kind::silent},
};

constexpr RecordShape claude_code_line(RecordPattern when) {
  return {.when = when,
          .session = {.id = "sessionId|session_id", .project = "cwd"},
          .id = "uuid",
          .time = "timestamp",
          .after = "parentUuid",
          .copied_from = "forkedFrom",
          .request = "requestId",
          .in_subagent = "isSidechain",
          .agent = "agentId",
          .agent_type = "attributionAgent",
          .started_by = "parent_tool_use_id",
          .read = note_claude_client,
          .kinds = kClaudeCodeLines,
          .say = say_claude_code_line};
}

constexpr RecordShape kClaudeCodeRecords[] = {
    // Not steps of a query (step_events.cpp), records that hold their messages themselves, and
    // lines of those who write much as this one does: Gemini CLI numbers prompts, Qwen Code says it
    // in parts, Kimi adds to a context.
    claude_code_line("type:text sessionId|session_id|uuid|parentUuid|messageId|leafUuid|"
                     "total_cost_usd|message/content !type=context.* "
                     "!messages !node !payload !queryId !usageMetadata !systemPayload "
                     "!messageId:number !message/parts"),
    // Lines that may name neither a session nor another line.
    claude_code_line("type=artifact-autoreact-ledger|cost-state|fork-context-ref|frame-link|"
                     "speculation-accept"),
    {.when = "type=launched {type}", .adds = Utterance::Kind::silent, .is_ambiguous = true},
    // How a workflow stands, or that an agent of it began or ended: their own files tell the same.
    claude_code_line("runId=wf_* workflowProgress:known"),
    claude_code_line("key=v2:* agentId:text"),
    {.when = "agentType:text !type:text",
     .agent_type = "agentType",
     .read = read_claude_about_agent},
    {.when = "loglines:array", .read = read_claude_loglines, .say = say_claude_code_line},
};

void read_claude_line(json::element line, const Part& whole, const Utterance& said,
                      RecordContext& context) {
  read_as(kClaudeCodeRecords[0], line, whole, said, context);
}

}  // namespace

extern constinit const Format kClaudeCode = format_of_shapes<kClaudeCodeRecords>(
    "claude-code", "sessions of Claude Code and its subagents; stream-json output");

}  // namespace xtrace
