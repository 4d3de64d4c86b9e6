#include "link/replay/replay.h"

#include <catch2/catch.hpp>
#include <random>

#include "link/replay/changes.h"
#include "link/replay/replay_builder.h"

using namespace xtrace;
using std::chrono::milliseconds;

namespace {

constexpr std::string_view kTools[] = {"Build", "Fetch", "Query"};

/// What a made-up run takes with a change, by its closed form: series add up, of what runs side by
/// side the longest counts, of tools of unknown length the one that the bound takes.
struct Bounds {
  Duration lower{0}, upper{0};
};

/// A run put together in series and in parallel, and how long it takes in closed form.
class MadeRun {
 public:
  MadeRun(uint32_t seed, const ReplayChange& change) : random_(seed), change_(change) {
    const Time start{std::chrono::hours(1)};
    builder_.add_origins(std::span(&start, 1));
    Bounds took;
    const uint32_t end = add_series(ReplayBuilder::origin_of(0), 3, took);
    const uint32_t done = builder_.add_work(end, builder_.at(end), ReplayStep::kNone);
    builder_.add_node({.start = ReplayBuilder::origin_of(0), .end = done});
    truth = took;
  }

  Replay replay;
  Bounds truth;

 private:
  uint32_t below(uint32_t most) { return random_() % most; }

  Duration changed(std::string_view tool, Duration length) const {
    if (tool != change_.name) return length;
    if (change_.kind == ReplayChange::Kind::remove) return Duration{0};
    return Duration(std::llround(static_cast<double>(length.count()) / change_.factor));
  }

  uint32_t add_tool(uint32_t from, Bounds& took) {
    const std::string_view tool = kTools[below(3)];
    const Duration length = milliseconds(12 * (1 + below(500)));
    const uint32_t step =
        builder_.add({.kind = ReplayStep::Kind::tool_use, .part = PathPart::tool, .tool = tool});
    took.lower += changed(tool, length);
    took.upper += changed(tool, length);
    return builder_.add_work(from, builder_.at(from) + length, step);
  }

  uint32_t add_unknown(uint32_t from, Bounds& took) {
    const Duration length = milliseconds(12 * (1 + below(500)));
    std::vector<ReplayArc> arcs;
    Bounds each{Duration::max(), Duration{0}};
    for (std::string_view tool : {kTools[below(3)], kTools[below(3)]}) {
      const uint32_t step =
          builder_.add({.kind = ReplayStep::Kind::tool_use, .part = PathPart::tool, .tool = tool});
      arcs.push_back({from, ReplayArc::Kind::unknown, step, length});
      each.lower = std::min(each.lower, changed(tool, length));
      each.upper = std::max(each.upper, changed(tool, length));
    }
    took.lower += each.lower;
    took.upper += each.upper;
    return builder_.add(builder_.at(from) + length, 0, arcs);
  }

  uint32_t add_parallel(uint32_t from, int depth, Bounds& took) {
    std::vector<ReplayArc> arcs;
    Bounds longest;
    Time last = builder_.at(from);
    for (uint32_t i = 0; i < 2 + below(2); ++i) {
      Bounds own;
      const uint32_t end = add_series(from, depth - 1, own);
      arcs.push_back({.from = end, .kind = ReplayArc::Kind::report});
      last = std::max(last, builder_.at(end));
      longest.lower = std::max(longest.lower, own.lower);
      longest.upper = std::max(longest.upper, own.upper);
    }
    const Duration back = milliseconds(12 * below(50));
    took.lower += longest.lower + back;
    took.upper += longest.upper + back;
    return builder_.add(last + back, 0, arcs, builder_.add({.kind = ReplayStep::Kind::wait}));
  }

  uint32_t add_series(uint32_t from, int depth, Bounds& took) {
    for (uint32_t i = 0; i < 2 + below(3); ++i) {
      const uint32_t what = below(depth > 0 ? 3 : 2);
      from = what == 0   ? add_tool(from, took)
             : what == 1 ? add_unknown(from, took)
                         : add_parallel(from, depth, took);
    }
    return from;
  }

  std::mt19937 random_;  // the same numbers on every machine
  const ReplayChange change_;
  ReplayBuilder builder_{replay};
};

ReplayChange change_of(ReplayChange::Kind kind, double factor) {
  ReplayChange change;
  change.kind = kind;
  change.target = ReplayChange::Target::tool;
  change.name = "Build";
  change.factor = factor;
  return change;
}

}  // namespace

TEST_CASE("a replay without a change gives the recorded times to the nanosecond") {
  for (uint32_t seed = 0; seed < 200; ++seed) {
    const MadeRun run(seed, change_of(ReplayChange::Kind::speed, 1));
    for (ReplayBound bound : {ReplayBound::lower, ReplayBound::upper})
      CHECK(play(run.replay, {}, bound) == recorded_times(run.replay));
  }
}

TEST_CASE("two replays bound a run in series and in parallel exactly") {
  for (uint32_t seed = 0; seed < 200; ++seed)
    for (const ReplayChange& change :
         {change_of(ReplayChange::Kind::speed, 3), change_of(ReplayChange::Kind::remove, 1)}) {
      const MadeRun run(seed, change);
      const ReplayEffects effects = effects_of(run.replay, {change});
      CHECK(wall_time(run.replay, play(run.replay, effects, ReplayBound::lower)) ==
            run.truth.lower);
      CHECK(wall_time(run.replay, play(run.replay, effects, ReplayBound::upper)) ==
            run.truth.upper);
    }
}

TEST_CASE("the parts of a critical path add up to the wall time, with a change or without") {
  for (uint32_t seed = 0; seed < 200; ++seed) {
    const ReplayChange change = change_of(ReplayChange::Kind::speed, 3);
    const MadeRun run(seed, change);
    for (const std::vector<ReplayChange>& changes : {std::vector<ReplayChange>{}, {change}}) {
      const ReplayEffects effects = effects_of(run.replay, changes);
      const std::vector<Time> times = play(run.replay, effects, ReplayBound::upper);
      Duration sum{0};
      for (const ReplayPath& path : find_paths(run.replay, effects, times).of_run)
        for (Duration part : path.times) sum += part;
      CHECK(sum == wall_time(run.replay, times));
    }
  }
}

TEST_CASE("an end that is later by its slack moves nothing, and by more it does") {
  Replay replay;
  ReplayBuilder builder(replay);
  const Time start{std::chrono::hours(1)};
  builder.add_origins(std::span(&start, 1));
  const uint32_t origin = ReplayBuilder::origin_of(0);
  const uint32_t step = builder.add({.part = PathPart::model});
  const uint32_t first = builder.add_work(origin, start + milliseconds(30), step);
  builder.add_node({.start = origin, .end = first, .step = step});
  const uint32_t other = builder.add({.part = PathPart::model});
  const uint32_t begun = builder.add_work(origin, start, ReplayStep::kNone);
  const uint32_t second = builder.add_work(begun, start + milliseconds(100), other);
  builder.add_node({.start = begun, .end = second, .step = other});
  CHECK(find_slack(replay) == std::vector<Duration>{milliseconds(70), milliseconds(0)});
}

TEST_CASE("a tool that is removed takes all with it that happened within it") {
  Replay replay;
  ReplayBuilder builder(replay);
  const uint32_t task = builder.add({.kind = ReplayStep::Kind::tool_use, .tool = "Task"});
  const uint32_t agent = builder.add({.kind = ReplayStep::Kind::agent, .within = task});
  builder.add({.part = PathPart::model, .within = agent});
  ReplayChange change = change_of(ReplayChange::Kind::remove, 1);
  change.name = "Task";
  for (const ReplayEffect& effect : effects_of(replay, {change}).of_step) CHECK(effect.is_removed);
}
