#include "input/transcripts/openhands_events.h"

#include <algorithm>
#include <vector>

#include "base/one_of.h"
#include "facts/token_sums.h"
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
// and `base_state.json`, which states what each response used up, and all of them so far:
//
//   {"id", "agent", "stats": {"usage_to_metrics": {"agent": {"model_name", "accumulated_cost",
//      "accumulated_token_usage": {"model", "prompt_tokens", …},
//      "token_usages": [{"model", "prompt_tokens", …, "response_id"}], "costs": [{"cost",
//      "timestamp"}]}}}}
//
// A ConversationStateUpdateEvent {"key": "stats" or "full_state", "value"} states it as well.
//
// Several actions may be of one response. Its costs name no response: they are in the order of the
// counts, where there are as many. What all uses took together is the conversation's.

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
          .failed = {.stated = openhands_events_result_failed}};
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

constexpr MessageShape kEvents = {
    .id = "id",
    .answer = "llm_response_id",
    .time = "timestamp",
    .role = "llm_message/role|kind",
    .model_roles = "ActionEvent",
    .user_roles = "ObservationEvent|AgentErrorEvent|UserRejectObservation",
    .content = "llm_message/content|thought",
    .calls = ".",
    .type = "",
    .pieces = kOpenhandsEventsPieces};

constexpr UsageShape kOpenhandsUsage = {.input = "prompt_tokens",
                                        .output = "completion_tokens",
                                        .cache_read = "cache_read_tokens",
                                        .cache_write = "cache_write_tokens",
                                        .input_has_cache = true};

/// `default` is the word for none.
StringId model_of(json::element record, json::Path path, Shard& shard) {
  const std::string model = json::text_on(record, path);
  return model == "default" ? StringId{} : shard.intern(model);
}

constexpr json::Path kStats =
    "stats/usage_to_metrics|value/stats/usage_to_metrics|"
    "value/usage_to_metrics";

}  // namespace

void read_openhands_metrics(std::string_view purpose, json::element metrics, const Part& part,
                            const Utterance& common, std::vector<Utterance>& totals, Shard& shard) {
  std::vector<json::element> costs;
  json::element list, value;
  if (json::find(metrics, "costs", list))
    json::items(list, [&](json::element cost) { costs.push_back(cost); });
  int64_t responses = 0, nth = 0;
  if (json::find(metrics, "token_usages", list))
    json::items(list, [&](json::element) { ++responses; });
  const bool has_costs = responses == static_cast<int64_t>(costs.size());
  Utterance all =
      usage_of(common, {.scope = UsageTerms::Scope::session, .form = UsageTerms::Form::kept});
  each_item(metrics, part, "token_usages", [&](json::element stated, const Part& at) {
    Utterance used = usage_of(common, kOfCall);
    used.source = at.at;
    used.outcome = Outcome::ok;
    if (!is_one_of(purpose, {"agent", "default"})) used.agent = shard.intern(purpose);
    used.answer = shard.intern(json::text_at(stated, "response_id"));
    used.model = model_of(stated, "model", shard);
    used.tokens = read_usage(stated, kOpenhandsUsage);
    add_tokens(all.tokens, used.tokens);
    if (has_costs) {
      const json::element cost = costs[static_cast<size_t>(nth)];
      if (json::find(cost, "cost", value)) used.cost = read_dollars(value);
      read_time_on(cost, "timestamp", used);
    }
    ++nth;
    if (used.answer) shard.add(used);
  });
  for (json::element cost : costs)
    if (json::find(cost, "cost", value)) all.cost = sum_of_known({all.cost, read_dollars(value)});
  if (json::find(metrics, "accumulated_cost", value)) all.cost = read_dollars(value);
  if (json::find(metrics, "accumulated_token_usage", value))
    if (const Tokens tokens = read_usage(value, kOpenhandsUsage); tokens != Tokens{})
      all.tokens = tokens;
  const int64_t calls = std::max<int64_t>(static_cast<int64_t>(costs.size()), responses);
  if (calls > 0) all.usage.calls = calls;
  if (all.cost == 0) all.cost = kNoCount;  // no price was known
  if (!states_usage(all)) return;
  all.model = model_of(
      metrics, "accumulated_token_usage/model|token_usages/0/model|costs/0/model|model_name",
      shard);
  const auto same = std::ranges::find(totals, all.model, &Utterance::model);
  if (same == totals.end()) return totals.push_back(all);
  add_tokens(same->tokens, all.tokens);
  same->cost = sum_of_known({same->cost, all.cost});
  same->usage.calls = sum_of_known({same->usage.calls, all.usage.calls});
}

/// What the conversation used up so far, by purpose.
void read_openhands_state(const RecordMatcher& state, const Part& whole, Utterance& said,
                          RecordContext& context) {
  json::element metrics;
  if (!json::follow(state, kStats, metrics)) return;
  Utterance common = said;
  const Part value = whole.field("value"),
             stats = (value.text.empty() ? whole : value).field("stats");
  const Part place = (stats.text.empty() ? value : stats).field("usage_to_metrics");
  common.source = place.at;
  std::vector<Utterance> totals;
  json::fields(metrics, [&](std::string_view purpose, json::element of_purpose) {
    read_openhands_metrics(purpose, of_purpose, place.field(purpose), common, totals,
                           context.shard);
  });
  for (const Utterance& total : totals) context.shard.add(total);
}

void read_openhands_event(const RecordMatcher& event, const Part& whole, Utterance& said,
                          RecordContext& context) {
  const std::string_view kind = event.text_at("kind");
  if (kind == "ConversationErrorEvent") {
    said.kind = Utterance::Kind::failed;
    said.error = context.shard.intern(json::text_at(event, "code"));
    if (!said.error) said.error = context.shard.intern("error");
  } else if (kind == "ConversationStateUpdateEvent") {
    read_openhands_state(event, whole, said, context);
  } else {
    return MessageReader(kEvents, context).read(event, whole);
  }
  context.shard.add(said);
}

void say_openhands_event(json::element record, Draft& said) {
  say_message(record, kEvents, said);
}

}  // namespace xtrace
