#include "input/calls/message_draft.h"
#include "input/transcripts/record_shape.h"

namespace xtrace {

// The sessions of Mistral Vibe, a folder each. `messages.jsonl` has a line for each message, which
// states no time, model or tokens:
//
//   {"role": "user"|"assistant", "content", "injected": by the program, "reasoning_content",
//    "tool_calls": [as OpenAI has them], "message_id"}
//   {"role": "tool", "content", "name", "tool_call_id", "tool_result": {"cancelled"}}
//
// `meta.json` next to it has the rest, of the whole session: {"session_id", "title", "start_time",
// "environment": {"working_directory"}, "config": {"active_model"}, "stats":
// {"session_prompt_tokens" with "session_cached_tokens", "session_completion_tokens",
// "session_total_llm_tokens", "session_cost"}}. Older versions kept both in one document,
// {"metadata", "messages"}. A session that goes on with another one has its messages once more.

namespace {

// Keys identify what a message is, and each of its tool uses.
constexpr PieceShape kVibePieces[] = {
    openai_tool_result(
        {.is_true = "tool_result/cancelled", .word = "content", .words = "<tool_error>*"}),
    {.type = "content", .says = PieceShape::Says::text, .text = "content"},
    kOpenaiToolUse,
    {.says = PieceShape::Says::nothing},
};

constexpr MessageShape kVibeMessages = {.id = "message_id",
                                        .by_program = "injected",
                                        .content = ".",
                                        .calls = "tool_calls",
                                        .type = "",
                                        .pieces = kVibePieces};

constexpr UsageRecord kVibeUsage = {.terms = kAgentSoFar,
                                    .at = "metadata/stats|stats",
                                    .counts = {.input = "session_prompt_tokens",
                                               .output = "session_completion_tokens",
                                               .cache_read = "session_cached_tokens",
                                               .total = "session_total_llm_tokens",
                                               .input_has_cache = true},
                                    .model = "metadata/config/active_model|config/active_model",
                                    .cost = "metadata/stats/session_cost|stats/session_cost"};

constexpr SessionShape kVibeSession = {
    .id = "metadata/session_id|session_id",
    .project = "metadata/environment/working_directory|environment/working_directory",
    .ai_title = "metadata/title|title"};

constexpr RecordShape kVibeRecords[] = {
    {.when = "metadata/session_id messages:array metadata/environment|metadata/stats",
     .session = kVibeSession,
     .adds = Utterance::Kind::heading,
     .message = &kVibeMessages,
     .list = "messages",
     .usage = &kVibeUsage},
    {.when = "session_id environment/working_directory start_time total_messages|stats/steps",
     .session = kVibeSession,
     .adds = Utterance::Kind::heading,
     .usage = &kVibeUsage},
    {.when = "role=user|assistant message_id:text "
             "{role|content|injected|reasoning_content|reasoning_state|reasoning_signature|"
             "reasoning_message_id|tool_calls|message_id|images|resources|name}",
     .message = &kVibeMessages},
    {.when = "role=tool tool_call_id:text name content "
             "{role|content|name|tool_call_id|tool_result|images|resources}",
     .message = &kVibeMessages},
};

}  // namespace

extern constinit const Format kVibe =
    format_of_shapes<kVibeRecords>("vibe", "sessions of Mistral Vibe: folders, older documents");

}  // namespace xtrace
