#include "view/hops/hop_fold.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <tuple>

#include "view/common/words.h"

namespace xtrace {

namespace {

/// A longer list is read no more than a count.
constexpr size_t kLongestList = 8;

bool is_doubtful(const Hop& hop) {
  return hop.cause && !is_sure(hop.confidence);
}

/// Did it fail, or begin and never end?
bool stands_out(const Hop& hop) {
  return hop.outcome == Outcome::error || hop.outcome == Outcome::unfinished;
}

/// What two spans must share to share a box: their words, how they ended and whether they are in
/// doubt.
class Likeness {
 public:
  Likeness(const HopScene& scene, const Effects& effects, const std::vector<std::string>& words,
           bool with_effects)
      : likeness_(scene.hops.all.size()) {
    std::map<std::tuple<std::string_view, Outcome, bool, std::vector<uint32_t>>, uint32_t> known;
    for (HopId id : causes_last(scene, effects)) {
      const Hop& hop = scene.hops[id];
      std::vector<uint32_t> below;
      if (with_effects)
        for (HopId effect : effects.of(id.index)) below.push_back(likeness_[effect.index]);
      likeness_[id.index] = known
                                .emplace(std::tuple(std::string_view(words[id.index]), hop.outcome,
                                                    is_doubtful(hop), std::move(below)),
                                         static_cast<uint32_t>(known.size()))
                                .first->second;
    }
  }

  uint32_t of(HopId id) const { return likeness_[id.index]; }

 private:
  /// Without recursion: a chain may be as long as the input.
  static std::vector<HopId> causes_last(const HopScene& scene, const Effects& effects) {
    std::vector<HopId> order;
    for (size_t i = 0; i < scene.hops.all.size(); ++i)
      if (HopId id(i); scene.selection.shows(id) && !scene.selection.shows_cause_of(id))
        order.push_back(id);
    for (size_t i = 0; i < order.size(); ++i)
      for (HopId effect : effects.of(order[i].index)) order.push_back(effect);
    std::reverse(order.begin(), order.end());
    return order;
  }

  std::vector<uint32_t> likeness_;
};

class Folder {
 public:
  Folder(const HopScene& scene, HopFolding folding, std::vector<HopBoxes::Box>& boxes)
      : scene_(scene), folding_(folding), boxes_(boxes), effects_(effects_in(scene)) {}

  void add_all(const std::vector<std::string>& words) {
    Likeness likeness(scene_, effects_, words, folding_ == HopFolding::equal);
    std::vector<HopId> roots;
    for (size_t i = 0; i < scene_.hops.all.size(); ++i)
      if (HopId id(i); scene_.selection.shows(id) && !scene_.selection.shows_cause_of(id))
        roots.push_back(id);
    add_beside(roots, HopBoxes::kNone, likeness);
    for (uint32_t at = 0; at < boxes_.size(); ++at) {
      std::vector<HopId> below;
      for (HopId id : boxes_[at].hops)
        below.insert(below.end(), effects_.of(id.index).begin(), effects_.of(id.index).end());
      if (folding_ >= HopFolding::calls) below = over_work(std::move(below), boxes_[at].within);
      add_beside(below, at, likeness);
    }
    if (folding_ >= HopFolding::lists) list_leaves();
    if (folding_ >= HopFolding::chains) list_chains();
    add_up();
  }

 private:
  /// Boxes for what one box led to.
  void add_beside(const std::vector<HopId>& hops, uint32_t parent, const Likeness& likeness) {
    std::map<uint32_t, uint32_t> places;
    for (HopId id : hops) {
      auto [place, is_new] = places.emplace(likeness.of(id), static_cast<uint32_t>(boxes_.size()));
      if (is_new || folding_ == HopFolding::none) boxes_.push_back({.parent = parent});
      boxes_[folding_ == HopFolding::none ? boxes_.size() - 1 : place->second].hops.push_back(id);
    }
  }

  /// `hops` with what routine work led to in place of that work, which goes `within`.
  std::vector<HopId> over_work(std::vector<HopId> hops, std::vector<HopId>& within) const {
    std::vector<HopId> kept;
    for (size_t i = 0; i < hops.size(); ++i) {
      const Hop& hop = scene_.hops[hops[i]];
      const GenAi& told = row_or_empty(scene_.question.graph.trace(), scene_.span(hop).gen_ai);
      bool stays = hop.is_call() || stands_out(hop) || is_doubtful(hop) || told.model;
      (stays ? kept : within).push_back(hops[i]);
      if (stays) continue;
      std::span<const HopId> effects = effects_.of(hops[i].index);
      hops.insert(hops.end(), effects.begin(), effects.end());
    }
    std::sort(kept.begin(), kept.end(), [&](HopId a, HopId b) {
      return std::pair(scene_.hops[a].start, a.index) < std::pair(scene_.hops[b].start, b.index);
    });
    return kept;
  }

  void add_up() {
    auto failed = [&](const HopBoxes::Box& box) {
      return static_cast<size_t>(std::count_if(box.hops.begin(), box.hops.end(), [&](HopId id) {
        return scene_.hops[id].outcome == Outcome::error;
      }));
    };
    for (HopBoxes::Box& box : boxes_) {
      box.own = box.hops.size() + box.within.size();
      for (uint32_t line : box.listed)
        box.own += boxes_[line].hops.size() + boxes_[line].within.size();
    }
    for (size_t at = boxes_.size(); at-- > 0;) {
      const HopBoxes::Box& box = boxes_[at];
      if (box.is_listed || box.parent == HopBoxes::kNone) continue;
      boxes_[box.parent].below += box.own + box.below;
      boxes_[box.parent].failed_below += failed(box) + box.failed_below;
    }
  }

  bool is_routine(const HopBoxes::Box& box) const {
    const Hop& first = scene_.hops[box.hops.front()];
    return !stands_out(first) && !is_doubtful(first);
  }
  /// Do they look alike in a picture?
  bool are_of_a_kind(const HopBoxes::Box& a, const HopBoxes::Box& b) const {
    auto type = [&](const HopBoxes::Box& box) {
      ActorId to = scene_.hops[box.hops.front()].to;
      return to ? static_cast<int>(scene_.hops[to].type) : -1;
    };
    return type(a) == type(b);
  }

  void list(uint32_t at, uint32_t on) {
    boxes_[at].is_listed = true;
    boxes_[on].listed.push_back(at);
    boxes_[on].listed.insert(boxes_[on].listed.end(), boxes_[at].listed.begin(),
                             boxes_[at].listed.end());
    boxes_[at].listed.clear();
  }

  std::vector<uint32_t> count_children() const {
    std::vector<uint32_t> children(boxes_.size());
    for (const HopBoxes::Box& box : boxes_)
      if (!box.is_listed && box.parent != HopBoxes::kNone) ++children[box.parent];
    return children;
  }

  void list_leaves() {
    std::vector<uint32_t> children = count_children();
    std::map<uint32_t, std::vector<uint32_t>> lists;  // of boxes below one parent, by parent
    for (uint32_t at = 0; at < boxes_.size(); ++at) {
      if (children[at] > 0 || !is_routine(boxes_[at])) continue;
      std::vector<uint32_t>& known = lists[boxes_[at].parent];
      auto same = std::find_if(known.begin(), known.end(), [&](uint32_t other) {
        return are_of_a_kind(boxes_[other], boxes_[at]);
      });
      if (same == known.end())
        known.push_back(at);
      else
        list(at, *same);
    }
  }

  void list_chains() {
    std::vector<uint32_t> children = count_children();
    std::vector<uint32_t> home(boxes_.size());
    std::iota(home.begin(), home.end(), 0u);
    for (uint32_t at = 0; at < boxes_.size(); ++at) {
      HopBoxes::Box& box = boxes_[at];
      if (box.is_listed || box.parent == HopBoxes::kNone) continue;
      uint32_t on = home[box.parent];
      bool joins = box.listed.empty() && children[box.parent] == 1 && is_routine(box) &&
                   is_routine(boxes_[on]) && are_of_a_kind(box, boxes_[on]) &&
                   box.hops.size() == boxes_[on].hops.size() &&
                   boxes_[on].listed.size() + 1 < kLongestList;
      box.parent = on;
      if (!joins) continue;
      home[at] = on;
      boxes_[on].is_chain = true;
      list(at, on);
    }
  }

  const HopScene& scene_;
  HopFolding folding_;
  std::vector<HopBoxes::Box>& boxes_;
  Effects effects_;
};

}  // namespace

HopBoxes::HopBoxes(const HopScene& scene, const std::vector<std::string>& words,
                   HopFolding folding) {
  Folder(scene, folding, boxes).add_all(words);
}

}  // namespace xtrace
