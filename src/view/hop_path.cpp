#include "view/hop_path.h"

#include <algorithm>

#include "view/effects.h"

namespace xtrace {

namespace {

class Paths {
 public:
  explicit Paths(const HopScene& scene) : scene_(scene), effects_(scene) {
    path_.of.resize(scene.hops.all.size());
    is_on_own_.resize(path_.of.size());
  }

  HopPath find() && {
    for (const Run& run : scene_.hops.runs) measure(run);
    for (HopId id : longest_) {
      path_.of[id.index].is_on_path = true;
      ++path_.hops;
    }
    return std::move(path_);
  }

 private:
  const Hop& hop(HopId id) const { return scene_.hops[id]; }
  bool is_timed(HopId id) const {
    return hop(id).start != kNoTime && hop(id).duration > Duration{0};
  }

  void measure(const Run& run) {
    std::vector<HopId> open, on_path;
    for (HopId id : run.hops)
      if (scene_.selection.shows(id) && !scene_.selection.shows_cause_of(id)) open.push_back(id);
    choose(open, Duration{0}, true);
    Duration took{0};
    while (!open.empty()) {  // runs may be as deep as the input is long
      HopId id = open.back();
      open.pop_back();
      std::span<const HopId> below = effects_.of(id);
      HopPath::Of& of = path_.of[id.index];
      of.is_leaf = below.empty();
      choose(below, of.slack == kNoDuration ? Duration{0} : of.slack, is_on_own_[id.index]);
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
  void choose(std::span<const HopId> below, Duration slack, bool is_on_path) {
    std::vector<HopId> timed;
    std::copy_if(below.begin(), below.end(), std::back_inserter(timed),
                 [&](HopId id) { return is_timed(id); });
    std::stable_sort(timed.begin(), timed.end(),
                     [&](HopId a, HopId b) { return hop(a).end() > hop(b).end(); });
    HopId last;
    for (HopId id : timed) {
      HopPath::Of& of = path_.of[id.index];
      bool is_waited_for = !last || hop(id).end() <= hop(last).start;
      of.slack = is_waited_for ? slack : plus(slack, elapsed(hop(id).end(), hop(last).end()));
      if (!is_waited_for) continue;
      is_on_own_[id.index] = is_on_path;
      last = id;
    }
  }

  /// How much of it none of those on the path below it went on.
  Duration alone(HopId id, std::span<const HopId> below) const {
    Duration own = hop(id).duration;
    for (HopId child : below) {
      if (!is_on_own_[child.index]) continue;
      Time start = std::max(hop(id).start, hop(child).start);
      Time end = std::min(hop(id).end(), hop(child).end());
      if (end > start) own -= elapsed(start, end);
    }
    return std::max(own, Duration{0});
  }

  const HopScene& scene_;
  Effects effects_;
  HopPath path_;
  std::vector<bool> is_on_own_;  ///< on the path of its own run
  std::vector<HopId> longest_;
};

}  // namespace

HopPath critical_path(const HopScene& scene) {
  return Paths(scene).find();
}

}  // namespace xtrace
