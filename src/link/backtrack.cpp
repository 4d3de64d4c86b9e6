#include <algorithm>
#include <atomic>
#include <map>
#include <thread>
#include <tuple>

#include "base/hash.h"
#include "link/assignment.h"
#include "link/latest_ends.h"
#include "link/span_linkers.h"

namespace xtrace {

namespace {

constexpr uint32_t kNobody = UINT32_MAX;
constexpr double kSlack = 200;          // microseconds that clocks on one machine may disagree by
constexpr size_t kMostCandidates = 64;  // the most recent ones
constexpr size_t kMostKinds = 24;       // of calls told apart; the rarer ones count as one

double microseconds(Duration length) {
  return static_cast<double>(length.count()) / 1000;
}

/// Does a hop need a cause? Who calls for nobody, and spans whose parents were recorded, do not.
bool lacks_cause(const Trace& trace, const Hops& hops, const Hop& hop) {
  const Span& span = trace[hop.span];
  return !hop.cause && hop.from && hops[hop.from].type != Actor::Type::principal &&
         (span.from || span.to);
}

bool seen_by_caller(const Trace& trace, const Hops& hops, const Hop& hop) {
  std::span<const SpanId> all = hops.observations_of(hop);
  return std::any_of(all.begin(), all.end(), [&](SpanId id) { return !trace[id].inbound; });
}

/// The calls into one actor and those it made, over all runs.
class Service {
 public:
  Service(const Trace& trace, const Hops& hops, ActorId actor)
      : trace_(trace), hops_(hops), actor_(actor) {}

  void add_parent(HopId id) { parents_.push_back(id); }
  void add_child(HopId id) { children_.push_back(id); }
  bool is_riddle() const { return !children_.empty(); }

  void solve(const Linking& linking) {
    Time first = Time::max();
    for (HopId id : parents_) first = std::min(first, hops_[id].start);
    for (HopId id : children_) first = std::min(first, hops_[id].sent);
    epoch_ = first;
    sort_by_time();
    read_parents();
    read_children();
    find_candidates();
    if (linking.causes == Causes::nearest) return take_nearest();
    judge_last_begun();
    size_t without = 0;
    for (size_t c = 0; c < children_.size(); ++c)
      without += riddle_.children[c].count == 0 && last_begun_[c] == kNobody;
    riddle_.leaky = without * 200 > riddle_.children.size() && riddle_.children.size() >= 40;
    riddle_.seed = hash_of(hops_[actor_].id);
    solution_ = xtrace::solve(riddle_);
  }

  /// Writes down what was found.
  void conclude(Hops& hops, const Linking& linking) const {
    for (size_t c = 0; c < children_.size(); ++c) conclude(c, hops, linking);
    hops.weighed += weighed_;
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

  double since_epoch(Time time) const { return microseconds(elapsed(epoch_, time)); }

  /// Numbers for what tells calls apart, the most frequent first; the rare ones share the last.
  template <class Key>
  std::vector<uint32_t> number(const std::vector<Key>& keys, uint32_t& count) {
    std::map<Key, size_t> times;
    for (const Key& key : keys) ++times[key];
    std::vector<std::pair<size_t, Key>> ranked;
    ranked.reserve(times.size());
    for (const auto& [key, n] : times) ranked.emplace_back(n, key);
    std::stable_sort(ranked.begin(), ranked.end(),
                     [](const auto& a, const auto& b) { return a.first > b.first; });
    std::map<Key, uint32_t> numbers;
    for (size_t i = 0; i < ranked.size(); ++i)
      numbers[ranked[i].second] = static_cast<uint32_t>(std::min(i, kMostKinds - 1));
    count = static_cast<uint32_t>(std::clamp<size_t>(ranked.size(), 1, kMostKinds));
    std::vector<uint32_t> found;
    found.reserve(keys.size());
    for (const Key& key : keys) found.push_back(numbers[key]);
    return found;
  }

  void read_parents() {
    std::vector<std::string_view> routes;
    for (HopId id : parents_) routes.push_back(trace_[trace_[hops_[id].span].route]);
    std::vector<uint32_t> kinds = number(routes, riddle_.kinds);
    bool coarse = true;
    for (size_t p = 0; p < parents_.size(); ++p) {
      const Hop& hop = hops_[parents_[p]];
      double start = since_epoch(hop.start);
      double length = hop.duration == kNoDuration ? 0 : microseconds(hop.duration);
      riddle_.parents.push_back({start, start + length, kinds[p]});
      coarse &= hop.start.time_since_epoch().count() % 1'000'000 == 0 &&
                hop.duration.count() % 1'000'000 == 0;
    }
    riddle_.resolution = coarse ? 1000 : 1;
    // Runs do not mix: candidates are looked for among the parents of one run.
    for (uint32_t p = 0; p < parents_.size(); ++p) of_run_[hops_[parents_[p]].run].push_back(p);
    for (auto& [run, parents] : of_run_) {
      std::vector<double> ends;
      for (uint32_t p : parents) ends.push_back(riddle_.parents[p].end);
      latest_end_.emplace(run, LatestEnds(ends));
    }
  }

  void read_children() {
    std::vector<std::pair<std::string_view, std::string_view>> calls;
    for (HopId id : children_) {
      const Hop& hop = hops_[id];
      calls.emplace_back(hop.to ? hops_[hop.to].id : std::string_view{},
                         trace_[trace_[hop.span].route]);
    }
    std::vector<uint32_t> numbers = number(calls, riddle_.calls);
    for (size_t c = 0; c < children_.size(); ++c) {
      const Hop& hop = hops_[children_[c]];
      double start = since_epoch(hop.sent);
      double length = hop.waited == kNoDuration ? 0 : microseconds(hop.waited);
      riddle_.children.push_back({start, start + length, numbers[c], 0, 0});
      callers_clock_.push_back(seen_by_caller(trace_, hops_, hop));
    }
  }

  /// The parents that were open during all of child c, give or take `slack`; ascending.
  void enclosing(size_t c, double slack, bool only_beginning, std::vector<uint32_t>& found) const {
    found.clear();
    auto run = of_run_.find(hops_[children_[c]].run);
    if (run == of_run_.end()) return;
    const std::vector<uint32_t>& parents = run->second;
    const Riddle::Child& child = riddle_.children[c];
    double from = child.start + slack, until = (only_beginning ? child.start : child.end) - slack;
    auto behind = std::upper_bound(parents.begin(), parents.end(), from, [&](double t, uint32_t p) {
      return t < riddle_.parents[p].start;
    });
    latest_end_.at(run->first)
        .backwards(static_cast<size_t>(behind - parents.begin()), until, [&](size_t i) {
          ++weighed_;
          if (may_precede(parents_[parents[i]], children_[c])) found.push_back(parents[i]);
          return found.size() < kMostCandidates;
        });
    std::reverse(found.begin(), found.end());
  }

  /// A hop that stands behind in the order of the run is none's cause unless clocks differ; that
  /// keeps two that look alike from causing one another.
  bool may_precede(HopId parent, HopId child) const {
    if (parent == child) return false;
    const Hop &p = hops_[parent], &c = hops_[child];
    if (p.to != c.to) return true;
    return std::tuple(p.start, c.duration, parent) < std::tuple(c.start, p.duration, child);
  }

  size_t lacking(const std::vector<size_t>& children, double slack) const {
    std::vector<uint32_t> found;
    size_t n = 0;
    for (size_t c : children) {
      enclosing(c, slack, false, found);
      n += found.empty();
    }
    return n;
  }

  void find_candidates() {
    std::map<std::pair<uint32_t, bool>, std::vector<size_t>> groups;
    for (size_t c = 0; c < children_.size(); ++c)
      groups[{riddle_.children[c].call, callers_clock_[c]}].push_back(c);
    std::vector<std::vector<uint32_t>> candidates(children_.size());
    last_begun_.assign(children_.size(), kNobody);
    for (const auto& [key, children] : groups) {
      double slack = std::max(kSlack, riddle_.resolution > 1 ? riddle_.resolution : 0);
      size_t without = lacking(children, slack);
      // Seen only by the other side, whose clock may differ by some milliseconds.
      if (!key.second && without > 0)
        for (double wider : {1000.0, 2000.0, 4000.0, 7000.0, 12000.0}) {
          size_t still = lacking(children, wider);
          if (still < without) slack = wider, without = still;
        }
      // Where many outlive every caller, nobody waits for their end; where few do, it is rather the
      // caller that nobody saw.
      bool asynchronous = without * 100 > children.size() * 8;
      for (size_t c : children) {
        enclosing(c, slack, false, candidates[c]);
        if (candidates[c].empty() && asynchronous) enclosing(c, slack, true, candidates[c]);
        if (candidates[c].empty() && asynchronous) last_begun_[c] = last_begun(c);
      }
    }
    for (size_t c = 0; c < children_.size(); ++c) {
      riddle_.children[c].first = static_cast<uint32_t>(riddle_.candidates.size());
      riddle_.children[c].count = static_cast<uint32_t>(candidates[c].size());
      riddle_.candidates.insert(riddle_.candidates.end(), candidates[c].begin(),
                                candidates[c].end());
    }
  }

  /// The parent that began last before child c; kNobody: none did.
  uint32_t last_begun(size_t c) const {
    auto run = of_run_.find(hops_[children_[c]].run);
    if (run == of_run_.end()) return kNobody;
    const std::vector<uint32_t>& parents = run->second;
    size_t behind = static_cast<size_t>(
        std::upper_bound(parents.begin(), parents.end(), riddle_.children[c].start,
                         [&](double t, uint32_t p) { return t < riddle_.parents[p].start; }) -
        parents.begin());
    while (behind-- > 0)
      if (may_precede(parents_[parents[behind]], children_[c])) return parents[behind];
    return kNobody;
  }

  /// How often the caller that began last is the right one, as far as that is known: of the calls
  /// that have one candidate only.
  void judge_last_begun() {
    double calls = 0, right = 0;
    for (size_t c = 0; c < children_.size(); ++c) {
      const Riddle::Child& child = riddle_.children[c];
      if (child.count != 1) continue;
      ++calls;
      right += last_begun(c) == riddle_.candidates[child.first];
    }
    trust_in_last_ = static_cast<float>((right + 1) / (calls + 2));
  }

  /// Design 004's rule, also where nothing encloses.
  void take_nearest() {
    riddle_.candidates.clear();
    for (size_t c = 0; c < children_.size(); ++c) {
      const Hop& child = hops_[children_[c]];
      riddle_.children[c].first = static_cast<uint32_t>(riddle_.candidates.size());
      riddle_.children[c].count = 0;
      auto run = of_run_.find(child.run);
      if (run == of_run_.end()) continue;
      const std::vector<uint32_t>& parents = run->second;
      auto behind =
          std::lower_bound(parents.begin(), parents.end(), child.sent,
                           [&](uint32_t p, Time t) { return hops_[parents_[p]].start < t; });
      if (behind == parents.begin()) continue;
      riddle_.candidates.push_back(*--behind);
      riddle_.children[c].count = 1;
    }
    solution_.of_candidate.assign(riddle_.candidates.size(), 0.5f);
  }

  void conclude(size_t c, Hops& hops, const Linking& linking) const {
    const Riddle::Child& child = riddle_.children[c];
    Hop& hop = hops.all[children_[c].index];
    std::vector<OtherCause> found;
    for (uint32_t i = child.first; i < child.first + child.count; ++i)
      found.push_back({parents_[riddle_.candidates[i]], solution_.of_candidate[i]});
    // Of equals, the one that began last.
    std::stable_sort(found.begin(), found.end(), [](const OtherCause& a, const OtherCause& b) {
      return std::tuple(-a.confidence, b.cause) < std::tuple(-b.confidence, a.cause);
    });
    if (found.empty() && last_begun_[c] != kNobody) {
      hop.cause = parents_[last_begun_[c]];
      hop.confidence = trust_in_last_;
      hop.rule = CauseRule::nearest;
    }
    if (found.empty()) return;
    float missing = 1;
    for (const OtherCause& one : found) missing -= one.confidence;
    bool caller_unseen = linking.causes == Causes::best && missing > found.front().confidence;
    if (caller_unseen) return;  // that its caller is not in the input is likelier than any
    hop.cause = found.front().cause;
    hop.confidence = found.front().confidence;
    hop.rule = linking.causes == Causes::nearest ? CauseRule::nearest
               : found.size() == 1               ? CauseRule::only_one
                                                 : CauseRule::call_pattern;
    hop.first_alternative = static_cast<uint32_t>(hops.alternatives.size());
    constexpr float kWorthNaming = 0.001f;
    for (size_t i = 1; i < found.size() && found[i].confidence >= kWorthNaming; ++i) {
      hops.alternatives.push_back(found[i]);
      ++hop.alternatives;
    }
  }

  const Trace& trace_;
  const Hops& hops_;
  ActorId actor_;
  Time epoch_;
  std::vector<HopId> parents_, children_;
  std::vector<bool> callers_clock_;  ///< by child: its times were taken where it was called from
  std::map<uint32_t, std::vector<uint32_t>> of_run_;
  std::map<uint32_t, LatestEnds> latest_end_;  ///< of the parents of a run
  mutable size_t weighed_ = 0;
  std::vector<uint32_t> last_begun_;  ///< by child: of those that nothing encloses
  float trust_in_last_ = 0.5f;
  Riddle riddle_;
  Solution solution_;
};

}  // namespace

void backtrack(const Trace& trace, const Linking& linking, Hops& hops) {
  std::vector<Service> services;
  for (size_t a = 0; a < hops.actors.size(); ++a) services.emplace_back(trace, hops, ActorId(a));
  for (size_t i = 0; i < hops.all.size(); ++i) {
    const Hop& hop = hops.all[i];
    if (hop.start == kNoTime || hop.sent == kNoTime) continue;  // nothing is known of when it was
    if (lacks_cause(trace, hops, hop)) services[hop.from.index].add_child(HopId(i));
    if (hop.to) services[hop.to.index].add_parent(HopId(i));
  }
  std::vector<Service*> riddles;
  for (Service& service : services)
    if (service.is_riddle()) riddles.push_back(&service);
  // Services know nothing of one another: any thread may solve any.
  std::atomic<size_t> next{0};
  auto work = [&] {
    for (size_t i = next++; i < riddles.size(); i = next++) riddles[i]->solve(linking);
  };
  {
    std::vector<std::jthread> others;
    for (size_t i = 1; i < std::min<size_t>(linking.jobs, riddles.size()); ++i)
      others.emplace_back(work);
    work();
  }
  for (Service* service : riddles) service->conclude(hops, linking);
}

}  // namespace xtrace
