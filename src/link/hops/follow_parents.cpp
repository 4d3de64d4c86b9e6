#include <algorithm>
#include <tuple>

#include "base/walk_up.h"
#include "link/hops/span_linkers.h"

namespace xtrace {

namespace {

class ParentFollower {
 public:
  ParentFollower(const Trace& trace, Hops& hops) : trace_(trace), hops_(hops) {
    std::vector<std::pair<uint64_t, HopId>> by_key;
    for (size_t i = 0; i < hops.all.size(); ++i)
      for (SpanId id : hops.observations_of(hops.all[i]))
        by_key.emplace_back(span_key(trace, trace[id].trace, trace[id].id), HopId(i));
    std::sort(by_key.begin(), by_key.end());
    for (auto [key, id] : by_key) {
      if (bearers_.empty() || bearers_.back().key != key) bearers_.push_back({key, id, {}, {}});
      Bearers& same = bearers_.back();
      if (!same.client && is(id, SpanKind::client)) same.client = id;
      if (!same.server && is(id, SpanKind::server)) same.server = id;
    }
  }

  void follow() {
    for (size_t i = 0; i < hops_.all.size(); ++i) {
      Hop& hop = hops_.all[i];
      if (trace_[hop.span].converted) {
        believe(HopId(i), trace_[hop.span], hop);
        continue;
      }
      if (HopId half = callers_half(HopId(i))) {
        hop.cause = hop.parent = half;
        continue;
      }
      bool named = false, follows = true;
      named_.clear();
      for (SpanId id : hops_.observations_of(hop))
        look_up(HopId(i), trace_[id], hop, follows, named);
      keep_others(HopId(i));
      if (hop.cause || !named) hop.missing_parent = {};
      if (hop.missing_parent) complain(hop, "the parent of this span is not in the input");
    }
    break_circles(
        hops_.all.size(), [this](size_t i) { return hops_.all[i].cause.index; },
        [this](size_t i) { take_first_of_circle(HopId(i)); });
    put_details();
  }

 private:
  /// What was found out before.
  void believe(HopId self, const Span& span, Hop& hop) {
    const ConvertedHop& converted = trace_[span.converted];
    for (size_t i = 0; i < std::size(kRuleWords); ++i)
      if (kRuleWords[i] == trace_[converted.method]) hop.rule = static_cast<Rule>(i);
    hop.confidence = converted.confidence;
    hop.first_alternative = static_cast<uint32_t>(hops_.alternatives.size());
    for (uint32_t i = span.first_parent; i < span.first_parent + span.parents; ++i) {
      const SpanParent& parent = trace_.span_parents[i];
      HopId found = find(span_key(trace_, parent.trace ? parent.trace : span.trace, parent.span));
      if (!found || found == self) continue;
      if (parent.is_alternative) {
        hops_.alternatives.push_back({found, parent.confidence});
        ++hop.alternatives;
      } else if (hop.cause) {
        hops_.edges.push_back({{found, self, rule_of(parent)}, parent.confidence});
      } else {
        hop.cause = found;
        if (is_recorded(hop) && hop.rule != Rule::follows_from) hop.parent = found;
      }
    }
  }

  static Rule rule_of(const SpanParent& parent) {
    return parent.follows ? Rule::follows_from : Rule::parent;
  }

  void look_up(HopId self, const Span& span, Hop& hop, bool& follows, bool& named) {
    for (uint32_t i = span.first_parent; i < span.first_parent + span.parents; ++i) {
      const SpanParent& parent = trace_.span_parents[i];
      HopId found = find(span_key(trace_, parent.trace ? parent.trace : span.trace, parent.span));
      if (found && found != self) named_.push_back({{found, self, rule_of(parent)}});
      if (hop.cause && !(follows && !parent.follows)) continue;  // child-of beats follows-from
      named = true;
      if (!found) {
        hop.missing_parent = parent.span;
        continue;
      }
      if (found == self) {
        // The other side of a call may name this one as its parent, and that is no cycle.
        if (hop.observations == 1) complain(hop, "the span names itself as its parent");
        named = false;
        continue;
      }
      hop.cause = found;
      hop.rule = rule_of(parent);
      hop.parent = parent.follows ? HopId() : found;
      follows = parent.follows;
    }
  }

  /// Those that the hop's spans name beside its cause, each once.
  void keep_others(HopId self) {
    std::ranges::sort(named_, {},
                      [](const HopEdge& edge) { return std::tuple(edge.from, edge.rule); });
    named_.erase(std::unique(named_.begin(), named_.end(),
                             [](const HopEdge& a, const HopEdge& b) { return a.from == b.from; }),
                 named_.end());
    for (const HopEdge& edge : named_)
      if (edge.from != hops_[self].cause) hops_.edges.push_back(edge);
  }

  /// Of the hops that bear an id, mostly one, those that matter: the first, and the first of each
  /// side. A broken tracer may give all its spans one id.
  struct Bearers {
    uint64_t key;
    HopId first, client, server;
  };
  const Bearers* bearers(uint64_t key) const {
    auto at = std::partition_point(bearers_.begin(), bearers_.end(),
                                   [&](const Bearers& one) { return one.key < key; });
    return at != bearers_.end() && at->key == key ? &*at : nullptr;
  }

  bool is(HopId id, SpanKind kind) const {
    const Span& span = trace_[hops_[id].span];
    return span.kind == kind && !span.run;
  }

  /// Zipkin's libraries give both halves of a call one id. Whoever names that as its parent was
  /// called by the half that was called.
  HopId find(uint64_t key) const {
    const Bearers* all = bearers(key);
    if (all == nullptr) return {};
    return all->client && all->server ? all->server : all->first;
  }

  HopId callers_half(HopId id) const {
    if (!is(id, SpanKind::server)) return {};
    const Span& span = trace_[hops_[id].span];
    const Bearers* all = bearers(span_key(trace_, span.trace, span.id));
    return all == nullptr ? HopId{} : all->client;
  }

  void put_details() {
    constexpr size_t kNamed = 100;
    size_t lost = 0;
    for (uint32_t i = 0; i < trace_.span_details.size(); ++i) {
      const SpanDetail& detail = trace_.span_details[i];
      if (HopId hop = find(span_key(trace_, detail.trace, detail.span)))
        hops_.details.push_back({hop, i});
      else if (++lost <= kNamed)
        hops_.complaints.push_back({detail.source,
                                    detail.kind == SpanDetail::Kind::log_record
                                        ? "the span of this log record is not in the input"
                                        : "the span of this measurement is not in the input",
                                    Complaint::Kind::field});
    }
    std::sort(hops_.details.begin(), hops_.details.end());
  }

  /// The one of a circle that started first loses its parent.
  void take_first_of_circle(HopId at) {
    HopId first = at;
    for (HopId on = hops_[at].cause; on != at; on = hops_[on].cause) first = std::min(first, on);
    hops_.all[first.index].cause = hops_.all[first.index].parent = {};
    complain(hops_.all[first.index],
             "the parents of this span form a cycle; the span is treated as the first");
  }

  void complain(const Hop& hop, const char* what) {
    hops_.complaints.push_back({trace_[hop.span].source, what, Complaint::Kind::parent});
  }

  const Trace& trace_;
  Hops& hops_;
  std::vector<Bearers> bearers_;  ///< by key
  std::vector<HopEdge> named_;    ///< what the hop at hand names
};

}  // namespace

void follow_parents(const Trace& trace, Hops& hops) {
  ParentFollower(trace, hops).follow();
}

}  // namespace xtrace
