#include "link/causes/chain.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace xtrace {

namespace {

constexpr size_t kMostCalls = 128;  // of one parent that are looked at
constexpr double kOrphans = 0.005;  // the share of calls whose parent nobody saw, to begin with
constexpr double kDoubt = 50;       // calls that must be seen to think otherwise
// A pattern learned from what it then judges fits too well; a little warmer, it is as sure as it is
// right.
constexpr double kAnswerCold = 0.9;
constexpr size_t kExamples = 2000;  // parents about whom nothing is open, to learn from

}  // namespace

bool is_open(const Riddle& riddle, const Riddle::Child& child) {
  return child.count > 1 || (child.count == 1 && riddle.leaky);
}

Chain::Chain(const Riddle& riddle, const Effort& effort, uint64_t seed)
    : riddle_(riddle),
      effort_(effort),
      pattern_(riddle.kinds, riddle.calls, riddle.resolution),
      dice_(seed),
      parent_of_(riddle.children.size(), kNobody),
      children_of_(riddle.parents.size()),
      likelihood_(riddle.parents.size()),
      orphan_(riddle.calls) {
  double first = std::numeric_limits<double>::max(), last = -first;
  for (const Riddle::Parent& parent : riddle.parents) {
    first = std::min(first, parent.start);
    last = std::max(last, parent.end);
  }
  span_ = std::max(1.0, last - first);
  of_call_.resize(riddle.calls);
  for (uint32_t c = 0; c < riddle.children.size(); ++c) {
    ++of_call_[riddle.children[c].call];
    if (is_open(riddle, riddle.children[c])) ambiguous_.push_back(c);
    without_ += riddle.children[c].count == 0;
  }
  allow_orphans(kOrphans);
  weigh_parents();
  choose_teachers();
}

void Chain::begin_with(bool first_come) {
  for (std::vector<uint32_t>& children : children_of_) children.clear();
  std::vector<std::vector<uint32_t>> served(riddle_.parents.size());
  for (uint32_t c = 0; c < riddle_.children.size(); ++c) {
    const Riddle::Child& child = riddle_.children[c];
    parent_of_[c] = kNobody;
    std::span<const uint32_t> candidates = candidates_of(c);
    if (candidates.empty()) continue;
    uint32_t chosen = candidates.back();
    if (first_come)
      for (uint32_t p : candidates)
        if (std::find(served[p].begin(), served[p].end(), child.call) == served[p].end()) {
          chosen = p;
          break;
        }
    served[chosen].push_back(child.call);
    adopt(c, chosen);
  }
}

void Chain::learn_all() {
  pattern_.forget_counts();
  for (uint32_t p : teachers_) walk(p, weight_[p], true);
  pattern_.learn();
  weigh_all();
}

void Chain::anneal() {
  for (int round = 0; round < effort_.rounds; ++round) {
    if (round < 4) build_forward();
    constexpr double kHot = 0.4;
    double cold = std::min(1.0, kHot + (1 - kHot) * round / (0.6 * effort_.rounds));
    for (int sweep = 0; sweep < effort_.sweeps; ++sweep) shuffle(cold);
    // The parents that overlap least teach first.
    double fade = 1 - static_cast<double>(round + 1) / effort_.rounds;
    pattern_.forget_counts();
    size_t orphans = 0;
    for (int sweep = 0; sweep < effort_.counted_sweeps; ++sweep) {
      shuffle(cold);
      for (uint32_t p : teachers_) {
        double weight = weight_[p] == 1 ? 1 : std::pow(weight_[p], fade);
        if (open_[p])
          walk(p, weight / effort_.counted_sweeps, true);
        else if (sweep == 0)
          walk(p, weight, true);
      }
      for (uint32_t c : ambiguous_) orphans += parent_of_[c] == kNobody;
    }
    pattern_.learn();
    // A few calls without a parent among a few calls do not say that many have none.
    allow_orphans(
        (static_cast<double>(orphans) / effort_.counted_sweeps + without_ + kOrphans * kDoubt) /
        (static_cast<double>(riddle_.children.size()) + kDoubt));
    weigh_all();
  }
}

void Chain::answer(std::vector<float>& share, float weight) {
  int dropped = effort_.answer_sweeps / 5;
  float each = weight / static_cast<float>(effort_.answer_sweeps - dropped);
  for (int sweep = 0; sweep < effort_.answer_sweeps; ++sweep) {
    shuffle(kAnswerCold);
    if (sweep < dropped) continue;
    for (uint32_t c : ambiguous_) {
      if (parent_of_[c] == kNobody) continue;
      share[riddle_.children[c].first + place_of_parent(c)] += each;
    }
  }
}

bool Chain::may_have(uint32_t p, uint32_t c) const {
  std::span<const uint32_t> candidates = candidates_of(c);
  return std::binary_search(candidates.begin(), candidates.end(), p);
}

size_t Chain::place_of_parent(uint32_t c) const {
  std::span<const uint32_t> candidates = candidates_of(c);
  return static_cast<size_t>(std::lower_bound(candidates.begin(), candidates.end(), parent_of_[c]) -
                             candidates.begin());
}

void Chain::adopt(uint32_t c, uint32_t p) {
  std::vector<uint32_t>& children = children_of_[p];
  children.insert(std::lower_bound(children.begin(), children.end(), c), c);
  parent_of_[c] = p;
}

void Chain::abandon(uint32_t c) {
  std::vector<uint32_t>& children = children_of_[parent_of_[c]];
  children.erase(std::lower_bound(children.begin(), children.end(), c));
  parent_of_[c] = kNobody;
}

void Chain::allow_orphans(double share) {
  share = std::clamp(share, 1e-4, 0.2);
  for (uint32_t call = 0; call < riddle_.calls; ++call)
    orphan_[call] = std::log(share * std::max(1.0, of_call_[call]) / span_);
}

void Chain::weigh_parents() {
  size_t n = riddle_.parents.size();
  std::vector<double> starts, ends;
  for (const Riddle::Parent& parent : riddle_.parents) {
    starts.push_back(parent.start);
    ends.push_back(parent.end);
  }
  std::sort(starts.begin(), starts.end());
  std::sort(ends.begin(), ends.end());
  weight_.resize(n);
  for (size_t p = 0; p < n; ++p) {
    const Riddle::Parent& parent = riddle_.parents[p];
    auto begun = std::upper_bound(starts.begin(), starts.end(), parent.end) - starts.begin();
    auto ended = std::lower_bound(ends.begin(), ends.end(), parent.start) - ends.begin();
    double overlapping = std::max<double>(1, static_cast<double>(begun - ended));
    weight_[p] = 1 / (overlapping * overlapping);
  }
}

void Chain::choose_teachers() {
  open_.resize(riddle_.parents.size());
  for (uint32_t c : ambiguous_)
    for (uint32_t p : candidates_of(c)) open_[p] = true;
  size_t settled = static_cast<size_t>(std::count(open_.begin(), open_.end(), false));
  size_t every = std::max<size_t>(1, settled / kExamples), nth = 0;
  for (uint32_t p = 0; p < open_.size(); ++p)
    if (open_[p] || nth++ % every == 0) teachers_.push_back(p);
}

Chain::Prefix Chain::prefix(uint32_t p, uint32_t c) const {
  Prefix found;
  found.last = riddle_.parents[p].start;
  int order = -1;
  double now = riddle_.children[c].start;
  const std::vector<uint32_t>& children = children_of_[p];
  size_t behind =
      static_cast<size_t>(std::lower_bound(children.begin(), children.end(), c) - children.begin());
  size_t first = behind - std::min(behind, kMostCalls);
  for (uint32_t x : std::span(children).subspan(first, behind - first)) {
    const Riddle::Child& child = riddle_.children[x];
    bool ended = child.end <= now;
    // At one moment: ends first, then beginnings, then ends of what took no time.
    double at = ended ? child.end : child.start;
    int rank = !ended ? 1 : child.end > child.start ? 0 : 2;
    if (!ended) found.state.waiting = true;
    if (at > found.last || (at == found.last && rank >= order)) {
      found.last = at;
      found.state.last = ended ? CallPattern::ended(child.call) : CallPattern::began(child.call);
      order = rank;
    }
  }
  return found;
}

float Chain::fit(uint32_t p, uint32_t c) const {
  const Riddle::Child& child = riddle_.children[c];
  Prefix before = prefix(p, c);
  return pattern_.log_likelihood(riddle_.parents[p].kind, before.state, pattern_.begins(child.call),
                                 child.start - before.last);
}

double Chain::walk(uint32_t p, double weight, bool counting) {
  const Riddle::Parent& parent = riddle_.parents[p];
  events_.clear();
  std::span<const uint32_t> children = children_of_[p];
  for (uint32_t c : children.first(std::min(children.size(), kMostCalls))) {
    const Riddle::Child& child = riddle_.children[c];
    insert_event({child.start, 1, child.call});
    insert_event({child.end, child.end > child.start ? 0 : 2, child.call});
  }
  State state;
  double last = parent.start, sum = 0;
  uint32_t open = 0;
  auto step = [&](uint32_t outcome, double gap) {
    state.waiting = open > 0;
    if (counting)
      pattern_.count(parent.kind, state, outcome, gap, weight);
    else
      sum += pattern_.log_likelihood(parent.kind, state, outcome, gap);
  };
  for (const Occurrence& event : events_) {
    if (event.order == 1) {
      step(pattern_.begins(event.call), event.at - last);
      state.last = CallPattern::began(event.call);
      ++open;
    } else {
      step(pattern_.nothing(), 0);
      state.last = CallPattern::ended(event.call);
      --open;
    }
    last = event.at;
  }
  step(pattern_.ends(), parent.end - last);
  return sum;
}

void Chain::insert_event(Occurrence event) {
  events_.push_back(event);
  size_t i = events_.size() - 1;
  for (; i > 0 && (events_[i - 1].at > event.at ||
                   (events_[i - 1].at == event.at && events_[i - 1].order > event.order));
       --i)
    events_[i] = events_[i - 1];
  events_[i] = event;
}

void Chain::weigh_all() {
  for (uint32_t p : teachers_)
    if (open_[p]) likelihood_[p] = walk(p, 1, false);
}

double Chain::total() const {
  double sum = 0;
  for (double part : likelihood_) sum += part;
  for (uint32_t c : ambiguous_)
    if (parent_of_[c] == kNobody) sum += orphan_[riddle_.children[c].call];
  return sum;
}

void Chain::build_forward() {
  double before = total();
  std::vector<std::vector<uint32_t>> old_children = children_of_;
  std::vector<uint32_t> old_parents = parent_of_;
  std::vector<double> old_likelihood = likelihood_;
  for (std::vector<uint32_t>& children : children_of_) children.clear();
  for (uint32_t c = 0; c < riddle_.children.size(); ++c) {
    parent_of_[c] = kNobody;
    if (riddle_.children[c].count == 1 && !riddle_.leaky) {
      children_of_[candidates_of(c).front()].push_back(c);
      parent_of_[c] = candidates_of(c).front();
      continue;
    }
    float best = -std::numeric_limits<float>::max();
    uint32_t chosen = kNobody;
    for (uint32_t p : candidates_of(c))
      if (float score = fit(p, c); score > best) best = score, chosen = p;
    if (chosen != kNobody) {
      children_of_[chosen].push_back(c);
      parent_of_[c] = chosen;
    }
  }
  weigh_all();
  if (total() >= before) return;
  children_of_ = std::move(old_children);
  parent_of_ = std::move(old_parents);
  likelihood_ = std::move(old_likelihood);
}

}  // namespace xtrace
