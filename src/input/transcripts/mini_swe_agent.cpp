#include <fmt/format.h>

#include <string>
#include <vector>

#include "base/hash.h"
#include "facts/made_id.h"
#include "input/calls/message_draft.h"
#include "input/common/graph_parts.h"
#include "input/common/record_context.h"
#include "input/transcripts/record_shape.h"
#include "input/transcripts/utterance_reader.h"

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
// Where the model does not call tools, its command stands in its text and among the `actions`, and
// what that gave is said in the user's name next, with a `returncode`. An answer without a command
// is complained of in that name too. Of the Responses API the answer itself is a message,
//
//      {"object": "response", "id", "model", "output": [items], "usage", "extra"},
//      {"type": "function_call_output", "call_id", "output", "extra"}

namespace {

bool mini_swe_agent_tool_failed(json::element message) {
  json::element exception;
  return json::count_on(message, "extra/returncode", 0) != 0 ||
         (json::follow(message, "extra/exception_info", exception) &&
          !json::text(exception).empty());
}

constexpr PieceShape kMiniSweAgentPieces[] = {
    kOpenaiToolUse,
    openai_tool_result({.stated = mini_swe_agent_tool_failed}),
    {.type = "content", .says = PieceShape::Says::text, .text = "content|content/0/text"},
    {.says = PieceShape::Says::nothing},
};

/// What the program ran for a model that calls no tools.
void add_actions(json::element message, Utterance&, Draft& draft) {
  json::element actions, value;
  if (draft.role != Message::Role::assistant || !json::follow(message, "extra/actions", actions))
    return;
  for (const Block& block : draft.blocks)
    if (block.kind == Block::Kind::tool_use) return;
  json::items(actions, [&](json::element action) {
    if (json::text_at(action, "command").empty()) return;
    Block& use = draft.blocks.emplace_back();
    use.kind = Block::Kind::tool_use;
    use.name = "bash";
    use.has_body = true;
    use.body = action;
  });
}

constexpr UsageShape kMiniSweAgentCounts = {
    .input = "prompt_tokens|input_tokens",
    .output = "completion_tokens|output_tokens",
    .cache_read = "prompt_tokens_details/cached_tokens|input_tokens_details/cached_tokens",
    .total = "total_tokens",
    .input_has_cache = true};

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
    .counts = kMiniSweAgentCounts,
    .adjust = add_actions,
};

// Of the Responses API.
constexpr PieceShape kOutputItems[] = {
    {.type = "function_call",
     .says = PieceShape::Says::tool_use,
     .id = "call_id",
     .name = "name",
     .arguments = "arguments"},
    {.type = "message", .says = PieceShape::Says::text, .text = "content/0/text"},
    {.type = "reasoning", .says = PieceShape::Says::thought},
    {.says = PieceShape::Says::nothing},
};

constexpr MessageShape kMiniSweAgentResponse = {.id = "id",
                                                .model = "model",
                                                .time = "extra/timestamp|created_at",
                                                .role = {},
                                                .spoken_by = Message::Role::assistant,
                                                .content = "output",
                                                .pieces = kOutputItems,
                                                .stop_reason = "status",
                                                .cost = "extra/cost|usage/cost",
                                                .usage = "usage",
                                                .counts = kMiniSweAgentCounts};

constexpr PieceShape kCallOutput[] = {{.type = "function_call_output",
                                       .says = PieceShape::Says::tool_result,
                                       .id = "call_id",
                                       .output = "output",
                                       .failed = {.stated = mini_swe_agent_tool_failed}}};

constexpr MessageShape kMiniSweAgentOutput = {.time = "extra/timestamp",
                                              .role = {},
                                              .spoken_by = Message::Role::user,
                                              .content = ".",
                                              .pieces = kCallOutput};

bool is_response(json::element message) {
  return json::text_at(message, "object") == "response";
}

bool is_call_output(json::element message) {
  return json::text_at(message, "type") == "function_call_output";
}

/// What a command gave, told in the user's name.
bool is_command_output(json::element message) {
  json::element code;
  return json::text_at(message, "role") == "user" &&
         json::follow(message, "extra/returncode|extra/raw_output", code);
}

void read_command_output(json::element message, Draft& draft) {
  draft.role = Message::Role::user;
  Block& told = add_block(Block::Kind::tool_result, message, "content", draft);
  told.is_error = mini_swe_agent_tool_failed(message);
}

/// The messages of a run, where what commands gave goes with these.
class MiniSweAgentRun {
 public:
  MiniSweAgentRun(json::element record, std::string_view text, RecordContext& context)
      : context_(context),
        messages_(kMiniSweAgentMessages, context),
        responses_(kMiniSweAgentResponse, context),
        outputs_(kMiniSweAgentOutput, context),
        document_(hash_of(text)) {
    common_.session = context.shard.intern(json::text_on(record, "instance_id"));
    common_.model = context.shard.intern(json::text_on(record, "info/config/model/model_name"));
    messages_.common = responses_.common = outputs_.common = common_;
  }

  void read(json::element message, const Part& part) {
    if (is_response(message)) return responses_.read(message, part);
    if (is_call_output(message)) return outputs_.read(message, part);
    const std::string_view role = json::text_at(message, "role");
    if (role == "assistant") return read_answer(message, part);
    if (is_command_output(message)) return read_output(message, part);
    if (role == "user" && lacks_command_) return add_complaint(message, part);
    messages_.read(message, part);
  }

 private:
  void read_answer(json::element message, const Part& part) {
    json::element list;
    commands_ = read_ = 0;
    const bool calls_tools = json::follow(message, "tool_calls/0", list);
    const bool is_told = json::follow(message, "extra/actions", list) && json::is_array(list);
    if (is_told && !calls_tools)
      json::items(list, [&](json::element action) {
        if (!json::text_at(action, "command").empty()) ++commands_;
      });
    lacks_command_ = is_told && !calls_tools && commands_ == 0;
    messages_.order = fmt::format("{}{:016x}-{}", kByOrder, document_, ++answers_);
    messages_.read(message, part);
  }

  void read_output(json::element message, const Part& part) {
    Draft& draft = cleared(context_.draft);
    read_command_output(message, draft);
    if (read_ == commands_) return add_complaint(message, part);
    draft.blocks.back().id = draft.keep(messages_.order + "-" + std::to_string(read_++));
    add(message, part, draft);
  }

  /// Nothing that the user said, nor a tool.
  void add_complaint(json::element message, const Part& part) {
    Draft& draft = cleared(context_.draft);
    say_message(message, kMiniSweAgentMessages, draft);
    draft.role = Message::Role::other;
    if (!draft.blocks.empty()) add(message, part, draft);
  }

  void add(json::element message, const Part& part, const Draft& draft) {
    Utterance said = common_;
    said.model = {};
    said.kind = Utterance::Kind::asked;
    said.source = part.at;
    read_time_on(message, "extra/timestamp", said);
    add_utterance(said, draft, context_);
  }

  RecordContext& context_;
  Utterance common_;
  MessageReader messages_, responses_, outputs_;
  uint64_t document_;
  size_t answers_ = 0;
  size_t commands_ = 0, read_ = 0;  ///< of the answer before, and how many of them are told of
  bool lacks_command_ = false;      ///< it should have had one
};

void read_run(const RecordMatcher& record, const Part& whole, Utterance&, RecordContext& context) {
  MiniSweAgentRun run(record, whole.text, context);
  each_item(record, whole, "messages",
            [&](json::element message, const Part& part) { run.read(message, part); });
}

void say_mini_swe_agent(json::element part, Draft& said) {
  if (is_response(part)) return say_message(part, kMiniSweAgentResponse, said);
  if (is_call_output(part)) return say_message(part, kMiniSweAgentOutput, said);
  if (is_command_output(part)) return read_command_output(part, said);
  Utterance unused;
  say_message(part, kMiniSweAgentMessages, said);
  add_actions(part, unused, said);
}

constexpr UsageRecord kRunUsage = {.terms = kSessionInAll,
                                   .calls = "info/model_stats/api_calls",
                                   .cost = "info/model_stats/instance_cost",
                                   .zero_is_unknown = true};

constexpr RecordShape kMiniSweAgentRecords[] = {
    {.when = "trajectory_format=mini-swe-agent*",
     .session = {.id = "instance_id"},
     .usage = &kRunUsage,
     .read = read_run,
     .say = say_mini_swe_agent},
};

}  // namespace

extern constinit const Format kMiniSweAgent =
    format_of_shapes<kMiniSweAgentRecords>("mini-swe-agent", "trajectories of mini-swe-agent");

}  // namespace xtrace
