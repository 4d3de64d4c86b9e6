#include <algorithm>
#include <map>
#include <set>

#include "base/time_range.h"
#include "link/activities/deed.h"
#include "link/replay/replay_builder.h"

namespace xtrace {

namespace {

/// Spans wait for those below them; of those below one, each began after the one that had ended
/// last before it.
class HopReplay {
 public:
  HopReplay(const Graph& graph, const Hops& hops, const ShownHops& shown)
      : graph_(graph),
        hops_(hops),
        shown_(shown),
        builder_(replay_),
        below_(hops.all.size()),
        places_(hops.all.size()) {
    for (const Activity& done : graph.activities().all)
      if (done.retry_of) is_retried_.insert(done.retry_of);
  }

  Replay build() && {
    std::vector<Time> origins(hops_.runs.size(), kNoTime);
    for (size_t i = 0; i < hops_.all.size(); ++i)
      if (const HopId id(i); shown_.shows(id) && is_timed(id) && !waiting_for(id)) {
        Time& origin = origins[hops_[id].run];
        origin = earliest_known(origin, hops_[id].start);
      }
    builder_.add_origins(origins);
    for (size_t i = 0; i < hops_.runs.size(); ++i) {
      run_ = static_cast<uint32_t>(i);
      add_run(hops_.runs[i]);
    }
    return std::move(replay_);
  }

 private:
  static constexpr uint32_t kNone = ReplayStep::kNone;

  /// Of a hop, while what is below it is added.
  struct Place {
    TimeRange within;  ///< while the one above it went on
    uint32_t start = kNone, step = kNone;
    size_t next = 0;                            ///< of those below it
    std::set<std::pair<Time, uint32_t>> ended;  ///< when, and the moment
  };

  bool is_timed(HopId id) const {
    return hops_[id].start != kNoTime && hops_[id].duration >= Duration{0};
  }

  /// As HopPath has it: no more than a thousand without a time are passed over.
  HopId waiting_for(HopId id) const {
    constexpr int kDeepest = 1000;
    HopId at = id;
    for (int i = 0; i < kDeepest && shown_.shows_cause_of(at); ++i)
      if (at = hops_[at].cause; is_timed(at)) return at;
    return {};
  }

  void add_run(const Run& run) {
    std::vector<HopId> open;
    Place top;
    for (HopId id : run.hops) {
      if (!shown_.shows(id)) continue;
      if (!is_timed(id)) {
        ++replay_.undated;
        continue;
      }
      const HopId above = waiting_for(id);
      (above ? below_[above.index] : open).push_back(id);
    }
    sort(open);
    for (HopId id : open) {
      places_[id.index].within = {hops_[id].start, hops_[id].end()};
      add_tree(id, top);
    }
  }

  void sort(std::vector<HopId>& ids) const {
    std::ranges::stable_sort(ids, {}, [&](HopId id) { return hops_[id].start; });
  }

  /// Runs may be as deep as the input is long.
  void add_tree(HopId root, Place& top) {
    std::vector<HopId> open{root};
    begin(root, top, kNone);
    while (!open.empty()) {
      const HopId id = open.back();
      Place& place = places_[id.index];
      if (place.next < below_[id.index].size()) {
        const HopId child = below_[id.index][place.next++];
        const TimeRange own = place.within;
        places_[child.index].within = {std::clamp(hops_[child].start, own.start, own.end),
                                       std::clamp(hops_[child].end(), own.start, own.end)};
        begin(child, place, id.index);
        open.push_back(child);
        continue;
      }
      open.pop_back();
      finish(id, open.empty() ? top : places_[open.back().index]);
    }
  }

  const Activity* done(HopId id) const {
    const Activities& all = graph_.activities();
    if (&hops_ == &graph_.hops()) return &all.of(id);
    const SpanId span = hops_[id].span;
    return span ? &all.of(span) : nullptr;
  }

  uint32_t agent(const Activity& done) {
    const std::string_view name = done.agent.name;
    if (name.empty()) return kNone;
    const auto [found, is_new] =
        agents_.emplace(name, static_cast<uint32_t>(replay_.agents.size()));
    if (is_new) replay_.agents.push_back({std::string(name), std::string(name)});
    return found->second;
  }

  ReplayStep step_of(HopId id, uint32_t above) {
    ReplayStep step{.hop = id};
    const bool is_leaf = below_[id.index].empty();
    if (above != kNone) {
      // What is below a model's span or a tool's is a part of that.
      const ReplayStep& outer = replay_.steps[places_[above].step];
      step.within = places_[above].step;
      step.part = outer.part;
      step.is_failed = outer.is_failed;
      step.model = outer.model;
      step.tool = outer.tool;
      step.agent = outer.agent;
    }
    const bool is_part = !step.model.empty() || !step.tool.empty();
    if (!is_part) step.part = is_leaf ? PathPart::tool : PathPart::unexplained;
    if (!is_part) step.is_failed = false;
    const Activity* const what = done(id);
    if (what == nullptr) return step;
    if (const uint32_t by = agent(*what); by != kNone) step.agent = by;
    switch (what->kind) {
      case Activity::Kind::model_call:
        step.part = PathPart::model;
        step.is_failed = what->outcome == Outcome::error;
        step.model = what->model.empty() ? std::string_view("unknown") : what->model;
        step.tool = {};
        break;
      case Activity::Kind::tool_run:
      case Activity::Kind::retrieval:
        step.part = asks_a_person(what->tool) ? PathPart::person : PathPart::tool;
        step.tool = what->tool;
        step.model = {};
        break;
      case Activity::Kind::agent_run:
        step.kind = ReplayStep::Kind::agent;
        step.part = PathPart::unexplained;
        step.model = step.tool = {};
        break;
      case Activity::Kind::other: break;
    }
    const ActivityId self(static_cast<size_t>(what - graph_.activities().all.data()));
    step.is_retried = is_retried_.contains(self);
    step.is_failed |= step.is_retried;
    return step;
  }

  void begin(HopId id, Place& above, uint32_t above_id) {
    Place& place = places_[id.index];
    sort(below_[id.index]);
    place.step = builder_.add(step_of(id, above_id));
    std::vector<ReplayArc> arcs;
    if (above.start != kNone) arcs.push_back({.from = above.start});
    const auto behind = above.ended.upper_bound({place.within.start, kNone});
    if (behind != above.ended.begin()) {
      const auto& [ended, moment] = *std::prev(behind);
      const bool is_serial =
          above.start != kNone && elapsed(ended, place.within.start) <= kSerialGap;
      arcs.push_back(
          {.from = moment, .kind = is_serial ? ReplayArc::Kind::serial : ReplayArc::Kind::plain});
    }
    if (arcs.empty()) arcs.push_back({.from = ReplayBuilder::origin_of(run_)});
    const Activity* const what = done(id);
    uint32_t lag = above.step;
    if (what != nullptr && what->retry_of)
      lag = builder_.add({.kind = ReplayStep::Kind::wait,
                          .part = PathPart::retry_wait,
                          .hop = id,
                          .within = above.step});
    place.start = builder_.add(place.within.start, run_, arcs, lag);
  }

  void finish(HopId id, Place& above) {
    Place& place = places_[id.index];
    std::vector<ReplayArc> arcs;
    if (place.ended.empty())
      arcs.push_back({place.start, ReplayArc::Kind::plain, place.step,
                      elapsed(place.within.start, place.within.end)});
    for (const auto& [ended, moment] : place.ended) arcs.push_back({.from = moment});
    const uint32_t end = builder_.add(place.within.end, run_, arcs, place.step);
    builder_.add_node({.hop = id, .start = place.start, .end = end, .step = place.step});
    above.ended.insert({place.within.end, end});
    place.ended.clear();
  }

  const Graph& graph_;
  const Hops& hops_;
  const ShownHops& shown_;
  Replay replay_;
  ReplayBuilder builder_;
  std::vector<std::vector<HopId>> below_;  ///< that it waits for, by hop
  std::vector<Place> places_;              ///< by hop
  std::map<std::string_view, uint32_t> agents_;
  std::set<ActivityId> is_retried_;
  uint32_t run_ = 0;
};

}  // namespace

Replay replay_hops(const Graph& graph, const Hops& hops, const ShownHops& shown) {
  return HopReplay(graph, hops, shown).build();
}

}  // namespace xtrace
