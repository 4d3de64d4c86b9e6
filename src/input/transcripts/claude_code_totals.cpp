#include "input/transcripts/claude_code_totals.h"

#include <fmt/format.h>

#include <algorithm>

#include "input/common/graph_parts.h"
#include "input/common/json_path.h"
#include "input/common/shard.h"
#include "input/transcripts/message_shape.h"
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

constexpr UsageTerms kRunning = {.scope = UsageTerms::Scope::session,
                                 .form = UsageTerms::Form::running};

}  // namespace

std::string_view bare_model(std::string_view model) {
  return model.substr(0, std::min(model.find('['), model.size()));
}

void add_result_totals(json::element result, const Utterance& said, const Tokens& of_turn,
                       Shard& shard) {
  Utterance turn =
      usage_of(said, {.scope = UsageTerms::Scope::turn, .form = UsageTerms::Form::piece});
  turn.answer = said.id;
  turn.calls = json::count_on(result, "num_turns", kNoCount);
  turn.tokens = of_turn;
  if (states_usage(turn)) shard.add(turn);
  Utterance total = usage_of(said, kRunning);
  total.answer = said.id;
  add_totals(result, "total_cost_usd", total, shard);
}

void add_cost_state(json::element state, const Utterance& said, Shard& shard) {
  json::element cost;
  Utterance total = usage_of(said, kRunning);
  const int64_t began = json::count_on(state, "startTime", kNoCount);
  const int64_t paid = json::find(state, "totalCostUSD", cost) ? read_dollars(cost) : kNoCount;
  total.item = shard.intern(fmt::format("cost-state-{}", began));
  total.answer =
      shard.intern(fmt::format("{}/{}/{}", shard[total.item], shard[said.session], paid));
  add_totals(state, "totalCostUSD", total, shard);
}

}  // namespace xtrace
