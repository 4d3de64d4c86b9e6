#include "link/assignment.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

#include "link/call_pattern.h"

namespace xtrace {

namespace {

constexpr uint32_t kNobody = UINT32_MAX;
constexpr size_t kMostCalls = 128;  // of one parent that are looked at

/// How long to think.
struct Effort {
  int chains = 3, rounds = 24, sweeps = 14, counted_sweeps = 3, answer_sweeps = 160;

  int all_sweeps() const { return chains * (rounds * (sweeps + counted_sweeps) + answer_sweeps); }
};

/// As much as there is time for: a second takes some ten million looks at a candidate, and where
/// there is more to look at there is also more to learn from.
Effort effort_for(double candidates_of_a_sweep) {
  constexpr double kMostLooks = 1e8;
  Effort effort;
  double share = kMostLooks / (candidates_of_a_sweep * effort.all_sweeps());
  if (share >= 1) return effort;
  effort.chains = share > 0.3 ? 3 : share > 0.1 ? 2 : 1;
  share *= 3.0 / effort.chains;
  auto part = [&](int all, int least) {
    return std::max(least, static_cast<int>(all * std::min(1.0, share)));
  };
  effort.sweeps = part(effort.sweeps, 1);
  effort.counted_sweeps = part(effort.counted_sweeps, 1);
  effort.answer_sweeps = part(effort.answer_sweeps, 8);
  effort.rounds = part(effort.rounds, 6);
  return effort;
}
constexpr size_t kExamples = 2000;  // parents about whom nothing is open, to learn from

/// Can it be in doubt whose child it is?
bool is_open(const Riddle& riddle, const Riddle::Child& child) {
  return child.count > 1 || (child.count == 1 && riddle.leaky);
}

/// The same numbers on every machine.
class Dice {
 public:
  explicit Dice(uint64_t seed) : state_(seed * 0x9e3779b97f4a7c15 + 0x7f4a7c15) {}
  uint64_t next() {  // splitmix64
    uint64_t x = state_ += 0x9e3779b97f4a7c15;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
    x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
    return x ^ (x >> 31);
  }
  /// From 0 to below 1.
  double share() { return static_cast<double>(next() >> 11) * 0x1.0p-53; }
  uint32_t below(uint32_t n) { return static_cast<uint32_t>((next() >> 32) * n >> 32); }

 private:
  uint64_t state_;
};

/// One chain of assignments, each a little change of the one before.
class Chain {
 public:
  Chain(const Riddle& riddle, const Effort& effort, uint64_t seed)
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
    allow_orphans(0.005);
    weigh_parents();
    choose_teachers();
  }

  /// Each child with the candidate that began last; or with the one that began first among those
  /// that have no such child yet.
  void begin_with(bool first_come) {
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

  void learn_all() {
    pattern_.forget_counts();
    for (uint32_t p : teachers_) walk(p, weight_[p], true);
    pattern_.learn();
    weigh_all();
  }

  void anneal() {
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
      allow_orphans((static_cast<double>(orphans) / effort_.counted_sweeps + without_) /
                    static_cast<double>(std::max<size_t>(1, riddle_.children.size())));
      weigh_all();
    }
  }

  /// Adds how often each candidate was the parent.
  void answer(std::vector<float>& share, float weight) {
    int dropped = effort_.answer_sweeps / 5;
    float each = weight / static_cast<float>(effort_.answer_sweeps - dropped);
    for (int sweep = 0; sweep < effort_.answer_sweeps; ++sweep) {
      shuffle(1);
      if (sweep < dropped) continue;
      for (uint32_t c : ambiguous_) {
        if (parent_of_[c] == kNobody) continue;
        std::span<const uint32_t> candidates = candidates_of(c);
        size_t at = static_cast<size_t>(
            std::lower_bound(candidates.begin(), candidates.end(), parent_of_[c]) -
            candidates.begin());
        share[riddle_.children[c].first + at] += each;
      }
    }
  }

 private:
  using State = CallPattern::State;
  struct Prefix {
    State state;
    double last = 0;
  };

  std::span<const uint32_t> candidates_of(uint32_t c) const {
    const Riddle::Child& child = riddle_.children[c];
    return std::span(riddle_.candidates).subspan(child.first, child.count);
  }
  bool may_have(uint32_t p, uint32_t c) const {
    std::span<const uint32_t> candidates = candidates_of(c);
    return std::binary_search(candidates.begin(), candidates.end(), p);
  }

  void adopt(uint32_t c, uint32_t p) {
    std::vector<uint32_t>& children = children_of_[p];
    children.insert(std::lower_bound(children.begin(), children.end(), c), c);
    parent_of_[c] = p;
  }
  void abandon(uint32_t c) {
    std::vector<uint32_t>& children = children_of_[parent_of_[c]];
    children.erase(std::lower_bound(children.begin(), children.end(), c));
    parent_of_[c] = kNobody;
  }

  void allow_orphans(double share) {
    share = std::clamp(share, 1e-4, 0.2);
    for (uint32_t call = 0; call < riddle_.calls; ++call)
      orphan_[call] = std::log(share * std::max(1.0, of_call_[call]) / span_);
  }

  /// Parents that overlap with few others say most about the pattern.
  void weigh_parents() {
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

  /// Those who may have a child that others may have, and enough of the others to learn from.
  void choose_teachers() {
    open_.resize(riddle_.parents.size());
    for (uint32_t c : ambiguous_)
      for (uint32_t p : candidates_of(c)) open_[p] = true;
    size_t settled = static_cast<size_t>(std::count(open_.begin(), open_.end(), false));
    size_t every = std::max<size_t>(1, settled / kExamples), nth = 0;
    for (uint32_t p = 0; p < open_.size(); ++p)
      if (open_[p] || nth++ % every == 0) teachers_.push_back(p);
  }

  /// What happened last in p before c began, c itself left out.
  Prefix prefix(uint32_t p, uint32_t c) const {
    Prefix found;
    found.last = riddle_.parents[p].start;
    int order = -1;
    double now = riddle_.children[c].start;
    const std::vector<uint32_t>& children = children_of_[p];
    size_t behind = static_cast<size_t>(std::lower_bound(children.begin(), children.end(), c) -
                                        children.begin());
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

  /// How likely p begins c when it does.
  float fit(uint32_t p, uint32_t c) const {
    const Riddle::Child& child = riddle_.children[c];
    Prefix before = prefix(p, c);
    return pattern_.log_likelihood(riddle_.parents[p].kind, before.state,
                                   pattern_.begins(child.call), child.start - before.last);
  }

  /// Passes over the events of p; returns how likely they are, or counts them.
  double walk(uint32_t p, double weight, bool counting) {
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

  struct Occurrence {
    double at;
    int order;
    uint32_t call;
  };
  void insert_event(Occurrence event) {
    events_.push_back(event);
    size_t i = events_.size() - 1;
    for (; i > 0 && (events_[i - 1].at > event.at ||
                     (events_[i - 1].at == event.at && events_[i - 1].order > event.order));
         --i)
      events_[i] = events_[i - 1];
    events_[i] = event;
  }

  void weigh_all() {
    for (uint32_t p : teachers_)
      if (open_[p]) likelihood_[p] = walk(p, 1, false);
  }
  /// Of all that is open.
  double total() const {
    double sum = 0;
    for (double part : likelihood_) sum += part;
    for (uint32_t c : ambiguous_)
      if (parent_of_[c] == kNobody) sum += orphan_[riddle_.children[c].call];
    return sum;
  }

  /// Each child in order of time with the parent that fits best; kept if that is likelier.
  void build_forward() {
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

  void shuffle(double cold) {
    for (size_t i = 0; i < ambiguous_.size(); ++i)
      propose(ambiguous_[dice_.below(static_cast<uint32_t>(ambiguous_.size()))], cold);
  }

  /// The chance with which each candidate of c is proposed: as it fits, and a little for everyone.
  void weigh_candidates(uint32_t c) {
    std::span<const uint32_t> candidates = candidates_of(c);
    chance_.resize(candidates.size());
    float best = -std::numeric_limits<float>::max();
    for (size_t i = 0; i < candidates.size(); ++i) {
      chance_[i] = 0.7f * fit(candidates[i], c);
      best = std::max(best, chance_[i]);
    }
    float sum = 0;
    for (float& chance : chance_) sum += chance = std::exp(chance - best);
    float even = 0.1f / static_cast<float>(candidates.size());
    for (float& chance : chance_) chance = 0.9f * chance / sum + even;
  }
  size_t draw() {
    float left = static_cast<float>(dice_.share());
    for (size_t i = 0; i + 1 < chance_.size(); ++i)
      if ((left -= chance_[i]) < 0) return i;
    return chance_.size() - 1;
  }

  void propose(uint32_t c, double cold) {
    double move = dice_.share();
    weigh_candidates(c);
    std::span<const uint32_t> candidates = candidates_of(c);
    uint32_t from = parent_of_[c];
    if (from == kNobody || move < 0.04) return propose_orphan(c, cold);
    size_t place = static_cast<size_t>(
        std::lower_bound(candidates.begin(), candidates.end(), from) - candidates.begin());
    size_t chosen = draw();
    uint32_t to = candidates[chosen];
    if (to == from) return;
    double ratio = std::log(chance_[place]) - std::log(chance_[chosen]);
    moved_.clear();
    if (move < 0.22)
      moved_.push_back(c);
    else if (move < 0.52 ? !plan_swap(c, from, to) : !plan_exchange(c, from, to, move < 0.76))
      return;
    exchange(from, to);
    double before_from = likelihood_[from], before_to = likelihood_[to];
    likelihood_[from] = walk(from, 1, false);
    likelihood_[to] = walk(to, 1, false);
    double gain = likelihood_[from] + likelihood_[to] - before_from - before_to;
    if (accepted(cold * gain + ratio)) return;
    exchange(from, to);
    likelihood_[from] = before_from;
    likelihood_[to] = before_to;
  }

  bool accepted(double log_ratio) { return log_ratio >= 0 || dice_.share() < std::exp(log_ratio); }

  void propose_orphan(uint32_t c, double cold) {
    uint32_t from = parent_of_[c];
    double alone = orphan_[riddle_.children[c].call];
    std::span<const uint32_t> candidates = candidates_of(c);
    if (from != kNobody) {
      size_t place = static_cast<size_t>(
          std::lower_bound(candidates.begin(), candidates.end(), from) - candidates.begin());
      double before = likelihood_[from];
      abandon(c);
      double after = walk(from, 1, false);
      // The way back is always taken when an orphan is picked, this one only now and then.
      double ratio = std::log(chance_[place]) - std::log(0.04);
      if (accepted(cold * (after + alone - before) + ratio))
        likelihood_[from] = after;
      else
        adopt(c, from);
      return;
    }
    size_t chosen = draw();
    uint32_t to = candidates[chosen];
    double before = likelihood_[to];
    adopt(c, to);
    double after = walk(to, 1, false);
    double ratio = std::log(0.04) - std::log(chance_[chosen]);
    if (accepted(cold * (after - alone - before) + ratio))
      likelihood_[to] = after;
    else
      abandon(c);
  }

  /// c against the next such call of the other parent.
  bool plan_swap(uint32_t c, uint32_t from, uint32_t to) {
    uint32_t call = riddle_.children[c].call;
    const std::vector<uint32_t>& theirs = children_of_[to];
    auto other = std::upper_bound(theirs.begin(), theirs.end(), c);
    while (other != theirs.end() && riddle_.children[*other].call != call) ++other;
    if (other == theirs.end() || !may_have(from, *other)) return false;
    // The way back picks the next such call of the first parent, which must be the same one.
    const std::vector<uint32_t>& ours = children_of_[from];
    for (auto x = std::upper_bound(ours.begin(), ours.end(), c); x != ours.end() && *x < *other;
         ++x)
      if (riddle_.children[*x].call == call) return false;
    moved_.push_back(c);
    moved_.push_back(*other);
    return true;
  }

  /// All calls of both from c on, or up to a moment before both have ended.
  bool plan_exchange(uint32_t c, uint32_t from, uint32_t to, bool all) {
    double begin = riddle_.children[c].start, until = std::numeric_limits<double>::max();
    if (!all) {
      double both = std::min(riddle_.parents[from].end, riddle_.parents[to].end);
      until = begin + dice_.share() * (both - begin);
    }
    for (uint32_t p : {from, to}) {
      const std::vector<uint32_t>& children = children_of_[p];
      uint32_t other = p == from ? to : from;
      for (auto x = std::lower_bound(children.begin(), children.end(), c); x != children.end();
           ++x) {
        if (riddle_.children[*x].start > until) break;
        if (!may_have(other, *x)) return false;
        moved_.push_back(*x);
      }
    }
    return true;
  }

  /// Gives each moved child to the other one of the two.
  void exchange(uint32_t a, uint32_t b) {
    for (uint32_t c : moved_) {
      uint32_t to = parent_of_[c] == a ? b : a;
      abandon(c);
      adopt(c, to);
    }
  }

  const Riddle& riddle_;
  const Effort& effort_;
  CallPattern pattern_;
  Dice dice_;
  std::vector<uint32_t> parent_of_;
  std::vector<std::vector<uint32_t>> children_of_;  ///< ascending
  std::vector<double> likelihood_;                  ///< by parent
  std::vector<double> orphan_;                      ///< by call: that a child has no parent here
  std::vector<double> of_call_, weight_;
  std::vector<uint32_t> ambiguous_;
  std::vector<bool> open_;  ///< by parent: may have a child that others may have
  std::vector<uint32_t> teachers_;
  double span_ = 1, without_ = 0;  ///< microseconds; children without any candidate
  std::vector<Occurrence> events_;
  std::vector<float> chance_;
  std::vector<uint32_t> moved_;
};

}  // namespace

Solution solve(const Riddle& riddle) {
  Solution solution;
  solution.of_candidate.resize(riddle.candidates.size());
  double open = 0;  // candidates of children that have several
  for (const Riddle::Child& child : riddle.children) {
    if (is_open(riddle, child))
      open += child.count;
    else if (child.count == 1)
      solution.of_candidate[child.first] = 1;
  }
  if (open == 0) return solution;
  // Millions that could all have been one another's: nobody can tell, and nobody should wait.
  constexpr double kHopeless = 4e6;
  if (open > kHopeless) {
    for (const Riddle::Child& child : riddle.children)
      for (uint32_t i = child.first; i < child.first + child.count; ++i)
        solution.of_candidate[i] = 1.0f / static_cast<float>(child.count);
    return solution;
  }
  Effort effort = effort_for(open);
  for (int nth = 0; nth < effort.chains; ++nth) {
    Chain chain(riddle, effort, riddle.seed + static_cast<uint64_t>(nth));
    chain.begin_with(nth == 1);
    chain.learn_all();
    chain.anneal();
    chain.answer(solution.of_candidate, 1.0f / static_cast<float>(effort.chains));
  }
  return solution;
}

}  // namespace xtrace
