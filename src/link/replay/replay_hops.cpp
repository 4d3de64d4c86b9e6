#include <algorithm>
#include <functional>
#include <map>
#include <set>

#include "base/time_range.h"
#include "link/activities/deed.h"
#include "link/replay/replay_builder.h"

namespace xtrace {

namespace {

bool is_work(Activity::Kind kind) {
  return kind != Activity::Kind::other;
}

/// Spans wait for those below them; of those below one, each began after all that had ended before.
/// What is below another at the same time as a model, a tool or an agent, and
/// records none of these, may have waited for them, or not: frameworks record how long they listen
/// or poll. It takes none of the time of the others on a critical path; the upper bound of a time
/// waits for it, the lower one does not.
///
///     request   ├──────────────────────────────┤
///     listen      ├──────────────────────────┤      beside
///     agent         ├ model ┤├ tool ┤
///     on the path ├l├ model ┤├ tool ┤├ l ────┤
class HopReplay {
 public:
  HopReplay(const Graph& graph, const Hops& hops, const ShownHops& shown)
      : graph_(graph),
        hops_(hops),
        shown_(shown),
        builder_(replay_),
        below_(hops.all.size()),
        above_(hops.all.size()),
        has_work_(hops.all.size()),
        places_(hops.all.size()) {
    for (const Activity& done : graph.activities().all)
      if (done.retry_of) is_retried_.insert(done.retry_of);
  }

  Replay build() && {
    std::vector<Time> origins(hops_.runs.size(), kNoTime);
    for (size_t i = 0; i < hops_.all.size(); ++i) {
      const HopId id(i);
      if (!shown_.shows(id)) continue;
      above_[i] = waiting_for(id);
      if (is_timed(id) && !above_[i]) {
        Time& origin = origins[hops_[id].run];
        origin = earliest_known(origin, hops_[id].start);
      }
    }
    for (size_t i = 0; i < hops_.all.size(); ++i)
      if (const Activity* what = done(HopId(i)); what != nullptr && is_work(what->kind))
        for (HopId at(i); at && !has_work_[at.index]; at = above_[at.index])
          has_work_[at.index] = true;
    builder_.add_origins(origins);
    replay_.run_ends.assign(origins.size(), kNone);
    for (size_t i = 0; i < hops_.runs.size(); ++i) {
      run_ = static_cast<uint32_t>(i);
      add_run(hops_.runs[i]);
    }
    name_models();
    return std::move(replay_);
  }

 private:
  static constexpr uint32_t kNone = ReplayStep::kNone;
  static constexpr std::string_view kUnnamed = "unknown";  ///< a model of which no span has a name

  /// When something ended, and the moment.
  using Ends = std::set<std::pair<Time, uint32_t>>;
  /// A piece of the time that spans cover of which nobody knows whether they waited.
  struct Piece {
    HopId hop;
    Time from, to;
  };
  /// Of a hop, while what is below it is added.
  struct Place {
    TimeRange within;  ///< while the one above it went on
    uint32_t start = kNone, step = kNone;
    bool is_beside = false;     ///< may have waited for what went on beside it
    size_t next = 0;            ///< of those below it
    Ends ended;                 ///< not yet in `joined`
    Ends beside;                ///< of those beside
    uint32_t joined = kNone;    ///< all that had ended before what was added last began
    std::vector<Piece> pieces;  ///< of those beside, in order of time, none at the same time
    size_t next_piece = 0;
    uint32_t anchor = kNone, filled = kNone;  ///< from which moment pieces were added, to which
  };

  bool is_timed(HopId id) const {
    return hops_[id].start != kNoTime && hops_[id].duration >= Duration{0};
  }

  HopId cause_of(HopId id) const { return shown_.shows_cause_of(id) ? hops_[id].cause : HopId(); }

  /// The nearest one above it that still went on when it began, as one that had ended before only
  /// started it; nowhere: there is none. No more than a thousand are skipped: a chain of a million
  /// would be walked for each of its hops.
  HopId waiting_for(HopId id) const {
    constexpr int kDeepest = 1000;
    HopId at = cause_of(id);
    for (int i = 0; i < kDeepest && at; ++i) {
      if (is_timed(at) && hops_[at].duration > Duration{0} && hops_[at].end() >= hops_[id].start)
        return at;
      // What was skipped above an earlier one had ended before that began.
      at = at.index < id.index ? above_[at.index] : cause_of(at);
    }
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
      const HopId above = above_[id.index];
      (above ? below_[above.index] : open).push_back(id);
      if (!above) top.within.include(hops_[id].start, hops_[id].duration);
    }
    if (open.empty()) return;
    top.start = ReplayBuilder::origin_of(run_);
    for (HopId id : open) places_[id.index].within = {hops_[id].start, hops_[id].end()};
    prepare(open, top);
    for (HopId id : open) add_tree(id, top);
    replay_.run_ends[run_] = add_end(top);
  }

  /// Puts what is below a hop in order of time and finds those beside.
  void prepare(std::vector<HopId>& ids, Place& above) {
    sort(ids);
    std::vector<TimeRange> work;  // in order of time, none at the same time
    for (HopId id : ids)
      if (has_work_[id.index]) {
        const TimeRange& own = places_[id.index].within;
        if (work.empty() || own.start >= work.back().end)
          work.push_back(own);
        else
          work.back().end = std::max(work.back().end, own.end);
      }
    if (work.empty()) return;
    std::vector<HopId> beside;
    for (HopId id : ids) {
      Place& place = places_[id.index];
      const TimeRange& own = place.within;
      const auto behind = std::ranges::upper_bound(work, own.start, {}, &TimeRange::end);
      place.is_beside = !has_work_[id.index] && behind != work.end() && behind->start < own.end;
      if (!has_work_[id.index] && behind != work.end() && own.start == own.end)
        place.is_beside = behind->start < own.start;
      if (place.is_beside) beside.push_back(id);
    }
    // As on a critical path: the one that ended last, then the one before it.
    std::ranges::stable_sort(beside, std::greater<>(),
                             [&](HopId id) { return places_[id.index].within.end; });
    Time until = above.within.end;
    for (HopId id : beside) {
      const TimeRange& own = places_[id.index].within;
      const Time to = std::min(own.end, until);
      if (own.start >= to) continue;
      above.pieces.push_back({id, own.start, to});
      until = own.start;
    }
    std::ranges::reverse(above.pieces);
  }

  /// Adds what those beside took since a moment, where nothing else below the hop went on; the
  /// moment at which the last of it ended.
  uint32_t fill(Place& place, uint32_t anchor, Time until) {
    if (place.pieces.empty()) return anchor;
    if (place.anchor != anchor) place.anchor = place.filled = anchor;
    for (; place.next_piece < place.pieces.size(); ++place.next_piece) {
      const Piece& piece = place.pieces[place.next_piece];
      const Time now = builder_.at(place.filled);
      if (piece.to <= now) continue;
      if (piece.from >= until) break;
      if (piece.from > now) place.filled = builder_.add_work(place.filled, piece.from, place.step);
      if (const Time to = std::min(piece.to, until); to > builder_.at(place.filled))
        place.filled = builder_.add_work(place.filled, to, places_[piece.hop.index].step);
      if (piece.to > until) break;
    }
    return place.filled;
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
    if (!is_part) step.part = PathPart::unexplained;
    if (!is_part) step.is_failed = false;
    const Activity* const what = done(id);
    if (what == nullptr) return step;
    if (const uint32_t by = agent(*what); by != kNone) step.agent = by;
    switch (what->kind) {
      case Activity::Kind::model_call:
        step.part = PathPart::model;
        step.is_failed = what->outcome == Outcome::error;
        step.model = what->model.empty() ? kUnnamed : what->model;
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

  /// Below one span, each began after all those that had ended before.
  void join_ended(Place& place, Time at) {
    std::vector<ReplayArc> arcs;
    Time last = kNoTime;
    while (!place.ended.empty() && place.ended.begin()->first <= at) {
      last = place.ended.begin()->first;
      arcs.push_back({.from = place.ended.begin()->second});
      place.ended.erase(place.ended.begin());
    }
    if (arcs.empty()) return;
    if (place.joined != kNone) arcs.push_back({.from = place.joined});
    place.joined = arcs.size() == 1 ? arcs.front().from : builder_.add(last, run_, arcs);
  }

  void begin(HopId id, Place& above, uint32_t above_id) {
    Place& place = places_[id.index];
    const TimeRange own = place.within;
    for (HopId child : below_[id.index])
      places_[child.index].within = {std::clamp(hops_[child].start, own.start, own.end),
                                     std::clamp(hops_[child].end(), own.start, own.end)};
    prepare(below_[id.index], place);
    place.step = builder_.add(step_of(id, above_id));
    join_ended(above, own.start);
    const uint32_t anchor = above.joined == kNone ? above.start : above.joined;
    const auto behind = above.beside.upper_bound({own.start, kNone});
    const auto* beside = behind == above.beside.begin() ? nullptr : &*std::prev(behind);
    std::vector<ReplayArc> arcs{{.from = above.start}};
    if (place.is_beside) {
      if (anchor != above.start) arcs.push_back({.from = anchor});
      if (beside != nullptr) arcs.push_back({.from = beside->second});
    } else {
      const uint32_t from = fill(above, anchor, own.start);
      const bool is_serial = above_id != kNone && from == anchor &&
                             elapsed(builder_.at(anchor), own.start) <= kSerialGap;
      if (from != above.start)
        arcs.push_back(
            {.from = from, .kind = is_serial ? ReplayArc::Kind::serial : ReplayArc::Kind::plain});
      if (beside != nullptr)
        arcs.push_back(loose(*beside, builder_.at(anchor), own.start, above.step));
    }
    const Activity* const what = done(id);
    uint32_t lag = above.step;
    if (what != nullptr && what->retry_of)
      lag = builder_.add({.kind = ReplayStep::Kind::wait,
                          .part = PathPart::retry_wait,
                          .hop = id,
                          .within = above.step});
    place.start = builder_.add(own.start, run_, arcs, lag);
  }

  /// From the end of one beside, with what the hop above took by itself after that and after all
  /// that it surely waited for.
  static ReplayArc loose(const std::pair<Time, uint32_t>& ended, Time last, Time until,
                         uint32_t step) {
    return {.from = ended.second,
            .kind = ReplayArc::Kind::loose,
            .step = step,
            .length = elapsed(std::max(ended.first, last), until)};
  }

  /// The end of a hop, or of a run, after all that is below it.
  uint32_t add_end(Place& place) {
    join_ended(place, place.within.end);
    std::vector<ReplayArc> arcs;
    if (place.joined == kNone) {
      arcs.push_back({place.start, ReplayArc::Kind::plain, place.step,
                      elapsed(place.within.start, place.within.end)});
      return builder_.add(place.within.end, run_, arcs, place.step);
    }
    arcs.push_back({.from = fill(place, place.joined, place.within.end)});
    for (const auto& ended : place.beside)
      arcs.push_back(loose(ended, builder_.at(place.joined), place.within.end, place.step));
    return builder_.add(place.within.end, run_, arcs, place.step);
  }

  void finish(HopId id, Place& above) {
    Place& place = places_[id.index];
    const uint32_t end = add_end(place);
    builder_.add_node({.hop = id, .start = place.start, .end = end, .step = place.step});
    // Nobody waited for what went on after the one above it had ended, unless that did work.
    const bool outlives = hops_[id].end() > place.within.end;
    if (place.is_beside && !outlives) ++replay_.beside;
    if (!place.is_beside)
      above.ended.insert({place.within.end, end});
    else if (!outlives)
      above.beside.insert({place.within.end, end});
    // What is below it is not needed any more, and may be much.
    place.ended.clear();
    place.beside.clear();
    std::vector<Piece>().swap(place.pieces);
  }

  bool counts_usage(const ReplayStep& step) const {
    const Activity* const what = done(step.hop);
    if (what == nullptr || what->kind != Activity::Kind::model_call) return false;
    const TokensAndCost counted = graph_.activities().counted_at(what->hop);
    return counted.cost >= 0 || total_of(counted.tokens) >= 0;
  }

  /// A model's span within another one's is the same call, and is named alike: as the one that
  /// counts tokens names itself. Each that counts tokens keeps its own name.
  void name_models() {
    using Names = std::map<uint32_t, std::string_view>;  // by the outermost step of a call
    Names counting, any;
    std::vector<uint32_t> whole(replay_.steps.size(), kNone);
    for (uint32_t i = 0; i < whole.size(); ++i) {
      const ReplayStep& step = replay_.steps[i];
      if (step.model.empty() || step.kind != ReplayStep::Kind::work) continue;
      const bool is_inner = step.within != kNone && whole[step.within] != kNone;
      whole[i] = is_inner ? whole[step.within] : i;
      if (step.model == kUnnamed) continue;
      any.try_emplace(whole[i], step.model);
      if (counts_usage(step)) counting.try_emplace(whole[i], step.model);
    }
    for (uint32_t i = 0; i < whole.size(); ++i) {
      ReplayStep& step = replay_.steps[i];
      if (whole[i] == kNone || (step.model != kUnnamed && counts_usage(step))) continue;
      if (whole[i] != i)
        step.model = replay_.steps[step.within].model;
      else if (const auto found = counting.find(i); found != counting.end())
        step.model = found->second;
      else if (const auto named = any.find(i); named != any.end())
        step.model = named->second;
    }
  }

  const Graph& graph_;
  const Hops& hops_;
  const ShownHops& shown_;
  Replay replay_;
  ReplayBuilder builder_;
  std::vector<std::vector<HopId>> below_;  ///< that it waits for, by hop
  std::vector<HopId> above_;               ///< that waits for it, by hop
  std::vector<bool> has_work_;             ///< by hop: a model, tool or agent is it or is below it
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
