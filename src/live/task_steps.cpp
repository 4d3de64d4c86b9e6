#include "live/task_steps.h"

#include <algorithm>
#include <bit>
#include <iterator>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "base/hash.h"

namespace xtrace {

namespace {

bool is_among(const std::vector<uint32_t>& parts, uint32_t part) {
  return std::ranges::binary_search(parts, part);
}

uint64_t hash_of_edge(const TaskEdge& edge, const std::vector<TaskSteps::Step>& steps) {
  uint64_t hash = chain(steps[edge.from].said_hash, steps[edge.to].said_hash);
  hash = chain(hash, static_cast<uint64_t>(edge.relation));
  hash = chain(hash, std::bit_cast<uint64_t>(edge.confidence));
  for (const Rival<uint32_t>& rival : edge.rivals)
    hash =
        chain(chain(hash, steps[rival.from].said_hash), std::bit_cast<uint64_t>(rival.confidence));
  return hash == 0 ? 1 : hash;
}

}  // namespace

uint64_t hash_of(const TaskSteps::Said& said) {
  return chain(chain(hash_of(said.id), hash_of(said.place)), hash_of(said.key));
}

bool TaskSteps::Step::before(const Step& other) const {
  const auto key = [](const Step& step) {
    return std::tuple(step.place.start, !step.is_query, !step.is_call, step.rank, step.part,
                      step.nth);
  };
  return key(*this) < key(other);
}

void TaskSteps::merge(TaskSteps other) {
  for (const auto& [task, costs] : other.costs_) costs_[task].add(costs);
  priced_.insert(priced_.end(), other.priced_.begin(), other.priced_.end());
  const auto middle = static_cast<std::ptrdiff_t>(steps_.size());
  std::ranges::move(other.steps_, std::back_inserter(steps_));
  std::inplace_merge(steps_.begin(), steps_.begin() + middle, steps_.end(),
                     [](const Step& a, const Step& b) { return a.before(b); });
  std::ranges::move(other.gone_, std::back_inserter(gone_));
}

void TaskSteps::rename(const std::function<uint32_t(uint32_t)>& find) {
  for (Step& step : steps_) step.part = find(step.part);
  for (Priced& one : priced_) one.part = find(one.part);
}

void TaskSteps::replace(const std::vector<uint32_t>& parts, std::vector<Priced> priced) {
  std::unordered_map<uint32_t, std::vector<int64_t>> gone, come;
  std::erase_if(priced_, [&](const Priced& one) {
    if (!is_among(parts, one.part)) return false;
    gone[one.task].push_back(one.cost);
    return true;
  });
  for (const Priced& one : priced) come[one.task].push_back(one.cost);
  for (auto& [task, costs] : gone) costs_[task].remove(std::move(costs));
  for (auto& [task, costs] : come) costs_[task].add(std::move(costs));
  for (Priced& one : priced) one.spike = spike_of(one.task, one.cost);
  priced_.insert(priced_.end(), priced.begin(), priced.end());
}

std::vector<uint32_t> TaskSteps::parts_with_other_spikes() const {
  std::vector<uint32_t> parts;
  for (const Priced& one : priced_)
    if (spike_of(one.task, one.cost) != one.spike) parts.push_back(one.part);
  std::ranges::sort(parts);
  parts.erase(std::unique(parts.begin(), parts.end()), parts.end());
  return parts;
}

void TaskSteps::replace(const std::vector<uint32_t>& parts, std::vector<Step> steps) {
  std::unordered_map<std::string, std::pair<uint64_t, std::string>> shown;  // edges, by their end
  std::erase_if(steps_, [&](Step& step) {
    if (!is_among(parts, step.part)) return false;
    if (step.edge != 0)
      shown.try_emplace(std::move(step.said->id), step.edge, std::move(step.cause));
    return true;
  });
  for (Step& step : steps) {
    step.said_hash = hash_of(*step.said);
    if (auto edge = shown.extract(step.said->id))
      std::tie(step.edge, step.cause) = std::move(edge.mapped());
  }
  for (auto& [id, edge] : shown) gone_.emplace_back(std::move(edge.second), id);
  const auto is_before = [](const Step& a, const Step& b) { return a.before(b); };
  std::ranges::sort(steps, is_before);
  const auto middle = static_cast<std::ptrdiff_t>(steps_.size());
  std::ranges::move(steps, std::back_inserter(steps_));
  // Mostly the newest, so that little of what was there has to move.
  if (middle > 0 && steps_.begin() + middle != steps_.end()) {
    const auto first = std::upper_bound(steps_.begin(), steps_.begin() + middle,
                                        steps_[static_cast<size_t>(middle)], is_before);
    std::inplace_merge(first, steps_.begin() + middle, steps_.end(), is_before);
  }
}

void TaskSteps::order(GraphDelta& delta, const WriteEdge& write) {
  std::ranges::move(std::exchange(gone_, {}), std::back_inserter(delta.gone_edges));
  std::vector<TaskPlace> places;
  places.reserve(steps_.size());
  for (const Step& step : steps_) places.push_back(step.place);
  std::vector<bool> has_edge(steps_.size());
  const TaskOrder found = order_tasks(std::move(places));
  for (const TaskEdge& edge : found.edges) {
    Step& step = steps_[edge.to];
    has_edge[edge.to] = true;
    const uint64_t hash = hash_of_edge(edge, steps_);
    if (hash == step.edge) continue;
    const std::string& cause = steps_[edge.from].said->id;
    if (step.edge != 0 && step.cause != cause)
      delta.gone_edges.emplace_back(step.cause, step.said->id);
    step.edge = hash;
    step.cause = cause;
    delta.edges.push_back({{cause, step.said->id}, write({edge, steps_})});
  }
  for (size_t i = 0; i < steps_.size(); ++i) {
    if (has_edge[i] || steps_[i].edge == 0) continue;
    delta.gone_edges.emplace_back(std::move(steps_[i].cause), steps_[i].said->id);
    steps_[i].edge = 0;
    steps_[i].cause.clear();
  }
}

}  // namespace xtrace
