#include "input/calls/message_draft.h"
#include "input/transcripts/record_shape.h"

namespace xtrace {

// The output of grok-cli with `--format json`, a line for each thing that a step of the model did:
//
//   {"type": "step_start"|"text"|"tool_use"|"step_finish", "sessionID", "stepNumber", "timestamp":
//    milliseconds, …}
//   {"type": "error", "message"} and {"type": "run_finish", "success"}
//
// A step is one answer; a tool use has what the tool gave. OpenCode prints lines with the same
// types, whose contents are in a `part`.

namespace {

constexpr PieceShape kGrokSteps[] = {
    {.type = "text", .says = PieceShape::Says::text, .text = "text"},
    {.type = "tool_use",
     .says = PieceShape::Says::tool,
     .id = "toolCall/id",
     .name = "toolCall/function/name",
     .arguments = "toolCall/function/arguments",
     .output = "toolResult/output|toolResult/error|toolResult",
     .began = "timing/startedAt",
     .ended = "timing/finishedAt",
     .failed = {.is_false = "toolResult/success"}},
};

constexpr MessageShape kGrokStep = {.session = "sessionID",
                                    .answer = "stepNumber",
                                    .time = "timing/startedAt|timestamp",
                                    .role = "",
                                    .spoken_by = Message::Role::assistant,
                                    .content = ".",
                                    .results = "toolResult",
                                    .pieces = kGrokSteps};

constexpr PieceShape kGrokCliGave[] = {
    {.type = "success", .says = PieceShape::Says::tool_result, .output = "output|error"}};
/// A result by itself, when somebody goes back to where it is.
constexpr MessageShape kGrokCliResult = {.role = "",
                                         .spoken_by = Message::Role::user,
                                         .content = ".",
                                         .type = "",
                                         .pieces = kGrokCliGave};

void say_grok_cli(json::element part, Draft& said) {
  json::element value;
  const bool is_result = json::is_object(part) && json::find(part, "success", value);
  say_message(part, is_result ? kGrokCliResult : kGrokStep, said);
}

constexpr UsageRecord kGrokStepUsage = {
    .terms = kOfCallBefore,
    .at = "usage",
    .counts = {.input = "inputTokens", .output = "outputTokens", .total = "totalTokens"}};

constexpr RecordShape kGrokCliRecords[] = {
    {.when = "type=text|tool_use sessionID stepNumber !part",
     .is_printed = true,
     .message = &kGrokStep,
     .say = say_grok_cli},
    {.when = "type=step_finish sessionID stepNumber !part",
     .session = {.id = "sessionID"},
     .time = "timestamp",
     .usage = &kGrokStepUsage},
    // The model is asked.
    {.when = "type=step_start sessionID stepNumber !part",
     .session = {.id = "sessionID"},
     .adds = Utterance::Kind::asked,
     .time = "timestamp",
     .is_printed = true},
    {.when = "type=error sessionID message !part",
     .session = {.id = "sessionID"},
     .adds = Utterance::Kind::failed,
     .time = "timestamp",
     .error = ".",
     .is_of_run = true,
     .is_printed = true},
    {.when = "type=run_finish sessionID success !part"},
};

}  // namespace

extern constinit const Format kGrokCli =
    format_of_shapes<kGrokCliRecords>("grok-cli", "output of `grok --format json`");

}  // namespace xtrace
