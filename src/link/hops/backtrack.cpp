#include <algorithm>
#include <map>
#include <tuple>

#include "base/hash.h"
#include "base/parallel.h"
#include "base/walk_up.h"
#include "link/causes/assignment.h"
#include "link/causes/sureness.h"
#include "link/hops/callbacks.h"
#include "link/hops/callers.h"
#include "link/hops/span_linkers.h"

namespace xtrace {

namespace {

/// Microseconds that a caller's and a callee's records may disagree by on one machine, where both
/// read one clock but round, buffer and write in their own time.
constexpr double kSlackMicroseconds = 200;
/// Microseconds tried where only the other side's clock is known, which may differ by milliseconds.
/// An offset shows at both ends, so the slack must be its double. Each step is at most twice the
/// one before: more slack than is needed makes candidates of callers that were not open.
constexpr double kWiderSlacks[] = {1000, 2000, 4000, 7000, 12000};
/// Of calls told apart; the rarer ones count as one. The tables of the pattern grow with the
/// square, and what is called less often than 23 others has too few gaps to learn from.
constexpr size_t kMostKinds = 24;
/// Calls are missing from the recording if more than one in so many have no caller in it: more than
/// the solver believes of any recording unasked (kOrphans of chain.cpp, 0.5 %) ...
constexpr size_t kOneMissingIn = 200;
/// ... and there are enough of them; of fewer, the one whose caller began before the recording did
/// would already make every certain caller doubtful.
constexpr size_t kEnoughCalls = 40;
/// Where more than this share of alike calls, in percent, outlive every caller, nobody waits for
/// their end. Recordings that lose spans lose 2 or 3 in a hundred, and then it is the caller that
/// nobody saw.
constexpr size_t kAsynchronousPercent = 8;
/// How sure a cause can be that was found by time where the span names another one as its parent,
/// which is not in the input: it may be between the two, or not. A choice; nothing was measured.
constexpr double kOfUnseenParent = 0.5;
/// How likely a call acts that seems to wait for another one, which called its actor back. A choice
/// as well.
constexpr double kWhileWaiting = 0.1;

/// Does a hop need a cause? Who calls for nobody, and spans whose parents were recorded, do not.
bool lacks_cause(const Trace& trace, const Hops& hops, const Hop& hop) {
  const Span& span = trace[hop.span];
  return hops.lacks_cause(hop) && (span.from || span.to) && !span.converted;
}

bool seen_by_caller(const Trace& trace, const Hops& hops, const Hop& hop) {
  std::span<const SpanId> all = hops.observations_of(hop);
  return std::any_of(all.begin(), all.end(), [&](SpanId id) { return !trace[id].inbound; });
}

/// The calls into one actor and those it made, over all runs.
class Service {
 public:
  Service(const Trace& trace, const Hops& hops, const std::vector<HopId>& callbacks, ActorId actor)
      : trace_(trace), hops_(hops), callbacks_(callbacks), actor_(actor), callers_(trace, hops) {}

  void add_parent(HopId id) { parents_.push_back(id); }
  void add_child(HopId id) { children_.push_back(id); }
  bool is_undecided() const { return !children_.empty(); }

  void solve(const LinkOptions& linking) {
    Time first = Time::max();
    for (HopId id : parents_) first = std::min(first, hops_[id].start);
    for (HopId id : children_) first = std::min(first, hops_[id].sent);
    epoch_ = first;
    sort_by_time();
    read_parents();
    read_children();
    last_begun_.assign(children_.size(), Callers::kNobody);
    if (linking.causes == Causes::nearest) return take_nearest();
    find_candidates();
    size_t without = 0;
    for (size_t c = 0; c < children_.size(); ++c)
      without += problem_.children[c].count == 0 && last_begun_[c] == Callers::kNobody;
    if (std::any_of(last_begun_.begin(), last_begun_.end(),
                    [](uint32_t p) { return p != Callers::kNobody; }))
      trust_in_last_begun_ = trust_in_last_begun();
    problem_.calls_missing = without * kOneMissingIn > problem_.children.size() &&
                             problem_.children.size() >= kEnoughCalls;
    problem_.seed = seed();
    solution_ = xtrace::solve(problem_);
  }

  const Disorder& disorder() const { return disorder_; }

  /// Writes down what was found. `disorder`: of the whole input.
  void conclude(Hops& hops, const LinkOptions& linking, const Disorder& disorder) const {
    for (size_t c = 0; c < children_.size(); ++c) conclude(c, hops, linking, disorder);
    hops.weighed += callers_.weighed();
  }

 private:
  void sort_by_time() {
    auto order = [&](Time Hop::*start, Duration Hop::*length) {
      return [this, start, length](HopId a, HopId b) {
        const Hop &x = hops_[a], &y = hops_[b];
        return std::tuple(x.*start, y.*length, a) < std::tuple(y.*start, x.*length, b);
      };
    };
    std::sort(parents_.begin(), parents_.end(), order(&Hop::start, &Hop::duration));
    std::sort(children_.begin(), children_.end(), order(&Hop::sent, &Hop::waited));
  }

  /// Of the times, not of names: a log has the same causes whatever its actors are called.
  uint64_t seed() const {
    uint64_t seed = chain(problem_.parents.size(), problem_.children.size());
    for (const AssignmentProblem::Child& child : problem_.children)
      seed = chain(seed, static_cast<uint64_t>(child.start));
    return seed;
  }

  double since_epoch(Time time) const { return in_microseconds(elapsed(epoch_, time)); }

  /// Numbers for what tells calls apart, the most frequent first, of equals the one that came
  /// first: names are no evidence. The rare ones share the last number.
  template <class Key>
  std::vector<uint32_t> number(const std::vector<Key>& keys, uint32_t& count) {
    struct Uses {
      size_t times = 0, first = 0;
      uint32_t number = 0;
    };
    std::map<Key, Uses> uses;
    for (size_t i = 0; i < keys.size(); ++i)
      if (Uses& one = uses[keys[i]]; one.times++ == 0) one.first = i;
    std::vector<Uses*> ranked;
    ranked.reserve(uses.size());
    for (auto& [key, one] : uses) ranked.push_back(&one);
    std::ranges::sort(ranked, [](const Uses* a, const Uses* b) {
      return std::tuple(b->times, a->first) < std::tuple(a->times, b->first);
    });
    for (size_t i = 0; i < ranked.size(); ++i)
      ranked[i]->number = static_cast<uint32_t>(std::min(i, kMostKinds - 1));
    count = static_cast<uint32_t>(std::clamp<size_t>(ranked.size(), 1, kMostKinds));
    std::vector<uint32_t> found;
    found.reserve(keys.size());
    for (const Key& key : keys) found.push_back(uses[key].number);
    return found;
  }

  void read_parents() {
    std::vector<std::string_view> routes;
    for (HopId id : parents_) routes.push_back(trace_[trace_[hops_[id].span].route]);
    std::vector<uint32_t> kinds = number(routes, problem_.kinds);
    bool coarse = true;
    for (size_t p = 0; p < parents_.size(); ++p) {
      const Hop& hop = hops_[parents_[p]];
      double start = since_epoch(hop.start);
      double length = hop.duration == kNoDuration ? 0 : in_microseconds(hop.duration);
      problem_.parents.push_back({start, start + length, kinds[p]});
      coarse &= hop.start.time_since_epoch().count() % 1'000'000 == 0 &&
                hop.duration.count() % 1'000'000 == 0;
    }
    problem_.resolution = coarse ? 1000 : 1;
    callers_.index(parents_, problem_.parents);
  }

  void read_children() {
    std::vector<std::pair<std::string_view, std::string_view>> calls;
    for (HopId id : children_) {
      const Hop& hop = hops_[id];
      calls.emplace_back(hop.to ? hops_[hop.to].id : std::string_view{},
                         trace_[trace_[hop.span].route]);
    }
    std::vector<uint32_t> numbers = number(calls, problem_.calls);
    for (size_t c = 0; c < children_.size(); ++c) {
      const Hop& hop = hops_[children_[c]];
      double start = since_epoch(hop.sent);
      double length = hop.waited == kNoDuration ? 0 : in_microseconds(hop.waited);
      problem_.children.push_back({start, start + length, numbers[c], 0, 0});
      callers_clock_.push_back(seen_by_caller(trace_, hops_, hop));
    }
  }

  /// The candidates of child c: who was open when it began and did not end more than `slack` before
  /// it. Nobody who began later is one, whatever clocks may do.
  void enclosing(size_t c, double slack, std::vector<uint32_t>& found) const {
    const AssignmentProblem::Child& child = problem_.children[c];
    callers_.open_during(children_[c], child.start, child.end - slack, found);
  }

  void find_candidates() {
    std::map<std::pair<uint32_t, bool>, std::vector<size_t>> groups;
    for (size_t c = 0; c < children_.size(); ++c)
      groups[{problem_.children[c].call, callers_clock_[c]}].push_back(c);
    std::vector<std::vector<uint32_t>> candidates(children_.size());
    open_.resize(children_.size());
    outlasts_.resize(children_.size());
    for (const auto& [key, children] : groups) find_candidates(children, key.second, candidates);
    if (!callbacks_.empty())
      for (size_t c = 0; c < children_.size(); ++c) leave_out_waiting(c, candidates[c]);
    for (size_t c = 0; c < children_.size(); ++c) leave_out_known(c, candidates[c]);
    for (size_t c = 0; c < children_.size(); ++c) {
      problem_.children[c].first = static_cast<uint32_t>(problem_.candidates.size());
      problem_.children[c].count = static_cast<uint32_t>(candidates[c].size());
      problem_.candidates.insert(problem_.candidates.end(), candidates[c].begin(),
                                 candidates[c].end());
    }
  }

  /// Who was open when each child began, and how far what is seen of them is in order. Where nobody
  /// calls the actor in the run at all, the input begins with it.
  void look_at_order(const std::vector<size_t>& children,
                     const std::vector<std::vector<uint32_t>>& candidates) {
    for (size_t c : children) {
      const double start = problem_.children[c].start;
      callers_.open_during(children_[c], start, start, open_[c]);
      if (!callers_.is_called_in_run(children_[c])) continue;
      if (open_[c].empty()) {
        disorder_.add_early_call(last_begun(c) == Callers::kNobody);
        continue;
      }
      disorder_.add_call(open_[c].size(), candidates[c].size());
      outlasts_[c] = candidates[c].empty();
    }
  }

  /// Leaves those in open_ who ended before the child did, and do not wait for somebody.
  void leave_out_known(size_t c, const std::vector<uint32_t>& candidates) {
    const auto waiting = waiting_.find(c);
    std::erase_if(open_[c], [&](uint32_t p) {
      return std::ranges::binary_search(candidates, p) ||
             (waiting != waiting_.end() &&
              std::ranges::find(waiting->second, parents_[p]) != waiting->second.end());
    });
  }

  /// Of calls that are alike, so that one slack and one way to wait are right for all.
  void find_candidates(const std::vector<size_t>& children, bool callers_clock,
                       std::vector<std::vector<uint32_t>>& candidates) {
    double slack = std::max(kSlackMicroseconds, problem_.resolution);
    std::vector<size_t> without;
    for (size_t c : children) {
      enclosing(c, slack, candidates[c]);
      if (candidates[c].empty()) without.push_back(c);
    }
    // Seen only by the other side, whose clock may differ by some milliseconds.
    if (!callers_clock && widen(slack, without))
      for (size_t c : children) enclosing(c, slack, candidates[c]);
    look_at_order(children, candidates);
    bool asynchronous = without.size() * 100 > children.size() * kAsynchronousPercent;
    if (!asynchronous) return;
    for (size_t c : without) {
      double start = problem_.children[c].start;
      callers_.open_during(children_[c], start, start, candidates[c]);
      if (candidates[c].empty()) last_begun_[c] = last_begun(c);
    }
  }

  /// Widens `slack` to the least with which the fewest children are without a candidate, and leaves
  /// those; false: none is better.
  bool widen(double& slack, std::vector<size_t>& without) const {
    size_t all = without.size();
    std::vector<uint32_t> found;
    for (double wider : kWiderSlacks) {
      size_t before = without.size();
      std::erase_if(without, [&](size_t c) {
        enclosing(c, wider, found);
        return !found.empty();
      });
      if (without.size() < before) slack = wider;
    }
    return without.size() < all;
  }

  /// While an actor waits for another that calls it back, it is the inner call that acts: the outer
  /// one is no candidate beside it, and named as what might have been.
  void leave_out_waiting(size_t c, std::vector<uint32_t>& candidates) {
    std::vector<HopId>& waiting = waiting_[c];
    for (uint32_t p : candidates)
      if (HopId outer = callbacks_[parents_[p].index]) waiting.push_back(outer);
    std::erase_if(waiting, [&](HopId outer) {
      return std::erase_if(candidates, [&](uint32_t p) { return parents_[p] == outer; }) == 0;
    });
    if (waiting.empty()) waiting_.erase(c);
  }

  /// How likely each candidate is: as the pattern says as far as that can be believed, else as
  /// likely as the others; and those who were open only when the call began.
  std::vector<Rival<HopId>> weigh_causes(size_t c, const Disorder& disorder) const {
    const AssignmentProblem::Child& child = problem_.children[c];
    const std::vector<uint32_t>& ended = open_[c];
    const double trust = trust_in_pattern(children_.size() - 1);
    double all = 0, scale = 1;
    for (uint32_t i = child.first; i < child.first + child.count; ++i)
      all += solution_.probability[i];
    if (child.count == 1 && ended.empty()) scale *= 1 - disorder.chance_of_another();
    if (!outlasts_.empty() && outlasts_[c]) scale *= disorder.chance_of_outlasted();
    all *= scale;
    const auto fits = std::span(solution_.probability).subspan(child.first, child.count);
    const double best = fits.empty() ? 0 : *std::ranges::max_element(fits);
    const double gone = fits.empty() ? 0 : disorder.share_of_ended(ended.size(), child.count, best);
    std::vector<Rival<HopId>> found;
    for (uint32_t i = child.first; i < child.first + child.count; ++i) {
      const double share =
          trust * scale * solution_.probability[i] + (1 - trust) * all / child.count;
      found.push_back({parents_[problem_.candidates[i]], share * (1 - gone)});
    }
    if (child.count > 0)
      for (uint32_t p : ended)
        found.push_back({parents_[p], all * gone / static_cast<double>(ended.size())});
    return found;
  }

  /// Those left out, and what they take of the others' shares.
  void add_waiting(size_t c, std::vector<Rival<HopId>>& found) const {
    auto waiting = waiting_.find(c);
    if (waiting == waiting_.end()) return;
    for (Rival<HopId>& one : found) one.confidence *= 1 - kWhileWaiting;
    const double share = kWhileWaiting / static_cast<double>(waiting->second.size());
    for (HopId outer : waiting->second) found.push_back({outer, share});
  }

  uint32_t last_begun(size_t c) const {
    return callers_.last_begun(children_[c], problem_.children[c].start);
  }

  /// How often the caller that began last is the right one, as far as that is known: of the calls
  /// that have one candidate only.
  double trust_in_last_begun() const {
    double calls = 0, right = 0;
    for (size_t c = 0; c < children_.size(); ++c) {
      const AssignmentProblem::Child& child = problem_.children[c];
      if (child.count != 1) continue;
      ++calls;
      right += last_begun(c) == problem_.candidates[child.first];
    }
    return (right + 1) / (calls + 2);
  }

  /// Causes::nearest, also where nothing encloses.
  void take_nearest() {
    problem_.candidates.clear();
    open_.resize(children_.size());
    for (size_t c = 0; c < children_.size(); ++c) {
      AssignmentProblem::Child& child = problem_.children[c];
      child.first = static_cast<uint32_t>(problem_.candidates.size());
      uint32_t nearest = callers_.last_begun_before(children_[c], child.start);
      child.count = nearest != Callers::kNobody;
      if (child.count != 0) problem_.candidates.push_back(nearest);
    }
    solution_.probability.assign(problem_.candidates.size(), 0.5f);
  }

  /// A span whose parent nobody saw was caused by that, which may be a part of what was found here
  /// or something else.
  static void doubt(double& confidence, std::vector<Rival<HopId>>& others) {
    confidence *= kOfUnseenParent;
    for (Rival<HopId>& other : others) other.confidence *= kOfUnseenParent;
  }

  void conclude(size_t c, Hops& hops, const LinkOptions& linking, const Disorder& disorder) const {
    Hop& hop = hops.all[children_[c].index];
    std::vector<Rival<HopId>> found = weigh_causes(c, disorder);
    add_waiting(c, found);
    // Of equals, the one that began last.
    std::stable_sort(found.begin(), found.end(), [](const Rival<HopId>& a, const Rival<HopId>& b) {
      return std::tuple(-a.confidence, b.from) < std::tuple(-b.confidence, a.from);
    });
    if (found.empty() && last_begun_[c] != Callers::kNobody) {
      hop.cause = parents_[last_begun_[c]];
      hop.confidence = trust_in_last_begun_;
      hop.rule = Rule::nearest;
      if (hop.missing_parent) doubt(hop.confidence, found);
    }
    if (found.empty()) return;
    double missing = 1;
    for (const Rival<HopId>& one : found) missing -= one.confidence;
    bool caller_unseen = linking.causes == Causes::best && missing > found.front().confidence;
    if (!caller_unseen) hop.cause = found.front().from;
    hop.confidence = caller_unseen ? missing : found.front().confidence;
    if (hop.missing_parent && !caller_unseen) doubt(hop.confidence, found);
    hop.rule = linking.causes == Causes::nearest ? Rule::nearest
               : found.size() == 1               ? Rule::only_one
                                                 : Rule::call_pattern;
    hop.first_alternative = static_cast<uint32_t>(hops.alternatives.size());
    // That its caller is not in the input may be likelier than any; then none is the cause, and the
    // likeliest are named all the same.
    constexpr double kWorthNaming = 0.001;
    for (size_t i = caller_unseen ? 0 : 1; i < found.size(); ++i) {
      if (found[i].confidence < kWorthNaming) break;
      if (hop.alternatives == Hops::kMostAlternatives) {
        ++hop.more_alternatives;
        continue;
      }
      hops.alternatives.push_back(found[i]);
      ++hop.alternatives;
    }
  }

  const Trace& trace_;
  const Hops& hops_;
  const std::vector<HopId>& callbacks_;
  ActorId actor_;
  Time epoch_;
  std::vector<HopId> parents_, children_;
  std::vector<bool> callers_clock_;  ///< by child: its times were taken where it was called from
  Callers callers_;
  std::vector<uint32_t> last_begun_;  ///< by child: of those that nothing encloses
  double trust_in_last_begun_ = 0.5;
  std::map<size_t, std::vector<HopId>> waiting_;  ///< by child: outer calls left out
  /// By child: who was open when it began and is no candidate, as they ended before it did.
  std::vector<std::vector<uint32_t>> open_;
  std::vector<bool> outlasts_;  ///< by child: all who were open when it began
  Disorder disorder_;
  AssignmentProblem problem_;
  Solution solution_;
};

/// Where clocks that differ let causes run in a circle, the one that is least sure is no cause, but
/// first among those that could be.
void break_circle(HopId start, Hops& hops) {
  HopId weakest;
  HopId at = start;
  do {
    const Hop& hop = hops[at];
    if (!is_recorded(hop) && (!weakest || hop.confidence < hops[weakest].confidence)) weakest = at;
    at = hop.cause;
  } while (at != start);
  if (!weakest) return;
  Hop& hop = hops.all[weakest.index];
  std::vector<Rival<HopId>> others{{hop.cause, hop.confidence}};
  for (const Rival<HopId>& other : hops.alternatives_of(hop)) others.push_back(other);
  hop.first_alternative = static_cast<uint32_t>(hops.alternatives.size());
  hop.alternatives = static_cast<uint32_t>(others.size());
  hops.alternatives.insert(hops.alternatives.end(), others.begin(), others.end());
  hop.cause = {};
  hop.confidence = 1 - hop.confidence;
}

}  // namespace

void backtrack(const Trace& trace, const LinkOptions& linking, Hops& hops) {
  std::vector<Service> services;
  const std::vector<HopId> callbacks = find_callbacks(hops);
  for (size_t a = 0; a < hops.actors.size(); ++a)
    services.emplace_back(trace, hops, callbacks, ActorId(a));
  for (size_t i = 0; i < hops.all.size(); ++i) {
    const Hop& hop = hops.all[i];
    if (hop.start == kNoTime || hop.sent == kNoTime) continue;  // nothing is known of when it was
    if (lacks_cause(trace, hops, hop)) services[hop.from.index].add_child(HopId(i));
    if (hop.to) services[hop.to.index].add_parent(HopId(i));
  }
  std::vector<Service*> undecided;
  for (Service& service : services)
    if (service.is_undecided()) undecided.push_back(&service);
  // Services know nothing of one another: any thread may solve any.
  for_each_on(linking.jobs, undecided.size(),
              [&] { return [&](size_t i) { undecided[i]->solve(linking); }; });
  Disorder disorder;
  for (const Service* service : undecided) disorder.add(service->disorder());
  disorder.learn();
  for (const Service* service : undecided) service->conclude(hops, linking, disorder);
  break_circles(
      hops.all.size(), [&](size_t i) { return hops.all[i].cause.index; },
      [&](size_t i) { break_circle(HopId(i), hops); });
  hops.bound_alternatives();
}

}  // namespace xtrace
