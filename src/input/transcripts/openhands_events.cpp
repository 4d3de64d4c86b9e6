#include "input/transcripts/openhands_events.h"

#include <algorithm>
#include <vector>

#include "base/one_of.h"
#include "input/calls/message_draft.h"
#include "input/common/graph_parts.h"
#include "input/common/record_context.h"
#include "input/transcripts/message_shape.h"
#include "input/transcripts/utterance_reader.h"

namespace xtrace {

// A folder a conversation, and in it a file for each event,
//
//   {"id", "timestamp", "source": "agent"|"user"|"environment", "kind": "MessageEvent",
//    "llm_message": {"role", "content"}, "llm_response_id"}
//   {…, "kind": "ActionEvent", "thought": [texts], "action", "tool_name", "tool_call_id",
//    "tool_call": {"arguments": JSON in a string}, "llm_response_id"}
//   {…, "kind": "ObservationEvent", "observation": {"content", "is_error", "exit_code"},
//    "tool_call_id"}, AgentErrorEvent {"error"}, UserRejectObservation {"rejection_reason"}
//   {…, "kind": "Condensation"}, PauseEvent, ConversationErrorEvent {"code"}, …
//
// and `base_state.json`, which tells what each response used up:
//
//   {"id", "agent", "stats": {"usage_to_metrics": {"agent": {
//      "token_usages": [{"model", "prompt_tokens", …, "response_id"}], "costs": [{"cost",
//      "timestamp"}]}}}}
//
// Several actions may be of one response. Its costs name no response: they stand in the order of
// the counts, where there are as many. What all uses took together is the conversation's.

namespace {

bool openhands_events_result_failed(json::element event) {
  json::element value;
  return json::follow(event, "error|rejection_reason", value) ||
         json::is_true_on(event, "observation/is_error") ||
         json::is_true_on(event, "observation/timeout") ||
         json::count_on(event, "observation/exit_code|observation/metadata/exit_code", 0) > 0;
}

constexpr PieceShape tool_result(std::string_view key, json::Path output) {
  return {.type = key,
          .says = PieceShape::Says::tool_result,
          .id = "tool_call_id",
          .output = output,
          .failed = openhands_events_result_failed};
}

constexpr PieceShape kOpenhandsEventsPieces[] = {
    {.type = "action",
     .says = PieceShape::Says::tool_use,
     .id = "tool_call_id",
     .name = "tool_name",
     .arguments = "tool_call/arguments|tool_call/function/arguments|action"},
    tool_result("observation", "observation/content|observation/output|observation"),
    tool_result("error", "error"),
    tool_result("rejection_reason", "rejection_reason"),
    {.type = "text", .says = PieceShape::Says::text, .text = "text"},
    {.says = PieceShape::Says::nothing},
};

constexpr MessageShape kEvents = {.id = "id",
                                  .answer = "llm_response_id",
                                  .time = "timestamp",
                                  .role = "llm_message/role|kind",
                                  .content = "llm_message/content|thought",
                                  .calls = ".",
                                  .type = "",
                                  .pieces = kOpenhandsEventsPieces};

constexpr UsageShape kOpenhandsUsage = {.input = "prompt_tokens",
                                        .output = "completion_tokens",
                                        .cache_read = "cache_read_tokens",
                                        .cache_write = "cache_write_tokens",
                                        .input_has_cache = true};

bool is_openhands_events_event(json::element record) {
  const std::string_view kind = json::text_at(record, "kind");
  json::element time;
  return (kind.ends_with("Event") ||
          is_one_of(kind, {"Condensation", "CondensationRequest", "UserRejectObservation"})) &&
         !json::text_at(record, "id").empty() && json::find(record, "timestamp", time) &&
         is_one_of(json::text_at(record, "source"), {"agent", "user", "environment", "hook"});
}

bool is_state(json::element record) {
  json::element metrics;
  return json::follow(record, "stats/usage_to_metrics", metrics) && json::is_object(metrics);
}

class State {
 public:
  State(std::string_view text, const Extent& at, RecordContext& context)
      : metrics_{Part{text, at}.field("stats").field("usage_to_metrics")}, shard_(context.shard) {}

  void read(json::element state) {
    json::element metrics;
    if (!json::follow(state, "stats/usage_to_metrics", metrics)) return;
    Utterance total;
    total.kind = Utterance::Kind::total;
    total.source = metrics_.at;
    bool is_told = false;
    json::fields(metrics, [&](std::string_view usage, json::element of_usage) {
      bill_openhands_responses(usage, of_usage, metrics_.field(usage), {}, shard_);
      is_told |= add_openhands_metrics(of_usage, total);
    });
    if (is_told) shard_.add(total);
  }

 private:
  Part metrics_;
  Shard& shard_;
};

void read_event(json::element event, std::string_view text, const Extent& at,
                RecordContext& context) {
  const std::string_view kind = json::text_at(event, "kind");
  Utterance said;
  said.source = at;
  json::element time;
  if (json::find(event, "timestamp", time)) read_time(time, said);
  if (is_one_of(kind, {"Condensation", "CondensationSummaryEvent"})) {
    said.kind = Utterance::Kind::compacted;
  } else if (kind == "ConversationErrorEvent") {
    said.kind = Utterance::Kind::failed;
    said.error = context.shard.intern(json::text_at(event, "code"));
    if (!said.error) said.error = context.shard.intern("error");
  } else {
    return MessageReader(kEvents, context).read(event, {text, at});
  }
  context.shard.add(said);
}

}  // namespace

void bill_openhands_responses(std::string_view usage, json::element metrics, const Part& part,
                              StringId session, Shard& shard) {
  std::vector<json::element> costs;
  json::element list;
  if (json::find(metrics, "costs", list))
    json::items(list, [&](json::element cost) { costs.push_back(cost); });
  size_t count = 0, nth = 0;
  if (json::find(metrics, "token_usages", list)) json::items(list, [&](json::element) { ++count; });
  if (costs.size() != count) costs.clear();
  each_item(metrics, part, "token_usages", [&](json::element used, const Part& at) {
    Utterance bill;
    bill.kind = Utterance::Kind::billed;
    bill.source = at.at;
    bill.session = session;
    if (!is_one_of(usage, {"agent", "default"})) bill.agent = shard.intern(usage);
    bill.answer = shard.intern(json::text_at(used, "response_id"));
    bill.model = shard.intern(json::text_at(used, "model"));
    bill.tokens = read_usage(used, kOpenhandsUsage);
    json::element value;
    if (!costs.empty()) {
      if (json::find(costs[nth], "cost", value)) bill.cost = read_dollars(value);
      if (json::find(costs[nth], "timestamp", value)) read_time(value, bill);
    }
    ++nth;
    if (bill.answer) shard.add(bill);
  });
}

bool add_openhands_metrics(json::element metrics, Utterance& total) {
  const auto add = [](int64_t& sum, int64_t count) { sum = sum_of_known({sum, count}); };
  json::element list, value;
  Tokens counted;
  int64_t spent = kNoCount, costs = 0, counts = 0;
  if (json::find(metrics, "costs", list))
    json::items(list, [&](json::element cost) {
      ++costs;
      if (json::find(cost, "cost", value)) add(spent, read_dollars(value));
    });
  const auto add_tokens = [&](const Tokens& tokens, Tokens& sum) {
    for (int64_t Tokens::*count :
         {&Tokens::input, &Tokens::output, &Tokens::cache_read, &Tokens::cache_creation})
      add(sum.*count, tokens.*count);
  };
  if (json::find(metrics, "token_usages", list))
    json::items(list, [&](json::element used) {
      ++counts;
      add_tokens(read_usage(used, kOpenhandsUsage), counted);
    });
  if (json::find(metrics, "accumulated_cost", value)) spent = read_dollars(value);
  if (json::find(metrics, "accumulated_token_usage", value))
    if (const Tokens all = read_usage(value, kOpenhandsUsage); all != Tokens{}) counted = all;
  const int64_t calls = std::max(costs, counts);
  if (spent <= 0 && counted == Tokens{} && calls == 0) return false;
  if (spent > 0) add(total.cost, spent);
  if (calls > 0) add(total.calls, calls);
  add_tokens(counted, total.tokens);
  return true;
}

bool fits_openhands_events(json::element record) {
  return is_openhands_events_event(record) || is_state(record);
}

void read_openhands_events(json::element record, std::string_view text, const Extent& at,
                           RecordContext& context) {
  if (is_state(record)) return State(text, at, context).read(record);
  read_event(record, text, at, context);
}

void say_openhands_event(json::element record, Draft& said) {
  say_message(record, kEvents, said);
}

}  // namespace xtrace
