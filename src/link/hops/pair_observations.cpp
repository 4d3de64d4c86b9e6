#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

#include "base/one_of.h"
#include "link/hops/span_linkers.h"

namespace xtrace {

namespace {

/// How much later than on the caller's side something shows on the other one: the way there, and
/// what clocks differ by. The median, and three times the median distance from it, which a few
/// strays do not move.
class Lag {
 public:
  /// `least`: the spread in microseconds that is allowed in any case.
  void learn(std::vector<double> seen, double least) {
    if (seen.empty()) return;
    usual_ = median(seen);
    for (double& one : seen) one = std::abs(one - usual_);
    spread_ = std::max(least, 3 * median(seen));
  }
  double cost(double seen) const { return std::abs(seen - usual_) / spread_; }
  double least() const { return usual_ - kTooMuch * spread_; }

  static constexpr double kTooMuch = 8;

 private:
  static double median(std::vector<double>& values) {
    auto middle = values.begin() + static_cast<ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
  }
  double usual_ = 0, spread_ = 1000;
};

/// What both sides saw of the calls from one actor to another.
struct ObservedCalls {
  struct Seen {
    uint32_t hop;
    StringId run;
    Time start;
    Duration duration;
  };
  std::vector<Seen> by_caller, by_callee;  ///< those that only one side is known to have seen
  std::vector<double> starts, ends;        ///< how much later the callee saw them: known pairs
};

double start_lag(const ObservedCalls::Seen& caller, const ObservedCalls::Seen& callee) {
  return in_microseconds(elapsed(caller.start, callee.start));
}
double end_lag(const ObservedCalls::Seen& caller, const ObservedCalls::Seen& callee) {
  return in_microseconds(
      elapsed(after(caller.start, caller.duration), after(callee.start, callee.duration)));
}

/// Of observations in order of run and start, the first of the same run that began so much later
/// than `caller`, in microseconds.
std::vector<ObservedCalls::Seen>::const_iterator first_not_before(
    const std::vector<ObservedCalls::Seen>& callees, const ObservedCalls::Seen& caller,
    double lag) {
  return std::partition_point(
      callees.begin(), callees.end(), [&](const ObservedCalls::Seen& callee) {
        return callee.run != caller.run ? callee.run < caller.run : start_lag(caller, callee) < lag;
      });
}

/// The cheapest pairs first, each observation once; indices into by_caller and by_callee.
std::vector<std::pair<uint32_t, uint32_t>> match(const ObservedCalls& calls, const Lag& start,
                                                 const Lag& end) {
  struct Option {
    double cost;
    uint32_t caller, callee;
    auto operator<=>(const Option&) const = default;
  };
  std::vector<Option> options;
  for (uint32_t i = 0; i < calls.by_caller.size(); ++i) {
    const ObservedCalls::Seen& caller = calls.by_caller[i];
    auto first = first_not_before(calls.by_callee, caller, start.least());
    constexpr size_t kLooked = 64, kKept = 8;
    size_t begin = options.size();
    for (size_t looked = 0; looked < kLooked && first != calls.by_callee.end(); ++looked, ++first) {
      double way = start_lag(caller, *first);
      if (first->run != caller.run || (way > 0 && start.cost(way) > Lag::kTooMuch)) break;
      double cost = start.cost(way) + end.cost(end_lag(caller, *first));
      if (cost <= Lag::kTooMuch)
        options.push_back({cost, i, static_cast<uint32_t>(first - calls.by_callee.begin())});
    }
    auto own = options.begin() + static_cast<ptrdiff_t>(begin);
    std::sort(own, options.end());
    if (options.size() > begin + kKept) options.resize(begin + kKept);
  }
  std::sort(options.begin(), options.end());
  std::vector<bool> caller_taken(calls.by_caller.size()), callee_taken(calls.by_callee.size());
  std::vector<std::pair<uint32_t, uint32_t>> pairs;
  for (const Option& option : options) {
    if (caller_taken[option.caller] || callee_taken[option.callee]) continue;
    caller_taken[option.caller] = callee_taken[option.callee] = true;
    pairs.emplace_back(option.caller, option.callee);
  }
  return pairs;
}

/// Where no pair is known: of all that could be pairs, those whose starts differ by what most do.
/// Clocks that differ by the same amount all the time show as one heap; chance spreads.
void guess_lags(const ObservedCalls& calls, std::vector<double>& starts,
                std::vector<double>& ends) {
  constexpr double kWidth = 500, kFarthest = 1e6;  // microseconds
  constexpr size_t kLooked = 64, kExamples = 2000;
  size_t every = std::max<size_t>(1, calls.by_caller.size() / kExamples);
  std::map<int64_t, std::vector<std::pair<size_t, size_t>>> heaps;
  for (size_t i = 0; i < calls.by_caller.size(); i += every) {
    auto near = first_not_before(calls.by_callee, calls.by_caller[i], -kFarthest);
    for (size_t looked = 0; looked < kLooked && near != calls.by_callee.end(); ++looked, ++near) {
      double lag = start_lag(calls.by_caller[i], *near);
      if (near->run != calls.by_caller[i].run || lag > kFarthest) break;
      heaps[std::llround(lag / kWidth)].emplace_back(
          i, static_cast<size_t>(near - calls.by_callee.begin()));
    }
  }
  auto highest = std::max_element(heaps.begin(), heaps.end(), [](const auto& a, const auto& b) {
    return std::tuple(a.second.size(), -std::abs(a.first)) <
           std::tuple(b.second.size(), -std::abs(b.first));
  });
  if (highest == heaps.end()) return;
  for (auto [caller, callee] : highest->second) {
    starts.push_back(start_lag(calls.by_caller[caller], calls.by_callee[callee]));
    ends.push_back(end_lag(calls.by_caller[caller], calls.by_callee[callee]));
  }
}

/// The lags are learned from the pairs, and the pairs found by the lags, a few times in turn.
std::vector<std::pair<uint32_t, uint32_t>> find_pairs(ObservedCalls& calls) {
  auto order = [](const ObservedCalls::Seen& a, const ObservedCalls::Seen& b) {
    return std::tuple(a.run, a.start, a.duration, a.hop) <
           std::tuple(b.run, b.start, b.duration, b.hop);
  };
  std::sort(calls.by_caller.begin(), calls.by_caller.end(), order);
  std::sort(calls.by_callee.begin(), calls.by_callee.end(), order);
  constexpr double kAtFirst = 1000, kLater = 100;
  std::vector<double> starts = calls.starts, ends = calls.ends;
  if (starts.empty()) guess_lags(calls, starts, ends);
  Lag start, end;
  start.learn(std::move(starts), kAtFirst);
  end.learn(std::move(ends), kAtFirst);
  std::vector<std::pair<uint32_t, uint32_t>> pairs;
  constexpr int kRounds = 4;
  for (int round = 0; round < kRounds; ++round) {
    pairs = match(calls, start, end);
    starts = calls.starts;
    ends = calls.ends;
    for (auto [caller, callee] : pairs) {
      starts.push_back(start_lag(calls.by_caller[caller], calls.by_callee[callee]));
      ends.push_back(end_lag(calls.by_caller[caller], calls.by_callee[callee]));
    }
    start.learn(std::move(starts), kLater);
    end.learn(std::move(ends), kLater);
  }
  return pairs;
}

/// `ingress` of `ingress desk.local`, `inbound` of `inbound:desk`; empty: no word of a proxy.
std::string_view proxy_word(std::string_view operation) {
  std::string_view word = operation.substr(0, operation.find_first_of(" :|/"));
  return is_one_of(word, {"ingress", "inbound", "egress", "outbound"}) ? word : std::string_view();
}

/// Nobody is beside a person, so all who saw a person's call stand on the side that was called: the
/// gateway at the edge, and within its time the proxy beside the agent. The gateway is then the
/// caller's side.
void take_gateway_for_caller(const Trace& trace, const Hops& hops, ObservedCalls& calls) {
  if (!calls.by_caller.empty() || calls.by_callee.size() < 2) return;
  auto span_of = [&](const ObservedCalls::Seen& seen) -> const Span& {
    return trace[hops.observations_of(hops.all[seen.hop]).front()];
  };
  const Span& outer = span_of(*std::min_element(
      calls.by_callee.begin(), calls.by_callee.end(), [](const auto& a, const auto& b) {
        return std::tuple(a.start, b.duration, a.hop) < std::tuple(b.start, a.duration, b.hop);
      }));
  auto inner = std::stable_partition(
      calls.by_callee.begin(), calls.by_callee.end(), [&](const ObservedCalls::Seen& seen) {
        const Span& span = span_of(seen);
        return span.service == outer.service &&
               proxy_word(trace[span.operation]) == proxy_word(trace[outer.operation]);
      });
  if (inner == calls.by_callee.end()) return;
  calls.by_caller.assign(calls.by_callee.begin(), inner);
  calls.by_callee.erase(calls.by_callee.begin(), inner);
}

bool is_principal(std::string_view actor) {
  return actor.starts_with("user:") || actor.starts_with("principal:");
}

}  // namespace

void pair_observations(const Trace& trace, Hops& hops) {
  std::map<std::pair<StringId, StringId>, ObservedCalls> all;
  for (uint32_t i = 0; i < hops.all.size(); ++i) {
    std::span<const SpanId> seen = hops.observations_of(hops.all[i]);
    const Span* sides[2] = {};
    for (SpanId id : seen) sides[trace[id].inbound ? 1 : 0] = &trace[id];
    const Span& span = trace[seen.front()];
    bool told_apart = span.run && span.from && span.to && span.parents == 0 && !span.converted;
    if (!told_apart || span.start == kNoTime || span.duration == kNoDuration) continue;
    ObservedCalls& calls = all[{span.from, span.to}];
    if (sides[0] != nullptr && sides[1] != nullptr) {
      ObservedCalls::Seen caller{i, span.run, sides[0]->start, sides[0]->duration};
      ObservedCalls::Seen callee{i, span.run, sides[1]->start, sides[1]->duration};
      calls.starts.push_back(start_lag(caller, callee));
      calls.ends.push_back(end_lag(caller, callee));
    } else {
      (span.inbound ? calls.by_callee : calls.by_caller)
          .push_back({i, span.run, span.start, span.duration});
    }
  }
  std::vector<uint32_t> other_side(hops.all.size(), UINT32_MAX);
  std::vector<bool> joined(hops.all.size());
  for (auto& [actors, calls] : all) {
    if (is_principal(trace[actors.first])) take_gateway_for_caller(trace, hops, calls);
    if (calls.by_caller.empty() || calls.by_callee.empty()) continue;
    for (auto [caller, callee] : find_pairs(calls)) {
      other_side[calls.by_callee[callee].hop] = calls.by_caller[caller].hop;
      joined[calls.by_caller[caller].hop] = true;
    }
  }
  if (std::find(joined.begin(), joined.end(), true) == joined.end()) return;
  std::vector<Hop> kept;
  std::vector<SpanId> observations;
  observations.reserve(hops.observations.size());
  for (uint32_t i = 0; i < hops.all.size(); ++i) {
    if (joined[i]) continue;
    Hop hop = hops.all[i];
    uint32_t first = static_cast<uint32_t>(observations.size());
    for (uint32_t part : {i, other_side[i]}) {
      if (part == UINT32_MAX) continue;
      std::span<const SpanId> seen = hops.observations_of(hops.all[part]);
      observations.insert(observations.end(), seen.begin(), seen.end());
    }
    hop.first_observation = first;
    hop.observations = static_cast<uint32_t>(observations.size()) - first;
    kept.push_back(hop);
  }
  hops.all = std::move(kept);
  hops.observations = std::move(observations);
}

}  // namespace xtrace
