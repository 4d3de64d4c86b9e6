#include "input/transcripts/claude_code_totals.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "input/common/graph_parts.h"
#include "input/common/json_path.h"
#include "input/common/shard.h"
#include "input/transcripts/message_shape.h"

namespace xtrace {

namespace {

constexpr UsageShape kCounts = {.input = "inputTokens",
                                .output = "outputTokens",
                                .cache_read = "cacheReadInputTokens",
                                .cache_write = "cacheCreationInputTokens"};

/// A row for each model, where they have at least what one turn took, and one for cost and calls.
void add_rows(json::element record, std::string_view cost, const Tokens& least, Utterance total,
              Shard& shard) {
  const StringId name = total.id;
  const int64_t calls = std::exchange(total.calls, kNoCount);
  total.kind = Utterance::Kind::total;
  total.sums_up = true;
  total.id = {};
  const auto add = [&](std::string_view model) {
    total.answer =
        name ? shard.intern(std::string(shard[name]).append("/").append(model)) : StringId{};
    total.model = shard.intern(bare_model(model));
    shard.add(total);
  };
  json::element value;
  int64_t of_models = kNoCount;
  if (json::find(record, "modelUsage", value))
    json::fields(value, [&](std::string_view, json::element usage) {
      of_models = sum_of_known({of_models, total_of(read_usage(usage, kCounts))});
    });
  const bool by_model = of_models >= total_of(least);
  if (by_model && of_models >= 0)
    json::fields(value, [&](std::string_view model, json::element usage) {
      total.tokens = read_usage(usage, kCounts);
      if (total.tokens != Tokens{}) add(model);
    });
  if (!by_model) total.context_limit = kNoCount;
  total.tokens = by_model ? Tokens{} : least;
  if (json::find(record, cost, value)) total.cost = read_dollars(value);
  total.calls = calls;
  add({});
}

}  // namespace

std::string_view bare_model(std::string_view model) {
  return model.substr(0, std::min(model.find('['), model.size()));
}

void add_result_totals(json::element result, const Utterance& said, const Tokens& of_turn,
                       int64_t calls, Shard& shard) {
  Utterance total = said;
  total.calls = calls;
  total.context_limit = total_of(of_turn);
  add_rows(result, "total_cost_usd", of_turn, total, shard);
}

void add_cost_state(json::element state, const Utterance& said, Shard& shard) {
  json::element start, cost;
  Utterance total = said;
  const int64_t began = json::count_on(state, "startTime", kNoCount);
  const int64_t paid = json::find(state, "totalCostUSD", cost) ? read_dollars(cost) : kNoCount;
  total.item = shard.intern(fmt::format("cost-state-{}", began));
  total.id = shard.intern(fmt::format("{}/{}/{}", shard[total.item], shard[said.session], paid));
  add_rows(state, "totalCostUSD", {}, total, shard);
}

}  // namespace xtrace
