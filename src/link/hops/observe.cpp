#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>
#include <unordered_map>

#include "base/hash.h"
#include "link/hops/span_linkers.h"

namespace xtrace {

std::string_view without_zeros(std::string_view id) {
  size_t first = id.find_first_not_of('0');
  return first == std::string_view::npos ? id.substr(0, 1) : id.substr(first);
}

uint64_t span_key(const Trace& trace, StringId group, StringId id) {
  return chain(hash_of(without_zeros(trace[group])), hash_of(without_zeros(trace[id])));
}

StringId run_of(const Trace& trace, const Span& span) {
  if (span.run) return span.run;
  return span.converted && trace[span.converted].run ? trace[span.converted].run : span.trace;
}

ActorId Hops::actor(std::string_view id) {
  StringId word = words.intern(id);
  if (word.index >= actor_of_word_.size()) actor_of_word_.resize(word.index + 1);
  ActorId& actor = actor_of_word_[word.index];
  if (actor) return actor;
  actor = ActorId(actors.size());
  Actor::Type type = id.starts_with("user:") || id.starts_with("principal:")
                         ? Actor::Type::principal
                     : id.starts_with("resource:") ? Actor::Type::resource
                                                   : Actor::Type::agent;
  actors.push_back({words[word], type});
  return actor;
}

std::string Hops::name_of(const Trace& trace, HopId hop) const {
  std::string_view id = trace[all[hop.index].id];
  uint32_t nth = all[hop.index].nth;
  return nth == 1 ? std::string(id) : fmt::format("{}~{}", id, nth);
}

std::span<const Detail> Hops::details_of(HopId hop) const {
  auto begin = std::lower_bound(details.begin(), details.end(), Detail{hop, 0});
  auto end = std::lower_bound(begin, details.end(), Detail{hop, UINT32_MAX});
  return {begin, end};
}

HopId Hops::find(const Trace& trace, std::string_view name) const {
  for (size_t i = 0; i < all.size(); ++i)
    if (name.starts_with(trace[all[i].id]) && name_of(trace, HopId(i)) == name) return HopId(i);
  return {};
}

namespace {

bool has_trust(const Span& span) {
  return span.run || span.to || span.from;
}
/// What spans of one id must share to be one: of what was converted, the trace as it is.
StringId group_of(const Span& span) {
  return span.run && !span.converted ? span.run : span.trace;
}

bool differ(StringId a, StringId b) {
  return a && b && a != b;
}

/// Could both be views of one hop? What one of them does not know, the other may.
bool agree(const Span& a, const Span& b) {
  return !differ(a.from, b.from) && !differ(a.to, b.to);
}

/// One that was told of before it had ended is told of again.
bool is_copy(const Span& a, const Span& b) {
  const bool take_as_long =
      a.duration == b.duration || a.duration == kNoDuration || b.duration == kNoDuration;
  return a.start == b.start && take_as_long && a.operation == b.operation &&
         a.service == b.service && a.trace == b.trace;
}

class SpanObserver {
 public:
  SpanObserver(const Trace& trace, Hops& hops) : trace_(trace), hops_(hops) {}

  void observe() {
    std::vector<std::pair<uint64_t, SpanId>> keys;
    keys.reserve(trace_.spans.size());
    for (size_t i = 0; i < trace_.spans.size(); ++i) {
      const Span& span = trace_.spans[i];
      keys.emplace_back(span_key(trace_, has_trust(span) ? group_of(span) : span.trace, span.id),
                        SpanId(i));
    }
    // What arrives in another order is the same.
    std::sort(keys.begin(), keys.end(), [&](const auto& a, const auto& b) {
      const Span &x = trace_[a.second], &y = trace_[b.second];
      return std::tuple(a.first, x.start, y.duration, trace_[x.trace], a.second) <
             std::tuple(b.first, y.start, x.duration, trace_[y.trace], b.second);
    });
    hops_.observations.reserve(keys.size());
    std::vector<SpanId> same;
    for (size_t begin = 0, end; begin < keys.size(); begin = end) {
      same.clear();
      for (end = begin; end < keys.size() && keys[end].first == keys[begin].first; ++end)
        same.push_back(keys[end].second);
      add_all(same);
    }
  }

 private:
  /// Observations that bear one id. A program may give all its spans the same one, so those that
  /// say all there is to say are sorted by what they say; the others are compared.
  void add_all(std::vector<SpanId>& same) {
    const bool are_plain = std::all_of(same.begin(), same.end(), [&](SpanId id) {
      const Span& span = trace_[id];
      return !span.converted && has_trust(span) == has_trust(trace_[same.front()]) &&
             (!has_trust(span) || (span.from && span.to));
    });
    if (are_plain && same.size() > 1) return add_sorted(same);
    while (!same.empty()) {
      const Span& first = trace_[same.front()];
      Hop hop;
      hop.first_observation = static_cast<uint32_t>(hops_.observations.size());
      std::vector<SpanId> others;
      for (SpanId id : same) {
        const Span& span = trace_[id];
        bool one_hop = first.converted ? span.converted == first.converted || is_copy(first, span)
                       : has_trust(first) ? agree(first, span)
                                          : is_copy(first, span);
        if (id == same.front() || one_hop)
          hops_.observations.push_back(id);
        else
          others.push_back(id);
      }
      hop.observations = static_cast<uint32_t>(hops_.observations.size()) - hop.first_observation;
      hops_.all.push_back(hop);
      same.swap(others);
    }
  }

  void add_sorted(const std::vector<SpanId>& same) {
    using Said = std::tuple<bool, StringId, StringId, Time, Duration, StringId, StringId, StringId>;
    std::map<Said, size_t> place;
    std::vector<std::vector<SpanId>> of_hop;
    for (SpanId id : same) {
      const Span& span = trace_[id];
      const Said said = has_trust(span) ? Said(true, span.from, span.to, {}, {}, {}, {}, {})
                                        : Said(false, {}, {}, span.start, span.duration,
                                               span.operation, span.service, span.trace);
      auto [known, is_new] = place.emplace(said, of_hop.size());
      if (is_new) {
        // Those that had not ended come last (is_copy).
        Said unfinished = said;
        std::get<Duration>(unfinished) = has_trust(span) ? Duration{} : kNoDuration;
        place.emplace(unfinished, of_hop.size());
        of_hop.emplace_back();
      }
      of_hop[known->second].push_back(id);
    }
    for (const std::vector<SpanId>& one : of_hop) {
      Hop hop;
      hop.first_observation = static_cast<uint32_t>(hops_.observations.size());
      hop.observations = static_cast<uint32_t>(one.size());
      hops_.observations.insert(hops_.observations.end(), one.begin(), one.end());
      hops_.all.push_back(hop);
    }
  }

  const Trace& trace_;
  Hops& hops_;
};

/// Of observations, the one by the side that was called; the other one by the side that called. Two
/// that do not say: the callee's is the one inside.
void choose_sides(const Trace& trace, const Hops& hops, Hop& hop) {
  SpanId callee, caller;
  for (SpanId id : hops.observations_of(hop)) {
    const Span& span = trace[id];
    SpanId& side = span.inbound ? callee : caller;
    if (side && span.duration == kNoDuration && trace[side].duration != kNoDuration) continue;
    bool earlier = side && span.start < trace[side].start;
    if (!side || (span.inbound ? !earlier : earlier)) side = id;
  }
  if (!caller) caller = callee;
  if (!callee) callee = caller;
  hop.span = callee;
  hop.id = trace[callee].shown_id();
  hop.at = trace[callee].source;
  hop.start = trace[callee].start;
  hop.duration = trace[callee].duration;
  hop.sent = trace[caller].start;
  hop.waited = trace[caller].duration;
}

void name_sides(const Trace& trace, Hops& hops, Hop& hop) {
  StringId from, to, kind;
  for (SpanId id : hops.observations_of(hop)) {
    const Span& span = trace[id];
    if (!from) from = span.from;
    if (!to) to = span.to;
    if (!kind) kind = span.hop_kind;
    hops.has_trust |= span.run || span.to;
    if (span.converted) {
      const ConvertedHop& converted = trace[span.converted];
      if (!from) from = converted.from;
      if (!to) to = converted.to;
      if (!kind) kind = converted.kind;
      hop.tool = converted.tool;
    }
    hop.outcome = joined(hop.outcome, span.outcome);
  }
  if (from) hop.from = hops.actor(trace[from]);
  if (to) hop.to = hops.actor(trace[to]);
  if (kind) hop.kind = hops.words.intern(trace[kind]);
}

}  // namespace

void observe_hops(const Trace& trace, Hops& hops) {
  SpanObserver(trace, hops).observe();
  pair_observations(trace, hops);
  for (Hop& hop : hops.all) {
    choose_sides(trace, hops, hop);
    name_sides(trace, hops, hop);
  }
}

/// What the run of all spans is called that name neither a run nor a trace.
constexpr std::string_view kUntraced = "untraced";

void sort_into_runs(const Trace& trace, Hops& hops) {
  struct Found {
    StringId id;
    Time first = Time::max();
  };
  std::vector<Found> found;
  std::unordered_map<uint64_t, uint32_t> by_key;
  for (Hop& hop : hops.all) {
    StringId id = run_of(trace, trace[hop.span]);
    bool is_trace = !trace[hop.span].run;
    uint64_t key = hash_of(is_trace ? without_zeros(trace[id]) : trace[id]);
    auto [known, is_new] = by_key.emplace(key, static_cast<uint32_t>(found.size()));
    if (is_new) found.push_back({id, Time::max()});
    hop.run = known->second;
    Found& run = found[hop.run];
    run.first = std::min(run.first, hop.start);
    if (trace[id] < trace[run.id]) run.id = id;  // with zeros and without: the longer one
  }
  std::vector<uint32_t> order(found.size()), place(found.size());
  for (uint32_t i = 0; i < order.size(); ++i) order[i] = i;
  std::sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) {
    return std::tuple(found[a].first, trace[found[a].id]) <
           std::tuple(found[b].first, trace[found[b].id]);
  });
  for (uint32_t i = 0; i < order.size(); ++i) {
    place[order[i]] = i;
    const std::string_view id = trace[found[order[i]].id];
    hops.runs.push_back({id.empty() ? hops.words[hops.words.intern(kUntraced)] : id, {}, {}});
  }
  for (Hop& hop : hops.all) hop.run = place[hop.run];
  std::sort(hops.all.begin(), hops.all.end(), [&](const Hop& a, const Hop& b) {
    // Two that start together: the longer one is outside, and first. Without times the log's order
    // is all that is known.
    const bool are_timed = a.start != kNoTime || b.start != kNoTime;
    if (!are_timed) return std::tuple(a.run, a.span) < std::tuple(b.run, b.span);
    return std::tuple(a.run, a.start, b.duration, trace[a.id], a.span) <
           std::tuple(b.run, b.start, a.duration, trace[b.id], b.span);
  });
  std::vector<uint32_t> taken(trace.strings.size());
  for (size_t i = 0; i < hops.all.size(); ++i) {
    Hop& hop = hops.all[i];
    Run& run = hops.runs[hop.run];
    run.hops.emplace_back(i);
    if (run.session.empty()) run.session = trace[trace[hop.span].session];
    hop.nth = ++taken[hop.id.index];
  }
}

}  // namespace xtrace
