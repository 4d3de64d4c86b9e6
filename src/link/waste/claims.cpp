#include "link/waste/claims.h"

#include <algorithm>

#include "link/graph/graph.h"

namespace xtrace {

namespace {

/// What a token that is paid for anew costs more than one that is read, in the unit of prices.
int64_t extra_price(const CacheRebuild& rebuild) {
  constexpr double kOfBillionths = 1000;
  if (rebuild.cost <= 0 || rebuild.tokens() <= 0) return 0;
  return static_cast<int64_t>(static_cast<double>(rebuild.cost) * kOfBillionths /
                              static_cast<double>(rebuild.tokens()));
}

int64_t length(PromptStretch part) {
  return std::max<int64_t>(part.to - part.from, 0);
}

}  // namespace

Claims::Claims(const Graph& graph)
    : graph_(graph),
      bill_(graph),
      is_whole_(graph.trace().calls.size(), false),
      taken_(graph.trace().calls.size()) {}

void Claims::claim(const CacheRebuild& rebuild) {
  rebuilt_.emplace(rebuild.call.index, rebuild);
}

const Tokens& Claims::tokens_of(CallId call) const {
  return graph_.activities().of(call).tokens;
}

Claims::Left Claims::left_of(CallId id) const {
  const Activity& call = graph_.activities().of(id);
  Left left{total_of(call.tokens), call.cost};
  const auto rebuilt = rebuilt_.find(id.index);
  if (rebuilt == rebuilt_.end()) return left;
  if (left.tokens >= 0) left.tokens = std::max<int64_t>(left.tokens - rebuilt->second.tokens(), 0);
  if (left.cost >= 0)
    left.cost = std::max<int64_t>(left.cost - at_least_none(rebuilt->second.cost), 0);
  return left;
}

Claims::Left Claims::left_of(PromptStretch part, CallId id) const {
  if (has(id)) return {};
  const Activity& call = graph_.activities().of(id);
  Left left{length(part), kNoCount};
  if (const std::optional<Price> price = bill_.prices_of(call))
    left.cost = prompt_cost(part, call.tokens, *price);
  const auto rebuilt = rebuilt_.find(id.index);
  if (rebuilt == rebuilt_.end()) return left;
  const CacheRebuild& anew = rebuilt->second;
  const int64_t both = length({std::max(part.from, anew.read),
                               std::min(part.to, sum_of_known({anew.read, anew.tokens()}))});
  left.tokens -= both;
  int64_t told = 0;
  if (left.cost >= 0 && add_cost(told, both, extra_price(anew)))
    left.cost = std::max<int64_t>(left.cost - to_billionths(told), 0);
  return left;
}

/// Stretch by stretch: what it takes from there on, beside what the ones before it take.
std::vector<Claims::TakenFrom> Claims::taken_by(CallId id) const {
  std::vector<TakenFrom> taken;
  if (has(id)) {
    taken.push_back({0, {1, 0}});
    const Activity& call = graph_.activities().of(id);
    const std::optional<Price> price = bill_.prices_of(call);
    if (!price) return taken;
    int64_t before = 0;
    for (const PricedStretch& one : priced_stretches(call.tokens, *price)) {
      if (one.price < 0 || one.at.from >= one.at.to) continue;
      taken.push_back({one.at.from, {0, one.price - before}});
      before = one.price;
    }
  } else if (const auto rebuilt = rebuilt_.find(id.index); rebuilt != rebuilt_.end()) {
    taken.push_back({rebuilt->second.read, {1, extra_price(rebuilt->second)}});
  }
  return taken;
}

void Claims::settle() {
  for (const Conversation& conversation : graph_.conversations()) settle(conversation.calls);
}

/// Results are in prompts in the order in which they were read, so what a call takes of those
/// behind some token, it takes of all that were read last. It is noted at the last one and handed
/// on to those before it once that is sent no more.
void Claims::settle(const std::vector<CallId>& conversation) {
  struct Reader {
    CallId call;
    int64_t middle = 0, end = 0;  ///< of what it read, in the prompts of later calls
  };
  std::vector<Reader> sent;
  const auto add = [&](size_t reader, int64_t times, int64_t price) {
    Taken& taken = taken_[sent[reader].call.index];
    taken.times += times;
    taken.price += price;
  };
  const auto leave_out = [&] {
    const Taken taken = taken_[sent.back().call.index];
    if (sent.size() > 1) add(sent.size() - 2, taken.times, taken.price);
    sent.pop_back();
  };
  for (CallId id : conversation) {
    const Call& call = graph_.trace()[id];
    const int64_t end = tokens_sent(tokens_of(id));
    if (end <= 0) continue;
    const bool is_cut = call.is_compacted || call.is_pruned;
    while (!sent.empty() && (is_cut || sent.back().end > end)) leave_out();
    for (const TakenFrom& one : taken_by(id)) {
      const auto behind =
          std::upper_bound(sent.begin(), sent.end(), one.from,
                           [](int64_t from, const Reader& reader) { return from < reader.middle; });
      if (behind == sent.end()) continue;
      add(sent.size() - 1, one.taken.times, one.taken.price);
      const auto first = static_cast<size_t>(behind - sent.begin());
      if (first > 0) add(first - 1, -one.taken.times, -one.taken.price);
    }
    const int64_t begin = sent.empty() ? 0 : sent.back().end;
    sent.push_back({id, begin + (end - begin) / 2, end});
  }
  while (!sent.empty()) leave_out();
}

CarriedResult Claims::left_of(CarriedResult result) const {
  const Taken& taken = taken_[result.reader.index];
  result.again = std::max<int64_t>(result.again - taken.times, 0);
  int64_t told = 0;
  if (result.again_cost > 0 && add_cost(told, result.tokens, std::max<int64_t>(taken.price, 0)))
    result.again_cost = std::max<int64_t>(result.again_cost - to_billionths(told), 0);
  if (has(result.reader)) {
    result.first_cost = std::min<int64_t>(result.first_cost, 0);
    --result.again;
  }
  return result;
}

}  // namespace xtrace
