#include <fmt/format.h>

#include <algorithm>

#include "input/calls/answer.h"
#include "input/common/graph_parts.h"
#include "input/common/json_path.h"
#include "input/transcripts/claude_code_parts.h"
#include "input/transcripts/record_shape.h"
#include "input/transcripts/utterance_reader.h"

namespace xtrace {

namespace {

constexpr UsageShape kCounts = {.input = "inputTokens",
                                .output = "outputTokens",
                                .cache_read = "cacheReadInputTokens",
                                .cache_write = "cacheCreationInputTokens"};

void add_totals(json::element record, std::string_view cost, const Utterance& total, Shard& shard) {
  json::element models, value;
  if (json::find(record, "modelUsage", models))
    json::fields(models, [&](std::string_view model, json::element usage) {
      Utterance row = total;
      row.model = shard.intern(bare_model(model));
      row.tokens = read_usage(usage, kCounts);
      if (json::find(usage, "costUSD", value)) row.cost = read_dollars(value);
      if (row.tokens != Tokens{}) shard.add(row);
    });
  Utterance all = total;
  if (json::find(record, cost, value)) all.cost = read_dollars(value);
  if (states_usage(all)) shard.add(all);
}

}  // namespace

std::string_view bare_model(std::string_view model) {
  return model.substr(0, std::min(model.find('['), model.size()));
}

void read_claude_result(const RecordMatcher& line, const Part&, Utterance& said,
                        RecordContext& context) {
  Shard& shard = context.shard;
  const std::string_view subtype = line.text_at("subtype");
  json::element models;
  Answer answer;
  read_anthropic_answer(line, answer);
  Utterance turn =
      usage_of(said, {.scope = UsageTerms::Scope::turn, .form = UsageTerms::Form::piece});
  turn.answer = said.id;
  turn.usage.calls = json::count_on(line, "num_turns", kNoCount);
  turn.tokens = answer.tokens;
  if (states_usage(turn)) shard.add(turn);
  Utterance total = usage_of(said, kSessionSoFar);
  total.answer = said.id;
  add_totals(line, "total_cost_usd", total, shard);
  said.kind = Utterance::Kind::answered;
  said.way = Utterance::Way::echoed;
  said.form = Utterance::Form::whole;
  said.answer = said.id;
  if (line.find("modelUsage", models))
    json::fields(models, [&](std::string_view model, json::element) {
      said.model = said.model ? StringId{} : shard.intern(bare_model(model));  // of one it is known
    });
  const bool failed = line.is_true("is_error") || subtype.starts_with("error");
  said.outcome = failed ? Outcome::error : Outcome::ok;
  said.is_owed = failed && subtype == "success";  // then the last request failed, not the run
  if (failed) said.error = shard.intern(said.is_owed ? "api_error" : subtype);
  shard.add(said);
}

void read_claude_streamed(const RecordMatcher& line, const Part&, Utterance& said,
                          RecordContext& context) {
  Shard& shard = context.shard;
  json::element event, usage;
  if (!line.find("event", event)) return shard.add(said);
  const bool is_begin = json::text_at(event, "type") == "message_start";
  Utterance used =
      usage_of(said, {.form = UsageTerms::Form::piece,
                      .place = is_begin ? UsageTerms::Place::opens : UsageTerms::Place::before});
  used.answer = shard.intern(json::text_on(event, "message/id"));
  used.model = shard.intern(json::text_on(event, "message/model"));
  used.stop_reason = shard.intern(json::text_on(event, "delta/stop_reason"));
  used.output_is_low = is_begin;
  if (json::follow(event, is_begin ? "message/usage" : "usage", usage))
    read_anthropic_usage(usage, used.tokens);
  if (is_begin ? bool{used.answer} : used.tokens.output > 0) shard.add(used);
  shard.add(said);
}

void read_claude_cost_state(const RecordMatcher& state, const Part&, Utterance& said,
                            RecordContext& context) {
  Shard& shard = context.shard;
  json::element cost;
  Utterance total = usage_of(said, kSessionSoFar);
  const int64_t began = json::count_on(state, "startTime", kNoCount);
  const int64_t paid = state.find("totalCostUSD", cost) ? read_dollars(cost) : kNoCount;
  total.usage.run = shard.intern(fmt::format("cost-state-{}", began));
  total.answer =
      shard.intern(fmt::format("{}/{}/{}", shard[total.usage.run], shard[said.session], paid));
  add_totals(state, "totalCostUSD", total, shard);
  shard.add(said);
}

}  // namespace xtrace
