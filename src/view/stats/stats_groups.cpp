#include <algorithm>
#include <functional>
#include <tuple>
#include <utility>

#include "facts/hook_runs.h"
#include "view/stats/stats.h"

namespace xtrace {

namespace {

constexpr std::string_view kKindWords[] = {"model", "tool", "agent", "retrieval", "other"};

/// Adds how often hooks ran in the files whose calls are shown, with a group for each of those that
/// no call is attributed to.
void add_hook_runs(const Stats& stats, std::vector<Grouped>& groups) {
  constexpr double kMostAtOnce = 1e6;  // a log that states more is not believed
  if (stats.calls == nullptr) return;
  const Trace& trace = stats.question.graph.trace();
  std::vector<bool> is_shown(trace.sources.size());
  for (CallId id : stats.calls->timeline().in_order())
    if (stats.calls->selection.shows(id)) is_shown[trace[id].source.file] = true;
  std::map<std::string_view, int64_t> runs;
  for (const Measurement& one : trace.measurements)
    if (one.key == kHookRuns && is_shown[one.source.file])
      runs[trace[one.component]] += static_cast<int64_t>(std::clamp(one.number, 0.0, kMostAtOnce));
  for (Grouped& group : groups)
    if (const auto found = runs.find(group.name); found != runs.end())
      group.hook_runs = std::exchange(found->second, kNoCount);
  for (const auto& [name, times] : runs) {
    if (times < 0) continue;
    Grouped& group = *groups.insert(groups.end() - 1, Grouped());
    group.name = name;
    group.hook_runs = times;
  }
}

}  // namespace

std::string_view word(Work::Kind kind) {
  return kKindWords[static_cast<size_t>(kind)];
}

Usage Stats::again(const Repeated& same) const {
  Usage sum;
  for (CallId id : same.again) sum.add(calls->spending.own(id));
  return sum;
}

Text Stats::id(const CallOrHop& node) const {
  return node.call ? names.id(node.call) : spans->name(node.hop);
}
Text Stats::at(const CallOrHop& node) const {
  return node.call ? names.at(node.call) : spans->at(spans->hops[node.hop]);
}

Outline::Column Stats::place_column(Text at, Text line) const {
  if (places) return places->column(at, line);
  return {at, false, false, 1, true};
}

Parallel Stats::at_once(const Tally& models) const {
  if (calls != nullptr || models.sum.calls > 0) return parallel_of(models.works);
  std::vector<const Work*> leaves;
  for (const Work& work : log.works)
    if (work.is_leaf) leaves.push_back(&work);
  return parallel_of(leaves);
}

void Grouped::add(const Work& work) {
  if (work.kind == Work::Kind::tool_run) tools.add(work);
  if (work.kind != Work::Kind::model_call) return;
  models.add(work);
  if (work.through_subagent) by_subagents.add(work.sum.usage);
  if (work.confidence >= 1) return;
  guessed.add(work.sum.usage);
  if (work.confidence < confidence) confidence = work.confidence, rule = work.rule;
}

void Grouped::add(const AgentLife& life) {
  lives.push_back(&life);
  models.sum.usage.add(life.lacking);
}

int64_t Grouped::spawned() const {
  return std::count_if(lives.begin(), lives.end(),
                       [](const AgentLife* life) { return life->is_spawned; });
}

int64_t Grouped::instances() const {
  return std::ranges::count_if(lives, &AgentLife::is_instance);
}

int64_t Grouped::unrecorded() const {
  return std::count_if(lives.begin(), lives.end(),
                       [](const AgentLife* life) { return life->is_unrecorded; });
}

std::vector<Duration> Grouped::lifetimes(bool of_spawned) const {
  std::vector<Duration> lengths;
  for (const AgentLife* life : lives)
    if (life->lived != kNoDuration && life->lived >= Duration{0} &&
        (life->is_spawned || !of_spawned))
      lengths.push_back(life->lived);
  return lengths;
}

Grouped all_of(const Stats& stats) {
  Grouped all;
  for (const Work& work : stats.log.works) all.add(work);
  for (const AgentLife& life : stats.log.lives) all.add(life);
  return all;
}

std::vector<Grouped> group_by(const Stats& stats, StatsAxis axis) {
  std::map<std::string_view, Grouped> groups;
  for (const Work& work : stats.log.works) {
    const Activity& done = *work.done;
    const bool is_call = work.kind == Work::Kind::model_call;
    const bool is_tool = work.kind == Work::Kind::tool_run;
    switch (axis) {
      case StatsAxis::model:
        if (is_call) groups[done.model].add(work);
        break;
      case StatsAxis::provider:
        if (is_call) groups[done.provider].add(work);
        break;
      case StatsAxis::agent:
        if (is_call || is_tool) groups[done.agent.agent()].add(work);
        break;
      case StatsAxis::tool:
        if (is_tool) groups[done.tool].add(work);
        break;
      case StatsAxis::operation:
        if (!work.is_unplaced) groups[work.operation].models.add(work);
        break;
    }
  }
  if (axis == StatsAxis::agent)
    for (const AgentLife& life : stats.log.lives) groups[life.type].add(life);
  // The one with most calls first, of equals the one with most uses of tools, then by name.
  std::vector<Grouped> all;
  for (auto& [name, group] : groups) {
    group.name = name;
    all.push_back(std::move(group));
  }
  std::ranges::stable_sort(all, std::greater<>(), [](const Grouped& group) {
    return std::pair(group.models.sum.calls, group.tools.sum.calls);
  });
  return all;
}

std::vector<Grouped> by_group(const Stats& stats) {
  if (stats.by == StatsBy::nothing) return {};
  const StatsByRow& row = row_of(stats.by);
  std::vector<Grouped> all(stats.log.groups.size() + 1);  // the last one: belongs to none
  auto at = [&](uint32_t group) -> Grouped& {
    return all[group == Work::kNoGroup ? all.size() - 1 : group];
  };
  for (const Work& work : row.attributed ? stats.log.divided : stats.log.works)
    at(work.group).add(work);
  for (const AgentLife& life : stats.log.lives) at(life.group).add(life);
  for (size_t i = 0; i < stats.log.groups.size(); ++i) all[i].name = stats.log.groups[i].name;
  if (stats.by == StatsBy::hook) add_hook_runs(stats, all);
  if (row.is_time)
    std::stable_sort(all.begin(), all.end() - 1,
                     [](const Grouped& a, const Grouped& b) { return a.name < b.name; });
  if (row.is_ranked)
    std::stable_sort(all.begin(), all.end() - 1, [](const Grouped& a, const Grouped& b) {
      return std::pair(a.models.sum.usage.cost, a.models.sum.calls) >
             std::pair(b.models.sum.usage.cost, b.models.sum.calls);
    });
  std::erase_if(all, [](const Grouped& group) { return group.is_empty(); });
  return all;
}

std::vector<ErrorCount> errors_of(const Stats& stats) {
  using Word = std::pair<std::string_view, int64_t>;
  std::map<std::pair<Work::Kind, ErrorClass>, std::map<std::string_view, int64_t>> counts;
  for (const Work& work : stats.log.works)
    if (work.failed() && !work.is_same_failure)
      ++counts[{work.failed_as, work.error_class()}][work.done->error];
  std::vector<ErrorCount> all;
  all.reserve(counts.size());
  for (const auto& [what, words] : counts) {
    ErrorCount error{word(what.first), what.second, {words.begin(), words.end()}, 0};
    std::stable_sort(error.words.begin(), error.words.end(),
                     [](const Word& a, const Word& b) { return a.second > b.second; });
    for (const Word& one : error.words) error.times += one.second;
    all.push_back(std::move(error));
  }
  std::stable_sort(all.begin(), all.end(),
                   [](const ErrorCount& a, const ErrorCount& b) { return a.times > b.times; });
  return all;
}

RetrySum retry_sum(const Stats& stats) {
  RetrySum sum;
  for (const RetryChain& chain : stats.retries) {
    ++sum.requests;
    sum.recovered += chain.ended == Outcome::ok;
    sum.most_attempts = std::max(sum.most_attempts, static_cast<int64_t>(chain.attempts.size()));
    for (const RetryChain::Attempt& attempt : chain.attempts) {
      if (attempt.waited != kNoDuration && attempt.waited >= Duration{0})
        sum.back_offs.push_back(attempt.waited);
      sum.asked += attempt.was_asked != kNoDuration;
      sum.too_early += attempt.too_early();
    }
  }
  return sum;
}

}  // namespace xtrace
