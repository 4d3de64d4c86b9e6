#include "view/diff/align.h"

#include <algorithm>
#include <map>
#include <unordered_map>

namespace xtrace {

namespace {

constexpr uint32_t kNone = Alignment::kNone;
using Steps = std::span<const uint32_t>;

/// Pairs of steps that are looked at at once: two sequences of 2000, which take 16 MB of numbers
/// and some hundredths of a second. Longer ones are cut first, since time and memory grow with the
/// product.
constexpr size_t kMostCells = 4'000'000;
/// Of two sequences side by side that have no step in common to cut at: the longest piece. Two of
/// them stay below kMostCells, also where one is half as long again.
constexpr size_t kLongestPiece = 1500;
/// Pairs of sequences that are held against each other: a hundred subagents in each run. Of more,
/// those in the same place are taken to be the same.
constexpr size_t kMostPairs = 10'000;
/// An equal pair is worth more than all pairs that are merely alike.
constexpr int32_t kEqual = 1 << 16;

class StepAligner {
 public:
  StepAligner(const RunSteps& a, const RunSteps& b) : a_(a), b_(b) {
    of_a.assign(a.size(), kNone);
    of_b.assign(b.size(), kNone);
  }

  void align() {
    align_sequences(a_.tops(), b_.tops());
    while (!open_.empty()) {
      auto [a, b] = open_.back();
      open_.pop_back();
      align_sequences(a_.below(a), b_.below(b));
    }
  }

  std::vector<uint32_t> of_a, of_b;

 private:
  void pair(uint32_t a, uint32_t b) {
    of_a[a] = b;
    of_b[b] = a;
    open_.emplace_back(a, b);
  }

  /// How much speaks for two steps being one; 0: they are of different kinds. What a step does says
  /// most, then what it was given; who did it, with which model and to what end each say a little,
  /// and all three less than what it does. That all below is equal, too, decides between twins.
  int32_t likeness(uint32_t at, uint32_t to) const {
    const RunSteps::StepHashes &a = a_.hashes(at), &b = b_.hashes(to);
    if (a.kind != b.kind) return 0;
    int32_t both = a.deep == b.deep ? 2 : 0;
    if (a.whole == b.whole) return kEqual + both;
    return 1 + 4 * (a.what == b.what) + 3 * (a.what == b.what && a.given == b.given) +
           (a.agent == b.agent) + (a.model == b.model) + (a.outcome == b.outcome) + both;
  }

  // --- sequences ------------------------------------------------------------------------------

  /// Which sequence is which, the surest first: those equal in all they hold, then single steps
  /// that are equal but for what is nested in them, then the most alike. Steps are paired within
  /// two that are one, and what is left over is looked for among what has no order.
  void align_sequences(const std::vector<StepSequence>& as, const std::vector<StepSequence>& bs) {
    std::vector<uint32_t> mate(as.size(), kNone);
    std::vector<bool> taken(bs.size());
    std::multimap<uint64_t, uint32_t> by_key;
    for (uint32_t i = 0; i < bs.size(); ++i) by_key.emplace(bs[i].key, i);
    for (uint32_t i = 0; i < as.size(); ++i) {
      auto same = by_key.find(as[i].key);
      if (same == by_key.end()) continue;
      mate[i] = same->second;
      taken[same->second] = true;
      by_key.erase(same);
    }
    find_singles(as, bs, mate, taken);
    find_mates(as, bs, mate, taken);
    for (uint32_t i = 0; i < as.size(); ++i)
      if (mate[i] != kNone) align_steps(as[i].steps, bs[mate[i]].steps);
    find_elsewhere(as, bs);
  }

  /// The sequences of one step that were free to come at any time are the same ones if they are
  /// alike, not if they come at the same place.
  void find_singles(const std::vector<StepSequence>& as, const std::vector<StepSequence>& bs,
                    std::vector<uint32_t>& mate, std::vector<bool>& taken) const {
    auto key = [](const RunSteps& run, const StepSequence& sequence) {
      return run.hashes(sequence.steps.front()).whole;
    };
    std::multimap<uint64_t, uint32_t> by_key;
    for (uint32_t i = 0; i < bs.size(); ++i)
      if (!taken[i] && bs[i].steps.size() == 1) by_key.emplace(key(b_, bs[i]), i);
    for (uint32_t i = 0; i < as.size(); ++i) {
      if (mate[i] != kNone || as[i].steps.size() != 1) continue;
      auto same = by_key.find(key(a_, as[i]));
      if (same == by_key.end()) continue;
      mate[i] = same->second;
      taken[same->second] = true;
      by_key.erase(same);
    }
  }

  /// The most alike first.
  void find_mates(const std::vector<StepSequence>& as, const std::vector<StepSequence>& bs,
                  std::vector<uint32_t>& mate, std::vector<bool>& taken) const {
    std::vector<uint32_t> left, right;
    for (uint32_t i = 0; i < as.size(); ++i)
      if (mate[i] == kNone) left.push_back(i);
    for (uint32_t i = 0; i < bs.size(); ++i)
      if (!taken[i]) right.push_back(i);
    struct Pair {
      int64_t likeness;
      uint32_t apart, a, b;
    };
    std::vector<Pair> pairs;
    bool is_small = left.size() * right.size() <= kMostPairs;
    for (uint32_t i = 0; i < left.size(); ++i)
      for (uint32_t k = is_small ? 0 : i;
           k < (is_small ? right.size() : std::min<size_t>(i + 1, right.size())); ++k) {
        int64_t likeness = likeness_of(as[left[i]].steps, bs[right[k]].steps);
        if (likeness > 0) pairs.push_back({likeness, i > k ? i - k : k - i, left[i], right[k]});
      }
    std::stable_sort(pairs.begin(), pairs.end(), [](const Pair& x, const Pair& y) {
      return std::tuple(-x.likeness, x.apart, x.a + x.b) <
             std::tuple(-y.likeness, y.apart, y.a + y.b);
    });
    for (const Pair& pair : pairs) {
      if (mate[pair.a] != kNone || taken[pair.b]) continue;
      mate[pair.a] = pair.b;
      taken[pair.b] = true;
    }
  }

  /// By the steps that both have; where they have as many in common, by how they begin.
  int64_t likeness_of(Steps as, Steps bs) const {
    std::unordered_map<uint64_t, int64_t> counts;
    for (uint32_t a : as) ++counts[a_.hashes(a).whole];
    int64_t common = 0;
    for (uint32_t b : bs)
      if (int64_t& left = counts[b_.hashes(b).whole]; left > 0) --left, ++common;
    return common * 1000 + likeness(as.front(), bs.front()) % 1000;
  }

  /// The order of the two is recorded in one run, and in the other they overlap.
  void find_elsewhere(const std::vector<StepSequence>& as, const std::vector<StepSequence>& bs) {
    std::multimap<uint64_t, std::pair<uint32_t, bool>> missing;
    for (const StepSequence& sequence : as)
      for (uint32_t a : sequence.steps)
        if (of_a[a] == kNone) missing.emplace(a_.hashes(a).deep, std::pair(a, sequence.is_free));
    for (const StepSequence& sequence : bs)
      for (uint32_t b : sequence.steps) {
        if (of_b[b] != kNone) continue;
        auto [first, last] = missing.equal_range(b_.hashes(b).deep);
        auto same = std::find_if(first, last, [&](const auto& entry) {
          return sequence.is_free || entry.second.second;
        });
        if (same == last) continue;
        pair(same->second.first, b);
        missing.erase(same);
      }
  }

  // --- steps --------------------------------------------------------------------------------

  bool are_equal(uint32_t a, uint32_t b) const { return a_.hashes(a).whole == b_.hashes(b).whole; }

  /// Equal ends are equal steps in any best alignment, so only what is between them is weighed:
  /// most runs that one compares are nearly the same.
  void align_steps(Steps as, Steps bs) {
    while (!as.empty() && !bs.empty() && are_equal(as.front(), bs.front())) {
      pair(as.front(), bs.front());
      as = as.subspan(1);
      bs = bs.subspan(1);
    }
    while (!as.empty() && !bs.empty() && are_equal(as.back(), bs.back())) {
      pair(as.back(), bs.back());
      as = as.first(as.size() - 1);
      bs = bs.first(bs.size() - 1);
    }
    if (as.empty() || bs.empty()) return;
    if (as.size() * bs.size() <= kMostCells)
      align_exactly(as, bs);
    else
      align_between(as, bs, anchors(as, bs));
  }

  /// The longest chain of steps that both have exactly once, in the same order (patience diff):
  /// such a step is hardly in both by chance, so that little is lost by cutting there.
  std::vector<std::pair<size_t, size_t>> anchors(Steps as, Steps bs) const {
    struct Seen {
      size_t a = 0, b = 0;
      int in_a = 0, in_b = 0;
    };
    std::unordered_map<uint64_t, Seen> seen;
    for (size_t i = 0; i < as.size(); ++i) {
      Seen& one = seen[a_.hashes(as[i]).whole];
      one.a = i;
      ++one.in_a;
    }
    for (size_t i = 0; i < bs.size(); ++i) {
      Seen& one = seen[b_.hashes(bs[i]).whole];
      one.b = i;
      ++one.in_b;
    }
    std::vector<std::pair<size_t, size_t>> both;
    for (const auto& [mark, one] : seen)
      if (one.in_a == 1 && one.in_b == 1) both.emplace_back(one.a, one.b);
    std::sort(both.begin(), both.end());
    // Patience: the last of each pile, and what lies below each.
    std::vector<size_t> piles, before(both.size(), SIZE_MAX);
    for (size_t i = 0; i < both.size(); ++i) {
      auto pile = std::lower_bound(piles.begin(), piles.end(), both[i].second,
                                   [&](size_t at, size_t b) { return both[at].second < b; });
      if (pile != piles.begin()) before[i] = *(pile - 1);
      if (pile == piles.end())
        piles.push_back(i);
      else
        *pile = i;
    }
    std::vector<std::pair<size_t, size_t>> chain;
    for (size_t at = piles.empty() ? SIZE_MAX : piles.back(); at != SIZE_MAX; at = before[at])
      chain.push_back(both[at]);
    std::reverse(chain.begin(), chain.end());
    return chain;
  }

  /// Pairs the steps that are `fixed`, and aligns what is between them.
  void align_between(Steps as, Steps bs, std::vector<std::pair<size_t, size_t>> fixed) {
    if (fixed.empty()) {  // side by side, in pieces as long as they may be
      size_t pieces = std::max(as.size(), bs.size()) / kLongestPiece + 1;
      for (size_t i = 0; i < pieces; ++i) {
        auto piece = [&](Steps steps) {
          size_t begin = steps.size() * i / pieces, end = steps.size() * (i + 1) / pieces;
          return steps.subspan(begin, end - begin);
        };
        if (!piece(as).empty() && !piece(bs).empty()) align_exactly(piece(as), piece(bs));
      }
      return;
    }
    fixed.emplace_back(as.size(), bs.size());
    size_t a = 0, b = 0;
    for (const auto& [next_a, next_b] : fixed) {
      align_steps(as.subspan(a, next_a - a), bs.subspan(b, next_b - b));
      if (next_a < as.size()) pair(as[next_a], bs[next_b]);
      a = next_a + 1;
      b = next_b + 1;
    }
  }

  /// The best of all alignments: worth[i][k] is the best of what lies behind a[i] and b[k].
  void align_exactly(Steps as, Steps bs) {
    size_t width = bs.size() + 1;
    std::vector<int32_t> worth((as.size() + 1) * width);
    for (size_t i = as.size(); i-- > 0;)
      for (size_t k = bs.size(); k-- > 0;) {
        int32_t best = std::max(worth[(i + 1) * width + k], worth[i * width + k + 1]);
        if (int32_t both = likeness(as[i], bs[k]); both > 0)
          best = std::max(best, both + worth[(i + 1) * width + k + 1]);
        worth[i * width + k] = best;
      }
    for (size_t i = 0, k = 0; i < as.size() && k < bs.size();) {
      int32_t here = worth[i * width + k], both = likeness(as[i], bs[k]);
      if (both > 0 && here == both + worth[(i + 1) * width + k + 1]) {
        pair(as[i++], bs[k++]);
      } else if (here == worth[(i + 1) * width + k]) {
        ++i;
      } else {
        ++k;
      }
    }
  }

  const RunSteps &a_, &b_;
  std::vector<std::pair<uint32_t, uint32_t>> open_;
};

}  // namespace

Alignment align(const RunSteps& old_run, const RunSteps& new_run) {
  // The runs are aligned in an order of their own, so that it does not matter which is which.
  if (new_run.goes_before(old_run)) {
    StepAligner aligner(new_run, old_run);
    aligner.align();
    return {std::move(aligner.of_b), std::move(aligner.of_a)};
  }
  StepAligner aligner(old_run, new_run);
  aligner.align();
  return {std::move(aligner.of_a), std::move(aligner.of_b)};
}

}  // namespace xtrace
