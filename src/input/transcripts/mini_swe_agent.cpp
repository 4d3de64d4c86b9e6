#include "input/calls/message_draft.h"
#include "input/common/format.h"
#include "input/common/graph_parts.h"
#include "input/common/record_context.h"
#include "input/transcripts/message_shape.h"

namespace xtrace {

// The trajectories of mini-swe-agent, one a document:
//
//   {"trajectory_format": "mini-swe-agent-1.1", "info": {"config": {"model": {"model_name"}},
//    "model_stats": {"instance_cost", "api_calls"}},
//    "messages": [
//      {"role": "assistant", "content", "tool_calls": [as OpenAI has them],
//       "extra": {"actions": [{"command"}], "response": the API's answer, "cost", "timestamp"}},
//      {"role": "tool", "tool_call_id", "content", "extra": {"returncode", "timestamp"}}]}
//
// Where the model does not call tools, its command stands in its text, and what that gave is said
// by the user next.

namespace {

bool mini_swe_agent_tool_failed(json::element message) {
  json::element exception;
  return json::count_on(message, "extra/returncode", 0) != 0 ||
         (json::follow(message, "extra/exception_info", exception) &&
          !json::text(exception).empty());
}

constexpr PieceShape kMiniSweAgentPieces[] = {
    kOpenaiToolUse,
    {.type = "tool_call_id",
     .says = PieceShape::Says::tool_result,
     .id = "tool_call_id",
     .output = "content",
     .failed = mini_swe_agent_tool_failed},
    {.type = "content", .says = PieceShape::Says::text, .text = "content|content/0/text"},
    {.says = PieceShape::Says::nothing},
};

constexpr MessageShape kMiniSweAgentMessages = {
    .id = "extra/response/id",
    .model = "extra/response/model",
    .time = "extra/timestamp|extra/response/created",
    .content = ".",
    .calls = "tool_calls",
    .type = "",
    .pieces = kMiniSweAgentPieces,
    .stop_reason = "extra/response/choices/0/finish_reason|extra/response/status",
    .cost = "extra/cost|extra/response/usage/cost",
    .usage = "extra/response/usage",
    .counts = {.input = "prompt_tokens|input_tokens",
               .output = "completion_tokens|output_tokens",
               .cache_read =
                   "prompt_tokens_details/cached_tokens|input_tokens_details/cached_tokens",
               .total = "total_tokens",
               .input_has_cache = true},
};

/// What a session cost is told of models with a price alone.
void read_total(json::element record, const Extent& at, StringId session, Shard& shard) {
  json::element stats, cost;
  if (!json::follow(record, "info/model_stats", stats)) return;
  Utterance total;
  total.kind = Utterance::Kind::total;
  total.source = at;
  total.session = session;
  if (json::find(stats, "instance_cost", cost)) total.cost = read_dollars(cost);
  total.calls = json::count_on(stats, "api_calls", kNoCount);
  if (total.cost > 0) shard.add(total);
}

bool fits_mini_swe_agent(json::element record) {
  return json::text_at(record, "trajectory_format").starts_with("mini-swe-agent");
}

void read_mini_swe_agent(json::element record, std::string_view text, const Extent& at,
                         RecordContext& context) {
  context.shard.count_record();
  MessageReader messages(kMiniSweAgentMessages, context);
  messages.common.session = context.shard.intern(json::text_on(record, "instance_id"));
  messages.common.model =
      context.shard.intern(json::text_on(record, "info/config/model/model_name"));
  messages.read_list(record, {text, at}, "messages");
  read_total(record, at, messages.common.session, context.shard);
}

void say_mini_swe_agent(json::element part, Draft& said) {
  say_message(part, kMiniSweAgentMessages, said);
}

}  // namespace

extern constinit const Format kMiniSweAgent = {
    .name = "mini-swe-agent",
    .summary = "trajectories of mini-swe-agent",
    .fits = fits_mini_swe_agent,
    .needs = "trajectory_format",
    .read = read_mini_swe_agent,
    .say = say_mini_swe_agent,
};

}  // namespace xtrace
