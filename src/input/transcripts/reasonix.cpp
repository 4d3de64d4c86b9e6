#include "input/transcripts/record_shape.h"

namespace xtrace {

// The sessions of Reasonix, a line for each message. Its first generation, in TypeScript, writes
// messages of Chat Completions and nothing else,
//
//   {"role", "content", "name", "tool_call_id", "tool_calls": [as OpenAI has them],
//    "reasoning_content"}
//
// beside them `<name>.meta.json` with totals, {"workspace", "summary", "totalCostUsd",
// "turnCount", "cacheHitTokens", "cacheMissTokens", "totalCompletionTokens"}, and for all sessions
// `usage.jsonl`, a line for each turn: {"ts", "session", "model", "promptTokens",
// "completionTokens", "cacheHitTokens", "cacheMissTokens", "costUsd"}; the prompt is what hit the
// cache and what missed it. The second one, in Go, adds
//
//   "createdAt", "tool_calls": [{"id", "name", "arguments"}],
//   "tool_execution": {"state", "exitCode", "durationMs"}
//
// and `<id>.jsonl.meta` with {"workspace_root", "topic_title", "model"}. Some lines in between have
// "ts", "model" and "usage".

namespace {

constexpr PieceShape kReasonixPieces[] = {
    kOpenaiToolUse,
    kPlainToolUse,
    openai_tool_result({.exit_code = "tool_execution/exitCode", .outcome = "tool_execution/state"}),
    {.type = "content", .says = PieceShape::Says::text, .text = "content|content/0/text"},
    {.says = PieceShape::Says::nothing},
};

constexpr MessageShape kReasonixMessages = {
    .session = "session_id|sessionId",
    .model = "model",
    .time = "createdAt|ts|timestamp",
    .content = ".",
    .calls = "tool_calls",
    .type = "",
    .pieces = kReasonixPieces,
    .usage = "usage",
    .counts = {.input = "prompt_tokens",
               .output = "completion_tokens",
               .cache_read = "prompt_cache_hit_tokens|prompt_tokens_details/cached_tokens",
               .total = "total_tokens",
               .input_has_cache = true},
};

constexpr UsageRecord kReasonixTurn = {.terms = {.scope = UsageTerms::Scope::turn,
                                                 .form = UsageTerms::Form::piece,
                                                 .place = UsageTerms::Place::before},
                                       .counts = {.input = "cacheMissTokens",
                                                  .output = "completionTokens",
                                                  .cache_read = "cacheHitTokens"},
                                       .model = "model",
                                       .cost = "costUsd"};

constexpr UsageRecord kReasonixTotal = {.terms = kSessionInAll,
                                        .counts = {.input = "cacheMissTokens",
                                                   .output = "totalCompletionTokens",
                                                   .cache_read = "cacheHitTokens"},
                                        .cost = "totalCostUsd"};

constexpr RecordShape kReasonixRecords[] = {
    {.when = "content|tool_calls role=system|user|assistant|tool createdAt:number !sessionId !type",
     .adds = Utterance::Kind::heading,
     .message = &kReasonixMessages},
    {.when = "content|tool_calls role=system|user|assistant|tool ts !sessionId !type",
     .adds = Utterance::Kind::heading,
     .message = &kReasonixMessages},
    {.when = "content|tool_calls role=assistant|tool reasoning_content|tool_calls|tool_call_id "
             "{role|content|name|tool_call_id|tool_calls|reasoning_content}",
     .adds = Utterance::Kind::heading,
     .message = &kReasonixMessages},
    // Any program may write such a line.
    {.when = "content role=system|user|assistant {role|content|name}",
     .is_ambiguous = true,
     .message = &kReasonixMessages},
    {.when = "cacheHitTokens|cacheMissTokens completionTokens model ts:number",
     .session = {.id = "session"},
     .time = "ts",
     .usage = &kReasonixTurn},
    {.when = "cacheHitTokens|cacheMissTokens|totalCostUsd workspace turnCount:number",
     .session = {.project = "workspace", .summary = "summary"},
     .adds = Utterance::Kind::heading,
     .usage = &kReasonixTotal},
    {.when = "workspace_root topic_title|preview id:text created_at updated_at",
     .session = {.id = "id",
                 .model = "model",
                 .project = "workspace_root",
                 .ai_title = "topic_title|name"},
     .adds = Utterance::Kind::heading},
};

}  // namespace

extern constinit const Format kReasonix = format_of_shapes<kReasonixRecords>(
    "reasonix", "sessions of Reasonix, their totals and its ledger of turns");

}  // namespace xtrace
