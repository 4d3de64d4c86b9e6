#include "link/replay/replay.h"

#include <algorithm>
#include <cmath>
#include <span>
#include <tuple>

#include "base/time_range.h"

namespace xtrace {

namespace {

Duration apply(const Replay& replay, const ReplayEffects& effects, uint32_t step, Duration length) {
  if (step == ReplayStep::kNone || effects.of_step.empty()) return length;
  return effects.of_step[step].of(length, replay.steps[step].total);
}

bool is_ignored(const ReplayArc& arc, const ReplayEffects& effects) {
  return effects.is_parallel && arc.kind == ReplayArc::Kind::serial;
}

std::span<const ReplayArc> arcs_of(const Replay& replay, const ReplayMoment& moment) {
  return std::span(replay.arcs).subspan(moment.first_arc, moment.arcs);
}

bool has_kind(std::span<const ReplayArc> arcs, ReplayArc::Kind kind) {
  return std::ranges::any_of(arcs, [&](const ReplayArc& arc) { return arc.kind == kind; });
}

/// Finds when one moment would be.
class MomentPlay {
 public:
  MomentPlay(const Replay& replay, const ReplayEffects& effects, const std::vector<Time>& times,
             const ReplayMoment& moment)
      : replay_(replay), effects_(effects), times_(times), moment_(moment) {
    lag_ = apply(replay, effects, moment.lag_step, moment.lag);
    for (const ReplayArc& arc : arcs_of(replay, moment)) {
      if (is_ignored(arc, effects)) continue;
      if (arc.kind == ReplayArc::Kind::loose) {
        loose_ = std::max(loose_, arrival(arc));
      } else if (arc.kind == ReplayArc::Kind::unknown) {
        ++unknown_;
        longest_ = std::max(longest_, arrival(arc));
        shortest_ = shortest_ == kNoTime ? arrival(arc) : std::min(shortest_, arrival(arc));
        none_ = std::max(none_, after(times[arc.from], least(arc)));
      } else {
        has_report_ |= arc.kind == ReplayArc::Kind::report;
        known_ = std::max(known_, arrival(arc));
      }
    }
  }

  Time arrival(const ReplayArc& arc) const {
    return after(times_[arc.from], apply(replay_, effects_, arc.step, arc.length));
  }

  Time at(ReplayBound bound) const {
    const Time waited_for = without_loose(bound);
    return bound == ReplayBound::upper ? std::max(waited_for, loose_) : waited_for;
  }

 private:
  Time without_loose(ReplayBound bound) const {
    if (unknown_ == 0) return known_ == kNoTime ? moment_.at : after(known_, lag_);
    // Either the subagents decided and all tools were short, or one of the tools took all the time.
    const Time by_report = has_report_ ? after(known_, lag_) : known_;
    if (bound == ReplayBound::upper) return std::max(by_report, longest_);
    const Time by_tool = std::max({known_, none_, shortest_});
    return has_report_ ? std::min(std::max(by_report, none_), by_tool) : by_tool;
  }

  /// The shortest that it may have taken: nothing, unless the change states how long it takes.
  Duration least(const ReplayArc& arc) const {
    if (effects_.of_step.empty() || arc.step == ReplayStep::kNone) return Duration{0};
    const ReplayEffect& effect = effects_.of_step[arc.step];
    return effect.is_removed || effect.fixed == kNoDuration ? Duration{0} : effect.fixed;
  }

  const Replay& replay_;
  const ReplayEffects& effects_;
  const std::vector<Time>& times_;
  const ReplayMoment& moment_;
  Duration lag_{0};
  int unknown_ = 0;
  bool has_report_ = false;
  Time known_ = kNoTime;                         ///< the last of what is known
  Time loose_ = kNoTime;                         ///< the last of what may not be waited for
  Time longest_ = kNoTime, shortest_ = kNoTime;  ///< if a tool took all the time: which one
  Time none_ = kNoTime;                          ///< if all of them were as short as can be
};

std::vector<TimeRange> ranges_of(const Replay& replay, const std::vector<Time>& times,
                                 std::vector<uint32_t>* last = nullptr) {
  std::vector<TimeRange> ranges(replay.runs);
  if (last != nullptr) last->assign(ranges.size(), ReplayStep::kNone);
  for (size_t i = 0; i < replay.run_ends.size(); ++i) {
    const uint32_t end = replay.run_ends[i];
    if (end == ReplayStep::kNone) continue;
    // The moments of origins precede all others.
    ranges[i] = {times[i], times[end]};
    if (last != nullptr) (*last)[i] = end;
  }
  if (!replay.run_ends.empty()) return ranges;
  for (const ReplayNode& node : replay.nodes) {
    TimeRange& range = ranges[replay.moments[node.end].run];
    range.start = earliest_known(range.start, times[node.start]);
    if (range.end != kNoTime && times[node.end] < range.end) continue;
    range.end = times[node.end];
    if (last != nullptr) (*last)[replay.moments[node.end].run] = node.end;
  }
  return ranges;
}

}  // namespace

Duration ReplayEffect::of(Duration length, Duration total) const {
  if (is_removed) return Duration{0};
  if (fixed == kNoDuration && factor == 1) return length;
  const auto scaled = [](Duration of, double by) {
    constexpr double kMost = 9e18;  // nanoseconds that fit, as logs may claim centuries
    return Duration(std::llround(std::clamp(static_cast<double>(of.count()) * by, -kMost, kMost)));
  };
  if (fixed == kNoDuration) return scaled(length, 1 / factor);
  if (length == total || total <= Duration{0}) return fixed;
  return scaled(fixed, static_cast<double>(length.count()) / static_cast<double>(total.count()));
}

std::vector<Time> play(const Replay& replay, const ReplayEffects& effects, ReplayBound bound) {
  std::vector<Time> times(replay.moments.size(), kNoTime);
  for (size_t i = 0; i < times.size(); ++i)
    times[i] = MomentPlay(replay, effects, times, replay.moments[i]).at(bound);
  return times;
}

Duration wall_time(const Replay& replay, const std::vector<Time>& times) {
  Duration sum{0};
  for (const TimeRange& range : ranges_of(replay, times))
    if (range.start != kNoTime) sum = plus(sum, elapsed(range.start, range.end));
  return sum;
}

ReplayPart part_of(const ReplayStep& step) {
  if (step.is_interrupted) return ReplayPart::interrupted;
  if (step.is_failed) return ReplayPart::failed;
  if (step.is_handover) return ReplayPart::handover;
  switch (step.part) {
    case PathPart::model: return ReplayPart::model;
    case PathPart::tool: return ReplayPart::tool;
    case PathPart::background: return ReplayPart::background;
    case PathPart::permission: return ReplayPart::permission;
    case PathPart::person: return ReplayPart::person;
    case PathPart::retry_wait: return ReplayPart::retry_wait;
    case PathPart::unexplained: break;
  }
  return step.hop ? ReplayPart::other : ReplayPart::unexplained;
}

std::vector<Time> recorded_times(const Replay& replay) {
  std::vector<Time> times(replay.moments.size());
  for (size_t i = 0; i < times.size(); ++i) times[i] = replay.moments[i].at;
  return times;
}

namespace {

/// Walks back from the end of a run.
class PathWalk {
 public:
  PathWalk(const Replay& replay, const ReplayEffects& effects, const std::vector<Time>& times,
           const std::vector<uint32_t>& node_of_span, std::vector<bool>& has_node)
      : replay_(replay),
        effects_(effects),
        times_(times),
        node_of_span_(node_of_span),
        has_node_(has_node) {}

  ReplayPath from(uint32_t end) && {
    for (uint32_t at = end; at != ReplayStep::kNone;) at = step_back(at);
    std::reverse(path_.nodes.begin(), path_.nodes.end());
    return std::move(path_);
  }

 private:
  void add(uint32_t step, Duration length) {
    if (length == Duration{0}) return;
    const ReplayStep own = step == ReplayStep::kNone ? ReplayStep() : replay_.steps[step];
    for (Duration* sum : {&path_.times[static_cast<size_t>(part_of(own))],
                          &path_.parts[static_cast<size_t>(own.part)]})
      *sum = plus(*sum, length);
    if (step == ReplayStep::kNone) return;
    path_.on_path.emplace_back(step, length);
    if (!node_of_span_.empty()) add_node(node_of_span_[step]);
  }

  void add_node(uint32_t node) {
    if (node == ReplayStep::kNone || has_node_[node]) return;
    // A span that took no time is waited for by nobody.
    const ReplayNode& own = replay_.nodes[node];
    if (own.hop && replay_.moments[own.start].at == replay_.moments[own.end].at) return;
    has_node_[node] = true;
    path_.nodes.push_back(node);
  }

  /// Goes to what the moment waited for; kNone: nothing.
  uint32_t step_back(uint32_t at) {
    const ReplayMoment& moment = replay_.moments[at];
    add_node(moment.node);
    const MomentPlay played(replay_, effects_, times_, moment);
    const std::span<const ReplayArc> arcs = arcs_of(replay_, moment);
    const bool has_unknown = has_kind(arcs, ReplayArc::Kind::unknown);
    Duration lag = apply(replay_, effects_, moment.lag_step, moment.lag);
    // Beside tools of unknown length, a report decides if the reader began soon after it.
    const bool by_report =
        has_unknown && has_kind(arcs, ReplayArc::Kind::report) && moment.lag <= kSerialGap;
    if (has_unknown && !by_report) lag = Duration{0};
    const ReplayArc* decisive = nullptr;
    for (const ReplayArc& arc : arcs) {
      if (is_ignored(arc, effects_) || arc.kind == ReplayArc::Kind::loose) continue;
      if (by_report && arc.kind == ReplayArc::Kind::unknown) continue;
      // Of several, the one of which most is known; a tool before a person.
      const auto latest = [&](const ReplayArc& one) {
        const bool is_tool =
            one.step != ReplayStep::kNone && replay_.steps[one.step].part == PathPart::tool;
        return std::tuple(played.arrival(one), times_[one.from], is_tool);
      };
      if (decisive == nullptr || latest(arc) > latest(*decisive)) decisive = &arc;
    }
    if (decisive == nullptr) return ReplayStep::kNone;
    for (const ReplayArc& arc : arcs) {
      if (arc.kind != ReplayArc::Kind::loose) continue;
      if (played.arrival(arc) <= after(played.arrival(*decisive), lag)) continue;
      decisive = &arc;
      lag = Duration{0};
    }
    add(moment.lag_step, lag);
    Duration rest = plus(elapsed(times_[decisive->from], times_[at]), -lag);
    if (decisive->beside != ReplayStep::kNone) {
      const Duration tools = std::clamp(elapsed(times_[decisive->from], times_[decisive->beside]),
                                        Duration{0}, std::max(rest, Duration{0}));
      add(step_before(decisive->beside), tools);
      rest = plus(rest, -tools);
    }
    const size_t own = path_.on_path.size();
    add(decisive->step, rest);
    if (decisive->kind == ReplayArc::Kind::unknown && path_.on_path.size() > own)
      for (const ReplayArc& arc : arcs)  // any of them may have been the longest
        if (&arc != decisive && arc.kind == ReplayArc::Kind::unknown &&
            played.arrival(arc) == played.arrival(*decisive))
          path_.or_else.emplace_back(own, arc.step);
    return decisive->from;
  }

  /// What the moment is the end of.
  uint32_t step_before(uint32_t at) const {
    return replay_.arcs[replay_.moments[at].first_arc].step;
  }

  const Replay& replay_;
  const ReplayEffects& effects_;
  const std::vector<Time>& times_;
  const std::vector<uint32_t>& node_of_span_;  ///< by step; empty: nodes are calls
  std::vector<bool>& has_node_;
  ReplayPath path_;
};

}  // namespace

ReplayPaths find_paths(const Replay& replay, const ReplayEffects& effects,
                       const std::vector<Time>& times) {
  ReplayPaths paths;
  paths.has_node.resize(replay.nodes.size());
  std::vector<uint32_t> last, node_of_span;
  ranges_of(replay, times, &last);
  if (!replay.run_ends.empty()) {
    node_of_span.resize(replay.steps.size(), ReplayStep::kNone);
    for (uint32_t i = 0; i < replay.nodes.size(); ++i) node_of_span[replay.nodes[i].step] = i;
  }
  paths.of_run.reserve(last.size());
  for (uint32_t end : last)
    paths.of_run.push_back(
        PathWalk(replay, effects, times, node_of_span, paths.has_node).from(end));
  return paths;
}

std::vector<Duration> find_slack(const Replay& replay) {
  const std::vector<Time> times = recorded_times(replay);
  const std::vector<TimeRange> ranges = ranges_of(replay, times);
  std::vector<Time> latest(times.size());
  for (size_t i = 0; i < times.size(); ++i) latest[i] = ranges[replay.moments[i].run].end;
  for (size_t i = times.size(); i-- > 0;) {
    const ReplayMoment& moment = replay.moments[i];
    const std::span<const ReplayArc> arcs = arcs_of(replay, moment);
    const bool has_lag =
        !has_kind(arcs, ReplayArc::Kind::unknown) || has_kind(arcs, ReplayArc::Kind::report);
    for (const ReplayArc& arc : arcs) {
      const bool is_unknown = arc.kind == ReplayArc::Kind::unknown;
      const bool follows_lag = has_lag && !is_unknown && arc.kind != ReplayArc::Kind::loose;
      const Duration lag = follows_lag ? moment.lag : Duration{0};
      latest[arc.from] = std::min(latest[arc.from], after(after(latest[i], -lag), -arc.length));
    }
  }
  std::vector<Duration> slack(replay.nodes.size(), kNoDuration);
  for (size_t i = 0; i < slack.size(); ++i)
    if (const ReplayNode& node = replay.nodes[i]; node.is_timed)
      slack[i] = elapsed(times[node.end], latest[node.end]);
  return slack;
}

}  // namespace xtrace
