#pragma once

#include <span>

#include "link/replay/replay.h"

namespace xtrace {

/// When calls began. One without a time begins when all that led to it had ended, or else what was
/// before it in its session.
std::vector<Time> starts_of_calls(const Graph& graph, const ShownCalls& shown);

/// Adds moments to a replay, causes first.
class ReplayBuilder {
 public:
  static constexpr uint32_t kNone = ReplayStep::kNone;

  explicit ReplayBuilder(Replay& replay) : replay_(replay) {}

  /// When each run begins, from which all is reckoned; kNoTime: nothing of it is shown.
  void add_origins(std::span<const Time> starts) {
    replay_.runs = starts.size();
    for (size_t i = 0; i < starts.size(); ++i)
      add(starts[i], static_cast<uint32_t>(i), std::span<const ReplayArc>());
  }
  static uint32_t origin_of(uint32_t run) { return run; }

  uint32_t add(ReplayStep step) {
    replay_.steps.push_back(step);
    return static_cast<uint32_t>(replay_.steps.size() - 1);
  }

  /// What the arcs leave until then is its own lag, which is a step.
  uint32_t add(Time at, uint32_t run, std::span<const ReplayArc> arcs, uint32_t lag_step = kNone) {
    ReplayMoment moment{.at = at, .run = run};
    moment.first_arc = static_cast<uint32_t>(replay_.arcs.size());
    moment.arcs = static_cast<uint32_t>(arcs.size());
    Time known = kNoTime;
    int unknown = 0;
    bool has_report = false;
    for (const ReplayArc& arc : arcs) {
      replay_.arcs.push_back(arc);
      if (arc.kind == ReplayArc::Kind::loose) continue;
      has_report |= arc.kind == ReplayArc::Kind::report;
      if (arc.step != kNone) add_to_total(arc.step, arc.length);
      if (arc.kind == ReplayArc::Kind::unknown)
        ++unknown;
      else
        known = std::max(known, after(replay_.moments[arc.from].at, arc.length));
    }
    if (unknown > 1) ++replay_.unknown_groups;
    // Tools of unknown length explain all of the wait.
    if (known != kNoTime && at != kNoTime && (unknown == 0 || has_report))
      moment.lag = elapsed(known, at);
    if (moment.lag != Duration{0} && lag_step != kNone) {
      moment.lag_step = lag_step;
      add_to_total(lag_step, moment.lag);
    }
    replay_.moments.push_back(moment);
    return static_cast<uint32_t>(replay_.moments.size() - 1);
  }
  uint32_t add(Time at, uint32_t run, const ReplayArc& arc, uint32_t lag_step = kNone) {
    return add(at, run, std::span(&arc, 1), lag_step);
  }
  /// What takes exactly until then.
  uint32_t add_work(uint32_t from, Time until, uint32_t step) {
    const ReplayMoment& moment = replay_.moments[from];
    return add(until, moment.run,
               ReplayArc{from, ReplayArc::Kind::plain, step, elapsed(moment.at, until)});
  }

  void add_node(ReplayNode node) {
    const auto index = static_cast<uint32_t>(replay_.nodes.size());
    replay_.moments[node.start].node = index;
    replay_.moments[node.end].node = index;
    replay_.moments[node.end].is_end = true;
    replay_.nodes.push_back(node);
  }

  Time at(uint32_t moment) const { return replay_.moments[moment].at; }

 private:
  void add_to_total(uint32_t step, Duration length) {
    Duration& total = replay_.steps[step].total;
    total = plus(total, length);
  }

  Replay& replay_;
};

}  // namespace xtrace
