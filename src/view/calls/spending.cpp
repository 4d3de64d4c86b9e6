#include "view/calls/spending.h"

#include <algorithm>
#include <unordered_set>

#include "prices/call_costs.h"
#include "view/calls/unplaced.h"
#include "view/common/field.h"

namespace xtrace {

namespace {

void add_to(int64_t& sum, int64_t count) {
  sum = sum_of_known({sum, count});
}

}  // namespace

void Usage::add(const Usage& other) {
  add_to(tokens.input, other.tokens.input);
  add_to(tokens.output, other.tokens.output);
  add_to(tokens.cache_read, other.tokens.cache_read);
  add_to(tokens.cache_creation, other.tokens.cache_creation);
  add_to(tokens.cache_creation_1h, other.tokens.cache_creation_1h);
  add_to(cost, other.cost);
  unpriced += other.unpriced;
  low += other.low;
  unrecorded += other.unrecorded;
  partly += other.partly;
  uncharged += other.uncharged;
  if (uncharged == 0 || cost < uncharged) return;
  cost -= uncharged;
  uncharged = 0;
}

Usage usage_of(const Activity& call) {
  return {call.tokens,
          call.cost,
          call.is_unpriced ? 1 : 0,
          call.output_is_low ? 1 : 0,
          call.is_unpriced && !call.is_recorded() ? 1 : 0,
          call.cost_is_partial ? 1 : 0};
}

void CostSources::add(const PriceTable& prices, const Activity& done, const Usage& usage,
                      bool has_tokens) {
  total.add(usage);
  if (done.cost >= 0) {
    ++(done.cost_is_recorded ? from_log : from_table);
    (done.cost_is_recorded ? has_recorded : has_computed) = true;
  }
  if (done.cost_is_partial) note_partial(prices, done.model, done.tokens, done.start);
  if (usage.unpriced > 0 && !done.model.empty() && has_tokens)
    unpriced_models.push_back(done.model);
}

void CostSources::add(const PriceTable& prices, const UnplacedUsage& row) {
  total.add(usage_of(row));
  if (row.cost >= 0) (row.cost_is_recorded ? has_recorded : has_computed) = true;
  if (row.cost_is_partial) note_partial(prices, row.model, row.tokens, row.time);
  if (row.is_unpriced && !row.model.empty() && total_of(row.tokens) > 0)
    unpriced_models.push_back(row.model);
}

void CostSources::finish() {
  std::sort(unpriced_models.begin(), unpriced_models.end());
  unpriced_models.erase(std::unique(unpriced_models.begin(), unpriced_models.end()),
                        unpriced_models.end());
}

void CostSources::note_partial(const PriceTable& prices, std::string_view model,
                               const Tokens& tokens, Time time) {
  const ServerToolUses unpriced = compute_cost(prices, model, tokens, time).unpriced;
  unpriced_tools.add(unpriced);
  partly_for_others_ += !unpriced.any();
}

Spending::Spending(const Graph& graph, const Selection& selection) {
  find_own(graph, selection);
  find_stretches(graph, selection);
  add_up(graph, selection);
  unplaced_ = std::make_shared<const std::vector<UnplacedRow>>(unplaced_in(graph, selection));
  for (const UnplacedRow& row : *unplaced_) {
    sources_.add(graph.prices(), row.usage);
    if (row.usage.session > 0) unplaced_of_[row.usage.session].add(usage_of(row.usage));
  }
  sources_.finish();
}

Usage Spending::unplaced_of(const Session& session) const {
  const auto found = unplaced_of_.find(session.number);
  return found == unplaced_of_.end() ? Usage() : found->second;
}

const Usage& Spending::in_all(CallId call) const {
  std::unordered_map<uint32_t, Usage>::const_iterator found = in_all_.find(call.index);
  return found == in_all_.end() ? own(call) : found->second;
}

Usage Spending::in_all(std::span<const CallId> calls) const {
  std::unordered_set<uint32_t> asked;
  uint32_t begin = UINT32_MAX;
  for (CallId call : calls) {
    asked.insert(call.index);
    begin = std::min(begin, place_[call.index]);
  }
  Usage sum;
  for (CallId call : calls) {
    bool within =  // what another one of them spawned
        is_within(spawner_of(call), begin, [&](CallId by) { return asked.contains(by.index); });
    if (!within) sum.add(in_all(call));
  }
  return sum;
}

void Spending::find_own(const Graph& graph, const Selection& selection) {
  own_.resize(graph.trace().calls.size());
  for (CallId id : graph.timeline().in_order()) {
    if (!selection.shows(id)) continue;
    const Call& call = graph.timeline()[id];
    const Activity& asked = graph.activities().of(id);
    own_[id.index] = usage_of(asked);
    sources_.add(graph.prices(), asked, own_[id.index], call.tokens != Tokens());
  }
}

void Spending::find_stretches(const Graph& graph, const Selection& selection) {
  place_.resize(own_.size());
  uint32_t next = 0;
  for (CallId id : graph.timeline().in_order()) place_[id.index] = next++;
  std::vector<CallId> spawner(own_.size());
  for (uint32_t i : selection.links) {
    const Link& link = graph.links()[i];
    // Against the clock two calls could have spawned each other.
    bool is_later = place_[link.from.index] < place_[link.to.index];
    if (link.kind == LinkKind::subagent_spawn && is_later && !spawner[link.to.index])
      spawner[link.to.index] = link.from;
  }
  of_.resize(own_.size());
  for (const Conversation& conversation : graph.conversations()) {
    bool is_first = true;
    for (CallId id : conversation.calls) {
      if (std::exchange(is_first, false) || spawner[id.index])
        ranges_.push_back({id, spawner[id.index], {}});
      of_[id.index] = static_cast<uint32_t>(ranges_.size() - 1);
    }
  }
}

/// From the last call to the first, so that what was spawned is summed up before its spawner.
void Spending::add_up(const Graph& graph, const Selection& selection) {
  std::unordered_map<uint32_t, std::vector<size_t>> spawned;
  for (size_t i = 0; i < ranges_.size(); ++i)
    if (ranges_[i].spawner) spawned[ranges_[i].spawner.index].push_back(i);
  std::span<const CallId> order = graph.timeline().in_order();
  for (size_t i = order.size(); i-- > 0;) {
    CallId id = order[i];
    if (!selection.shows(id)) continue;
    Usage all = own(id);
    if (auto below = spawned.find(id.index); below != spawned.end()) {
      for (size_t range : below->second) all.add(ranges_[range].in_all);
      in_all_.emplace(id.index, all);
    }
    ranges_[of_[id.index]].in_all.add(all);
  }
}

}  // namespace xtrace
