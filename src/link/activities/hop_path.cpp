#include "link/activities/hop_path.h"

#include <algorithm>

#include "base/time_range.h"

namespace xtrace {

namespace {

class CriticalPathFinder {
 public:
  CriticalPathFinder(const Hops& hops, const ShownHops& shown) : hops_(hops), shown_(shown) {
    path_.of.resize(hops.all.size());
    is_on_own_.resize(path_.of.size());
    below_.resize(path_.of.size());
    within_.resize(path_.of.size());
  }

  HopPath find() && {
    for (const Run& run : hops_.runs) measure(run);
    for (HopId id : longest_) {
      path_.of[id.index].is_on_path = true;
      ++path_.hops;
    }
    return std::move(path_);
  }

 private:
  const Hop& hop(HopId id) const { return hops_[id]; }
  bool is_timed(HopId id) const {
    return hop(id).start != kNoTime && hop(id).duration > Duration{0};
  }

  /// The nearest one above it whose length is known; nowhere: there is none. No more than a
  /// thousand without a length are passed over: a chain of a million would be walked for each of
  /// its hops.
  HopId waiting_for(HopId id) const {
    constexpr int kDeepest = 1000;
    HopId at = id;
    for (int i = 0; i < kDeepest && shown_.shows_cause_of(at); ++i)
      if (at = hop(at).cause; is_timed(at)) return at;
    return {};
  }

  /// The path of one run, kept if it took longer than those before it. From the outside in: what is
  /// below a hop counts only within the hop's own time, as that is how long it can have waited.
  void measure(const Run& run) {
    std::vector<HopId> open, on_path;
    for (HopId id : run.hops) {
      if (!shown_.shows(id)) continue;
      if (shown_.shows_cause_of(id)) path_.of[hop(id).cause.index].is_leaf = false;
      if (!is_timed(id)) continue;
      HopId above = waiting_for(id);
      (above ? below_[above.index] : open).push_back(id);
    }
    for (HopId id : open) within_[id.index] = {hop(id).start, hop(id).end()};
    choose(open, Duration{0}, true);
    Duration took{0};
    while (!open.empty()) {  // runs may be as deep as the input is long
      HopId id = open.back();
      open.pop_back();
      std::vector<HopId>& below = below_[id.index];
      const TimeRange own = within_[id.index];
      for (HopId child : below)
        within_[child.index] = {std::clamp(hop(child).start, own.start, own.end),
                                std::clamp(hop(child).end(), own.start, own.end)};
      HopPath::Of& of = path_.of[id.index];
      choose(below, of.slack, is_on_own_[id.index]);
      open.insert(open.end(), below.begin(), below.end());
      if (!is_on_own_[id.index]) continue;
      of.on_path = alone(id, below);
      took = plus(took, of.on_path);
      on_path.push_back(id);
    }
    if (took <= path_.took) return;
    path_.took = took;
    longest_ = std::move(on_path);
  }

  /// Of hops that one waits for, those that it had to wait for.
  void choose(std::vector<HopId> timed, Duration slack, bool is_on_path) {
    std::stable_sort(timed.begin(), timed.end(),
                     [&](HopId a, HopId b) { return within_[a.index].end > within_[b.index].end; });
    HopId last;
    for (HopId id : timed) {
      HopPath::Of& of = path_.of[id.index];
      bool is_waited_for = !last || within_[id.index].end <= within_[last.index].start;
      of.slack = is_waited_for
                     ? slack
                     : plus(slack, elapsed(within_[id.index].end, within_[last.index].end));
      if (!is_waited_for) continue;
      is_on_own_[id.index] = is_on_path;
      last = id;
    }
  }

  /// How much of it none of those on the path below it went on.
  Duration alone(HopId id, const std::vector<HopId>& below) const {
    auto length = [&](HopId of) { return within_[of.index].end - within_[of.index].start; };
    Duration own = length(id);
    for (HopId child : below)
      if (is_on_own_[child.index]) own -= length(child);
    return own;
  }

  const Hops& hops_;
  const ShownHops& shown_;
  HopPath path_;
  std::vector<std::vector<HopId>> below_;  ///< that it waits for, by hop
  std::vector<TimeRange> within_;          ///< when it went on while the one above it did
  std::vector<bool> is_on_own_;            ///< on the path of its own run
  std::vector<HopId> longest_;
};

}  // namespace

HopPath critical_path(const Hops& hops, const ShownHops& shown) {
  return CriticalPathFinder(hops, shown).find();
}

}  // namespace xtrace
