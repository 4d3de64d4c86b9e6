#include "link/causes/chain.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

// This file finds out which calls of an actor belong to which calls into it where nothing recorded
// says so: Monte-Carlo expectation maximization over assignments of children to parents.
//
//     parent p   |------------------------------|       both were open when c1, c2 and c3 began:
//     parent q      |-----------------------------|     2 x 2 x 2 assignments, and those in which
//     children        c1 |--|   c2 |-----|  c3 |-|      one of them has no parent on record
//
// The model. Every parent goes by one pattern (call_pattern.h): what it does next depends on what
// happened last in it, and so does how long that takes. An assignment is as likely as the pattern
// makes the events of all parents, times what an orphan costs: a child that no parent on record
// made. Nobody knows the pattern beforehand, so it is learned from the assignments it then judges.
//
// The steps, for each of the chains that solve() runs with seeds of their own:
//
//  1. Begin with a plain assignment, the latest caller or first come, first served. One of the two
//     is near the truth for most services: a pool of workers looks like the one, a queue like the
//     other. Learn a first pattern from it; parents that overlap with few others count most, since
//     least of what they did can be another's.
//  2. Anneal. Rounds of sweeps of small changes (chain_moves.cpp), each accepted by the rule of
//     Metropolis and Hastings; then sweeps whose assignments are counted, and from the counts the
//     next pattern. Changes are judged at a high temperature first, so that a bad beginning is
//     left; at the true one for the last two fifths.
//  3. Sample with the pattern as it is. How often a candidate was the parent is how likely it is.
//
// Chains that agree make the answer sure; chains that settled differently make it unsure, as they
// should. What makes it work are the proposals and the annealing: at five requests at once a
// prototype that drew candidates evenly had 71 % of the parents of one recording right, and 99 %
// when it drew them by how well they fit and annealed.

namespace xtrace {

namespace {

/// The share of calls whose parent nobody saw, as long as nothing says otherwise: a recording is
/// meant to be whole, yet a certain answer must stay open to doubt.
constexpr double kOrphans = 0.005;
/// So many calls does that first guess count as. Learned from one call alone, the share made a
/// parent that nobody saw likelier than two that fitted equally well.
constexpr double kDoubt = 50;
/// The answer is sampled a little warmer than the model says. The pattern was learned from the
/// assignments it judges, so it fits them too well and is too sure of them. Measured at five
/// requests at once: the calibration error of the worst recording fell from 0.031 to 0.026, and
/// more parents were right.
constexpr double kAnswerInverseTemperature = 0.9;
/// Parents about whom nothing is open, to learn from. More of them make no better pattern: its bins
/// are smoothed least from 3000 gaps on, and a parent has several.
constexpr size_t kExamples = 2000;
/// Rounds that also try a forward assignment: while the pattern still changes much, the greedy
/// choice with a new pattern may be better than what small changes made of the old one.
constexpr int kForwardRounds = 4;
/// So many parents count in full when the first pattern is learned.
constexpr size_t kTeachers = 100;
/// Annealing begins here and reaches 1, where the model is taken at its word, after a share of the
/// rounds; the rest of them learn from assignments as the model itself would make them. Measured at
/// 25 requests at once in blocks of calls: 0.2 had up to a tenth more parents right than 0.4, which
/// had as many more than 1.
constexpr double kFirstInverseTemperature = 0.2;
constexpr double kAnnealedShare = 0.6;
/// Assignments before this share of the answering sweeps are still near where annealing ended, not
/// yet drawn from the distribution.
constexpr int kDroppedPart = 5;
/// However few children have no parent, one may; and a model that lets every fifth go without one
/// stops looking for them.
constexpr double kFewestOrphans = 1e-4, kMostOrphans = 0.2;

}  // namespace

bool is_ambiguous(const AssignmentProblem& problem, const AssignmentProblem::Child& child) {
  return child.count > 1 || (child.count == 1 && problem.calls_missing);
}

MarkovChain::MarkovChain(const AssignmentProblem& problem, const Effort& effort, uint64_t seed)
    : problem_(problem),
      effort_(effort),
      pattern_(problem.kinds, problem.calls, problem.resolution),
      random_(seed),
      parent_of_(problem.children.size(), kNobody),
      children_of_(problem.parents.size()),
      likelihood_(problem.parents.size()),
      version_(problem.parents.size()),
      fits_(problem.candidates.size()),
      fitted_at_(problem.candidates.size()),
      orphan_(problem.calls) {
  double first = std::numeric_limits<double>::max(), last = -first;
  for (const AssignmentProblem::Parent& parent : problem.parents) {
    first = std::min(first, parent.start);
    last = std::max(last, parent.end);
  }
  span_ = std::max(1.0, last - first);
  of_call_.resize(problem.calls);
  for (uint32_t c = 0; c < problem.children.size(); ++c) {
    ++of_call_[problem.children[c].call];
    if (is_ambiguous(problem, problem.children[c])) ambiguous_.push_back(c);
    without_ += problem.children[c].count == 0;
  }
  allow_orphans(kOrphans);
  weigh_parents();
  choose_training_parents();
}

void MarkovChain::begin_with(bool first_come) {
  for (std::vector<uint32_t>& children : children_of_) children.clear();
  std::vector<std::vector<uint32_t>> served(problem_.parents.size());
  for (uint32_t c = 0; c < problem_.children.size(); ++c) {
    const AssignmentProblem::Child& child = problem_.children[c];
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
    assign_parent(c, chosen);
  }
}

void MarkovChain::learn_all() {
  pattern_.forget_counts();
  for (uint32_t p : training_parents_) walk(p, weight_[p], true);
  pattern_.learn();
  weigh_all();
}

void MarkovChain::anneal() {
  for (int round = 0; round < effort_.rounds; ++round) {
    if (round < kForwardRounds) build_forward();
    double inverse_temperature =
        std::min(1.0, kFirstInverseTemperature + (1 - kFirstInverseTemperature) * round /
                                                     (kAnnealedShare * effort_.rounds));
    for (int sweep = 0; sweep < effort_.sweeps; ++sweep) run_sweep(inverse_temperature);
    // Parents that overlap least are learned from first; in the last round all count the same, or
    // the pattern would be that of quiet hours.
    double fade = 1 - static_cast<double>(round + 1) / effort_.rounds;
    pattern_.forget_counts();
    size_t orphans = 0;
    for (int sweep = 0; sweep < effort_.counted_sweeps; ++sweep) {
      run_sweep(inverse_temperature);
      for (uint32_t p : training_parents_) {
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
        (static_cast<double>(problem_.children.size()) + kDoubt));
    weigh_all();
  }
}

void MarkovChain::sample_posterior(std::vector<float>& share, float weight) {
  int dropped = effort_.answer_sweeps / kDroppedPart;
  float each = weight / static_cast<float>(effort_.answer_sweeps - dropped);
  for (int sweep = 0; sweep < effort_.answer_sweeps; ++sweep) {
    run_sweep(kAnswerInverseTemperature);
    if (sweep < dropped) continue;
    for (uint32_t c : ambiguous_) {
      if (parent_of_[c] == kNobody) continue;
      share[problem_.children[c].first + place_of_parent(c)] += each;
    }
  }
}

bool MarkovChain::may_have(uint32_t p, uint32_t c) const {
  std::span<const uint32_t> candidates = candidates_of(c);
  return std::binary_search(candidates.begin(), candidates.end(), p);
}

size_t MarkovChain::place_of_parent(uint32_t c) const {
  std::span<const uint32_t> candidates = candidates_of(c);
  return static_cast<size_t>(std::lower_bound(candidates.begin(), candidates.end(), parent_of_[c]) -
                             candidates.begin());
}

void MarkovChain::assign_parent(uint32_t c, uint32_t p) {
  std::vector<uint32_t>& children = children_of_[p];
  children.insert(std::lower_bound(children.begin(), children.end(), c), c);
  parent_of_[c] = p;
  version_[p] = ++versions_;
}

void MarkovChain::clear_parent(uint32_t c) {
  std::vector<uint32_t>& children = children_of_[parent_of_[c]];
  children.erase(std::lower_bound(children.begin(), children.end(), c));
  version_[parent_of_[c]] = ++versions_;
  parent_of_[c] = kNobody;
}

void MarkovChain::allow_orphans(double share) {
  share = std::clamp(share, kFewestOrphans, kMostOrphans);
  for (uint32_t call = 0; call < problem_.calls; ++call)
    orphan_[call] = std::log(share * std::max(1.0, of_call_[call]) / span_);
}

void MarkovChain::weigh_parents() {
  size_t n = problem_.parents.size();
  std::vector<double> starts, ends;
  for (const AssignmentProblem::Parent& parent : problem_.parents) {
    starts.push_back(parent.start);
    ends.push_back(parent.end);
  }
  std::sort(starts.begin(), starts.end());
  std::sort(ends.begin(), ends.end());
  weight_.resize(n);
  for (size_t p = 0; p < n; ++p) {
    const AssignmentProblem::Parent& parent = problem_.parents[p];
    auto begun = std::upper_bound(starts.begin(), starts.end(), parent.end) - starts.begin();
    auto ended = std::lower_bound(ends.begin(), ends.end(), parent.start) - ends.begin();
    // Squared: of n that overlap each child has n candidates, and each of those n children.
    double overlapping = std::max<double>(1, static_cast<double>(begun - ended));
    weight_[p] = 1 / (overlapping * overlapping);
  }
  // Where all overlap with many, those that do least are still the ones to learn from: their
  // weights add up to less than one parent, and a pattern learned from that is what it was before.
  std::vector<double> best = weight_;
  const size_t teachers = std::min(best.size(), kTeachers);
  if (teachers == 0) return;
  std::nth_element(best.begin(), best.begin() + static_cast<ptrdiff_t>(teachers - 1), best.end(),
                   std::greater<>());
  for (double& weight : weight_) weight = std::min(1.0, weight / best[teachers - 1]);
}

void MarkovChain::choose_training_parents() {
  open_.resize(problem_.parents.size());
  for (uint32_t c : ambiguous_)
    for (uint32_t p : candidates_of(c)) open_[p] = true;
  size_t settled = static_cast<size_t>(std::count(open_.begin(), open_.end(), false));
  size_t every = std::max<size_t>(1, settled / kExamples), nth = 0;
  for (uint32_t p = 0; p < open_.size(); ++p)
    if (open_[p] || nth++ % every == 0) training_parents_.push_back(p);
}

MarkovChain::Prefix MarkovChain::prefix(uint32_t p, uint32_t c) const {
  Prefix found;
  found.last = problem_.parents[p].start;
  int order = -1;
  double now = problem_.children[c].start;
  const std::vector<uint32_t>& children = children_of_[p];
  size_t behind =
      static_cast<size_t>(std::lower_bound(children.begin(), children.end(), c) - children.begin());
  size_t first = behind - std::min(behind, kMostCalls);
  for (uint32_t x : std::span(children).subspan(first, behind - first)) {
    const AssignmentProblem::Child& child = problem_.children[x];
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

float MarkovChain::fit(uint32_t p, uint32_t c) const {
  const AssignmentProblem::Child& child = problem_.children[c];
  Prefix before = prefix(p, c);
  return pattern_.log_likelihood(problem_.parents[p].kind, before.state,
                                 pattern_.begins(child.call), child.start - before.last);
}

double MarkovChain::walk(uint32_t p, double weight, bool counting) {
  const AssignmentProblem::Parent& parent = problem_.parents[p];
  events_.clear();
  std::span<const uint32_t> children = children_of_[p];
  for (uint32_t c : children.first(std::min(children.size(), kMostCalls))) {
    const AssignmentProblem::Child& child = problem_.children[c];
    insert_event({child.start, 1, child.call});
    insert_event({child.end, child.end > child.start ? 0 : 2, child.call});
  }
  // When a call ends is up to whom it calls: an end is an event that changes the state, but its gap
  // says nothing about p.
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

void MarkovChain::insert_event(Occurrence event) {
  events_.push_back(event);
  size_t i = events_.size() - 1;
  for (; i > 0 && (events_[i - 1].at > event.at ||
                   (events_[i - 1].at == event.at && events_[i - 1].order > event.order));
       --i)
    events_[i] = events_[i - 1];
  events_[i] = event;
}

void MarkovChain::forget_fits() {
  std::ranges::fill(version_, ++versions_);
}

void MarkovChain::weigh_all() {
  forget_fits();
  for (uint32_t p : training_parents_)
    if (open_[p]) likelihood_[p] = walk(p, 1, false);
}

double MarkovChain::total() const {
  double sum = 0;
  for (double part : likelihood_) sum += part;
  for (uint32_t c : ambiguous_)
    if (parent_of_[c] == kNobody) sum += orphan_[problem_.children[c].call];
  return sum;
}

void MarkovChain::build_forward() {
  double before = total();
  std::vector<std::vector<uint32_t>> old_children = children_of_;
  std::vector<uint32_t> old_parents = parent_of_;
  std::vector<double> old_likelihood = likelihood_;
  for (std::vector<uint32_t>& children : children_of_) children.clear();
  for (uint32_t c = 0; c < problem_.children.size(); ++c) {
    parent_of_[c] = kNobody;
    if (problem_.children[c].count == 1 && !problem_.calls_missing) {
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
  forget_fits();
}

}  // namespace xtrace
