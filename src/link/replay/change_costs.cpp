#include <algorithm>

#include "link/replay/changes.h"
#include "prices/call_costs.h"

namespace xtrace {

namespace {

/// Of a token read from a cache, against the price of input: the cheapest there is, in millionths.
int64_t cheapest_cache_share(const PriceTable& prices) {
  constexpr int64_t kMillion = 1'000'000;
  int64_t least = kMillion;
  for (const auto& [name, history] : prices.models())
    for (const PricedModel& row : history)
      if (row.price.input > 0 && row.price.cache_read >= 0)
        least = std::min(least, row.price.cache_read * kMillion / row.price.input);
  return least;
}

/// Prices in which nothing that caches cost is unknown.
class BoundedPrices {
 public:
  BoundedPrices(const PriceTable& prices, int64_t cache_share)
      : prices_(prices), cache_share_(cache_share) {}

  ReplayCost cost(std::string_view model, const Tokens& tokens, Time time) const {
    const FoundPrices found = prices_.find(model);
    const PricedModel* row = found.at(time);
    if (row == nullptr) return {kNoCount, kNoCount};
    return {cost_at(*row, found.terms, ReplayBound::lower, model, tokens, time),
            cost_at(*row, found.terms, ReplayBound::upper, model, tokens, time)};
  }

 private:
  int64_t cost_at(const PricedModel& row, Terms terms, ReplayBound bound, std::string_view model,
                  const Tokens& tokens, Time time) const {
    constexpr int64_t kMillion = 1'000'000;
    PriceHistory history{row};
    for (Price* price : {&history.front().price, &history.front().price_over}) {
      if (price->input < 0) continue;
      if (price->cache_read < 0)
        price->cache_read =
            bound == ReplayBound::upper ? price->input : price->input * cache_share_ / kMillion;
      for (int64_t Price::*write : {&Price::cache_creation, &Price::cache_creation_1h})
        if (price->*write < 0) price->*write = price->input;
    }
    return compute_cost(prices_, FoundPrices{&history, terms}, model, tokens, time).cost;
  }

  const PriceTable& prices_;
  int64_t cache_share_;
};

/// As if so many tokens had come from a cache. `writes`: all the rest went into it.
Tokens with_cache(Tokens tokens, int64_t cached, bool writes) {
  const int64_t sent = tokens_sent(tokens);
  const int64_t read = std::clamp(cached, at_least_none(tokens.cache_read), sent);
  const int64_t rest = sent - read;
  const int64_t written = writes ? rest : std::min(at_least_none(tokens.cache_creation), rest);
  tokens.cache_read = read;
  tokens.cache_creation = written;
  if (tokens.cache_creation_1h > written) tokens.cache_creation_1h = written;
  tokens.input = rest - written;
  return tokens;
}

class ChangedCosts {
 public:
  ChangedCosts(const std::vector<ReplayChange>& changes, const PriceTable& prices)
      : changes_(changes), prices_(prices, cheapest_cache_share(prices)) {
    is_cached_ = std::ranges::any_of(changes, [](const ReplayChange& change) {
      return change.kind == ReplayChange::Kind::cache;
    });
  }

  ReplayCost of(const BilledStep& billed) const {
    const ReplayCost recorded{at_least_none(billed.usage.cost), at_least_none(billed.usage.cost),
                              billed.is_unpriced, billed.is_low};
    const std::string_view model = model_of(billed);
    const bool is_reused = is_cached_ && billed.reused > 0 && tokens_sent(billed.usage.tokens) > 0;
    if (model == billed.model && !is_reused) return recorded;
    const auto cost = [&](const Tokens& tokens) {
      return prices_.cost(model, tokens, billed.time);
    };
    ReplayCost changed = cost(billed.usage.tokens);
    if (is_reused) {
      const int64_t most = billed.reused + billed.replied;
      changed.lower = cost(with_cache(billed.usage.tokens, most, false)).lower;
      changed.upper = std::max(cost(with_cache(billed.usage.tokens, billed.reused, false)).upper,
                               cost(with_cache(billed.usage.tokens, billed.reused, true)).upper);
    }
    if (changed.lower < 0 || changed.upper < 0) return recorded;
    changed.low = billed.is_low;
    return changed;
  }

 private:
  std::string_view model_of(const BilledStep& billed) const {
    std::string_view model = billed.model;
    for (const ReplayChange& change : changes_)
      if (change.kind == ReplayChange::Kind::price && is_model(model, change.name))
        model = change.to;
    return model;
  }

  const std::vector<ReplayChange>& changes_;
  BoundedPrices prices_;
  bool is_cached_ = false;
};

}  // namespace

std::vector<BilledStep> billed_calls(const Graph& graph, const ShownCalls& shown,
                                     const Replay& replay) {
  std::vector<uint32_t> steps(graph.trace().calls.size(), ReplayStep::kNone);
  for (const ReplayNode& node : replay.nodes) steps[node.call.index] = node.step;
  std::vector<BilledStep> billed;
  for (CallId id : graph.timeline().in_order()) {
    const Activity& call = graph.activities().of(id);
    if (!shown.shows(id) || !call.counts_usage()) continue;
    BilledStep& one = billed.emplace_back();
    one.step = steps[id.index];
    one.model = call.model;
    one.usage = call;
    one.time = call.start;
    one.is_unpriced = call.is_unpriced;
    one.is_low = call.output_is_low || call.cost_is_partial;
    if (const CallId before = graph.contexts_before()[id.index]) {
      const Tokens& earlier = graph.activities().of(before).tokens;
      one.reused = tokens_sent(earlier);
      one.replied = at_least_none(earlier.output);
    }
  }
  return billed;
}

std::vector<BilledStep> billed_hops(const Graph& graph, const Hops& hops, const Replay& replay) {
  std::vector<BilledStep> billed;
  for (const ReplayNode& node : replay.nodes) {
    const SpanId span = hops[node.hop].span;
    if (!span) continue;
    const Activity& done = graph.activities().of(span);
    const TokensAndCost counted = graph.activities().counted_at(done.hop);
    if (counted.cost < 0 && total_of(counted.tokens) < 0) continue;
    BilledStep& one = billed.emplace_back();
    one.step = node.step;
    one.model = done.model;
    one.usage = counted;
    one.time = done.start;
    one.is_unpriced = counted.cost < 0;
    one.is_low = done.output_is_low || counted.cost_is_partial;
  }
  return billed;
}

void ReplayCost::add(const ReplayCost& other) {
  lower = at_least_none(sum_of_known({lower, other.lower}));
  upper = at_least_none(sum_of_known({upper, other.upper}));
  unpriced += other.unpriced;
  low += other.low;
}

std::vector<ReplayCost> costs_of(std::span<const BilledStep> billed,
                                 const std::vector<ReplayChange>& changes,
                                 const ReplayEffects& effects, const PriceTable& prices) {
  const ChangedCosts changed(changes, prices);
  std::vector<ReplayCost> costs(billed.size());
  for (size_t i = 0; i < costs.size(); ++i) {
    const bool has_step = billed[i].step != ReplayStep::kNone && !effects.of_step.empty();
    if (!has_step || !effects.of_step[billed[i].step].is_removed) costs[i] = changed.of(billed[i]);
  }
  return costs;
}

ReplayCost cost_of(std::span<const BilledStep> billed, const std::vector<ReplayChange>& changes,
                   const ReplayEffects& effects, const PriceTable& prices) {
  ReplayCost sum;
  for (const ReplayCost& cost : costs_of(billed, changes, effects, prices)) sum.add(cost);
  return sum;
}

}  // namespace xtrace
