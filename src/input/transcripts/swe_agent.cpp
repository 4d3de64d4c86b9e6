#include "input/calls/message_draft.h"
#include "input/common/format.h"
#include "input/common/graph_parts.h"
#include "input/common/record_context.h"
#include "input/transcripts/message_shape.h"

namespace xtrace {

// The trajectories of SWE-agent (`.traj`), one a document:
//
//   {"trajectory": [steps], "info": {"exit_status", "model_stats": {"tokens_sent",
//    "tokens_received", "instance_cost", "api_calls"}}, "environment", "replay_config",
//    "history": [{"role", "content", "agent", "is_demo", "tool_calls": [as OpenAI has them],
//                 "tool_call_ids": [id]: of a tool's output}]}
//
// The history is the conversation; what is a demonstration in it nobody said. Tokens and cost are
// told in sum, which is the session's; times are not told.

namespace {

constexpr PieceShape kSweAgentPieces[] = {
    kOpenaiToolUse,
    {.type = "tool_call_ids",
     .says = PieceShape::Says::tool_result,
     .id = "tool_call_ids/0",
     .output = "content"},
    {.type = "content", .says = PieceShape::Says::text, .text = "content|content/0/text"},
    {.says = PieceShape::Says::nothing},
};

constexpr UsageShape kSweAgentCounts = {.input = "tokens_sent", .output = "tokens_received"};

void adjust_swe_agent(json::element message, Utterance& said, Draft& draft) {
  if (json::is_true_on(message, "is_demo")) {
    draft.blocks.clear();
    said.kind = Utterance::Kind::silent;
  }
  // What a command gave, of models that call no tools: the program says it, not the user.
  if (said.kind == Utterance::Kind::asked &&
      json::text_at(message, "message_type") == "observation" && !draft.blocks.empty() &&
      draft.blocks.front().kind == Block::Kind::text)
    draft.role = Message::Role::other;
}

constexpr MessageShape kSweAgentMessages = {.content = ".",
                                            .calls = "tool_calls",
                                            .type = "",
                                            .pieces = kSweAgentPieces,
                                            .adjust = adjust_swe_agent};

bool fits_swe_agent(json::element record) {
  json::element role, agent;
  return json::follow(record, "history/0/role", role) &&
         json::follow(record, "history/0/agent", agent);
}

void read_swe_agent(json::element record, std::string_view text, const Extent& at,
                    RecordContext& context) {
  context.shard.count_record();
  MessageReader(kSweAgentMessages, context).read_list(record, {text, at}, "history");
  json::element stats, cost;
  if (!json::follow(record, "info/model_stats", stats)) return;
  Utterance total;
  total.kind = Utterance::Kind::total;
  total.source = at;
  total.tokens = read_usage(stats, kSweAgentCounts);
  if (json::find(stats, "instance_cost", cost)) total.cost = read_dollars(cost);
  total.calls = json::count_on(stats, "api_calls", kNoCount);
  // A replay asks no model, and counts nothing.
  if (total.tokens.input > 0 || total.tokens.output > 0) context.shard.add(total);
}

void say_swe_agent(json::element part, Draft& said) {
  say_message(part, kSweAgentMessages, said);
}

}  // namespace

extern constinit const Format kSweAgent = {
    .name = "swe-agent",
    .summary = "trajectories of SWE-agent",
    .fits = fits_swe_agent,
    .needs = "history",
    .read = read_swe_agent,
    .say = say_swe_agent,
};

}  // namespace xtrace
