#include <algorithm>
#include <cmath>
#include <limits>

#include "link/causes/chain.h"

namespace xtrace {

// The small changes that a chain tries. One child c, picked evenly among those in doubt, has the
// parent p; q is drawn by how well c fits behind what q did before:
//
//      4 %   c becomes an orphan; an orphan that is picked always goes to q
//     18 %   c moves to q
//     26 %   c changes places with q's next child of the same call
//     16 %   p and q exchange all children from the start of c on
//     30 %   p and q exchange the children of a stretch that begins with c
//      6 %   a block of p's, c the first of it, changes places with a block of q's, which begins
//      with
//            q's next child of the same call
//
// Moving one child at a time hardly ever leaves a bad assignment: where p and q both call a, b and
// then c, swapping the b's alone fits neither, and only exchanging all that follows does.
// Where both make blocks of calls with pauses between, what q does in the pause would have to move
// too: then only exchanging a block of each does. More of these than a few cost the other changes
// more than they gain: measured on made requests of two types in blocks of 3 to 8 calls.
//
// A change is accepted with the chance min(1, exp(gain / temperature) * back / there), the rule of
// Metropolis and Hastings, which makes the visits as frequent as assignments are likely. `there` is
// the chance of the proposal and `back` that of the one that undoes it. Both depend on what came
// before c alone, which no change touches: so the ratio is exact, and costs nothing to find.

namespace {

/// Limits of the six changes for an even number from 0 to 1. None was tuned by itself.
constexpr double kOrphanChance = 0.04, kUntilMove = 0.22, kUntilSwap = 0.48, kUntilExchange = 0.64,
                 kUntilStretch = 0.94;
/// After each child of a block the next one belongs to it too with this chance: blocks of four on
/// average, and of ten now and then.
constexpr double kBlockGoesOn = 0.75;
/// Candidates are drawn by the power of how well they fit, so that the second best come up too, and
/// a tenth of the time evenly: whoever is never proposed is never found.
constexpr float kFitPower = 0.7f, kEvenShare = 0.1f;

}  // namespace

void MarkovChain::run_sweep(double inverse_temperature) {
  for (size_t i = 0; i < ambiguous_.size(); ++i)
    propose(ambiguous_[random_.below(static_cast<uint32_t>(ambiguous_.size()))],
            inverse_temperature);
}

void MarkovChain::weigh_candidates(uint32_t c) {
  std::span<const uint32_t> candidates = candidates_of(c);
  chance_.resize(candidates.size());
  float best = -std::numeric_limits<float>::max();
  for (size_t i = 0; i < candidates.size(); ++i) {
    const uint32_t p = candidates[i];
    const size_t at = problem_.children[c].first + i;
    if (fitted_at_[at] != version_[p]) {
      fits_[at] = fit(p, c);
      fitted_at_[at] = version_[p];
    }
    chance_[i] = kFitPower * fits_[at];
    best = std::max(best, chance_[i]);
  }
  float sum = 0;
  for (float& chance : chance_) sum += chance = std::exp(chance - best);
  float even = kEvenShare / static_cast<float>(candidates.size());
  for (float& chance : chance_) chance = (1 - kEvenShare) * chance / sum + even;
}

size_t MarkovChain::draw() {
  float left = static_cast<float>(random_.uniform());
  for (size_t i = 0; i + 1 < chance_.size(); ++i)
    if ((left -= chance_[i]) < 0) return i;
  return chance_.size() - 1;
}

void MarkovChain::propose(uint32_t c, double inverse_temperature) {
  double move = random_.uniform();
  weigh_candidates(c);
  std::span<const uint32_t> candidates = candidates_of(c);
  uint32_t from = parent_of_[c];
  if (from == kNobody || move < kOrphanChance) return propose_orphan(c, inverse_temperature);
  size_t place = place_of_parent(c);
  size_t chosen = draw();
  uint32_t to = candidates[chosen];
  if (to == from) return;
  double ratio = std::log(chance_[place]) - std::log(chance_[chosen]);
  moved_.clear();
  if (move < kUntilMove)
    moved_.push_back(c);
  else if (move < kUntilSwap      ? !plan_swap(c, from, to)
           : move < kUntilStretch ? !plan_exchange(c, from, to, move < kUntilExchange)
                                  : !plan_blocks(c, from, to))
    return;
  const Version version_from = version_[from], version_to = version_[to];
  exchange(from, to);
  double before_from = likelihood_[from], before_to = likelihood_[to];
  likelihood_[from] = walk(from, 1, false);
  likelihood_[to] = walk(to, 1, false);
  double gain = likelihood_[from] + likelihood_[to] - before_from - before_to;
  if (accepted(inverse_temperature * gain + ratio)) return;
  exchange(from, to);
  likelihood_[from] = before_from;
  likelihood_[to] = before_to;
  version_[from] = version_from;
  version_[to] = version_to;
}

void MarkovChain::propose_orphan(uint32_t c, double inverse_temperature) {
  uint32_t from = parent_of_[c];
  double alone = orphan_[problem_.children[c].call];
  std::span<const uint32_t> candidates = candidates_of(c);
  if (from != kNobody) {
    size_t place = place_of_parent(c);
    double before = likelihood_[from];
    const Version version = version_[from];
    clear_parent(c);
    double after = walk(from, 1, false);
    // The way back is always taken when an orphan is picked, this one only now and then.
    double ratio = std::log(chance_[place]) - std::log(kOrphanChance);
    if (accepted(inverse_temperature * (after + alone - before) + ratio)) {
      likelihood_[from] = after;
      return;
    }
    assign_parent(c, from);
    version_[from] = version;
    return;
  }
  size_t chosen = draw();
  uint32_t to = candidates[chosen];
  double before = likelihood_[to];
  const Version version = version_[to];
  assign_parent(c, to);
  double after = walk(to, 1, false);
  double ratio = std::log(kOrphanChance) - std::log(chance_[chosen]);
  if (accepted(inverse_temperature * (after - alone - before) + ratio)) {
    likelihood_[to] = after;
    return;
  }
  clear_parent(c);
  version_[to] = version;
}

bool MarkovChain::plan_swap(uint32_t c, uint32_t from, uint32_t to) {
  uint32_t call = problem_.children[c].call;
  const std::vector<uint32_t>& theirs = children_of_[to];
  auto other = std::upper_bound(theirs.begin(), theirs.end(), c);
  for (size_t looked = 0; other != theirs.end() && problem_.children[*other].call != call; ++other)
    if (++looked > kMostCalls) return false;
  if (other == theirs.end() || !may_have(from, *other)) return false;
  // The way back picks the next such call of the first parent, which must be the same one, and
  // looks no further either.
  const std::vector<uint32_t>& ours = children_of_[from];
  auto x = std::upper_bound(ours.begin(), ours.end(), c);
  for (size_t looked = 0; x != ours.end() && *x < *other; ++x)
    if (problem_.children[*x].call == call || ++looked > kMostCalls) return false;
  moved_.push_back(c);
  moved_.push_back(*other);
  return true;
}

bool MarkovChain::plan_exchange(uint32_t c, uint32_t from, uint32_t to, bool all) {
  double begin = problem_.children[c].start, until = std::numeric_limits<double>::max();
  if (!all) {
    double both = std::min(problem_.parents[from].end, problem_.parents[to].end);
    until = begin + random_.uniform() * (both - begin);
  }
  for (uint32_t p : {from, to}) {
    uint32_t other = p == from ? to : from;
    for (uint32_t x : from_on(p, c)) {
      if (problem_.children[x].start > until) break;
      if (moved_.size() == kMostCalls || !may_have(other, x)) return false;
      moved_.push_back(x);
    }
  }
  return true;
}

bool MarkovChain::plan_blocks(uint32_t c, uint32_t from, uint32_t to) {
  const uint32_t call = problem_.children[c].call;
  auto is_same = [&](uint32_t x) { return problem_.children[x].call == call; };
  const std::span<const uint32_t> ours = from_on(from, c), theirs = from_on(to, c);
  const auto near = theirs.first(std::min(theirs.size(), kMostCalls));
  const auto other = std::find_if(near.begin(), near.end(), is_same);
  if (other == near.end()) return false;
  const size_t before = static_cast<size_t>(other - near.begin());
  // Lengths are drawn without a look at the children: the way back draws the same ones as often.
  const size_t n = draw_block(), m = random_.uniform() < 0.5 ? n : draw_block();
  if (n > ours.size() || m > theirs.size() - before) return false;
  const std::span<const uint32_t> block = ours.first(n), for_it = theirs.subspan(before, m);
  for (uint32_t x : block)
    if (!may_have(to, x)) return false;
  for (uint32_t x : for_it)
    if (!may_have(from, x)) return false;
  // The way back must find the same blocks: unbroken by what stays, and the second one where the
  // first such call is.
  auto is_within = [&](uint32_t x) { return x < block.back(); };
  if (std::any_of(near.begin(), other, is_within)) return false;
  if (before + m < theirs.size() && is_within(theirs[before + m])) return false;
  size_t looked = 0;
  for (uint32_t x : ours.subspan(n)) {
    if (x > for_it.back()) break;
    if (x > *other || is_same(x) || ++looked > kMostCalls) return false;
  }
  moved_.assign(block.begin(), block.end());
  moved_.insert(moved_.end(), for_it.begin(), for_it.end());
  return true;
}

std::span<const uint32_t> MarkovChain::from_on(uint32_t p, uint32_t c) const {
  const std::vector<uint32_t>& children = children_of_[p];
  return {std::lower_bound(children.begin(), children.end(), c), children.end()};
}

size_t MarkovChain::draw_block() {
  size_t n = 1;
  while (random_.uniform() < kBlockGoesOn) ++n;
  return n;
}

void MarkovChain::exchange(uint32_t a, uint32_t b) {
  for (uint32_t c : moved_) {
    uint32_t to = parent_of_[c] == a ? b : a;
    clear_parent(c);
    assign_parent(c, to);
  }
}

}  // namespace xtrace
