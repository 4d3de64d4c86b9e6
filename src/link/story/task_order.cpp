#include "link/story/task_order.h"

#include <algorithm>
#include <iterator>
#include <set>
#include <unordered_map>

namespace xtrace {

namespace {

constexpr size_t kMostTold = 5;  // of what might have been it instead

/// Names those that might have been it instead, the likeliest first. A call and its span are one
/// step, so that two rivals may be one.
void add_rivals(const std::vector<uint32_t>& others, double confidence, TaskEdge& edge) {
  for (size_t i = 0; i < std::min(others.size(), kMostTold); ++i) {
    const uint32_t from = others[others.size() - 1 - i];
    const auto is_same = [&](const Rival<uint32_t>& known) { return known.from == from; };
    if (from == edge.from || from == edge.to || std::ranges::any_of(edge.rivals, is_same)) continue;
    edge.rivals.push_back({from, confidence});
  }
}

class TaskOrderFinder {
 public:
  explicit TaskOrderFinder(std::vector<TaskPlace> places) : places_(std::move(places)) {}

  TaskOrder find() {
    if (std::ranges::any_of(places_, &TaskPlace::reacts)) add_reactions();
    add_order();
    return std::move(found_);
  }

 private:
  /// An event that names no trigger, but is of a kind that answers to something, came of the step
  /// of its task that failed and ended last before it; an escalation also of an earlier reaction.
  /// That is a guess: the more steps it may have been, the less sure.
  void add_reactions() {
    std::unordered_map<uint32_t, Triggers> of_task;
    for (uint32_t i = 0; i < places_.size(); ++i) {
      const TaskPlace& place = places_[i];
      if (!place.failed && !place.reacts) continue;
      Triggers& before = of_task[place.task];
      if (place.reacts) react(i, before);
      if (place.failed) before.failed.emplace(place.end, i);
      before.all.emplace(place.end, i);
    }
  }

  /// What may have set off a reaction, by when it ended.
  struct Triggers {
    std::set<std::pair<Time, uint32_t>> failed, all;
  };

  void react(uint32_t at, const Triggers& before) {
    constexpr double kAlone = 0.9, kOfSeveral = 0.8;  // shared out among those that fit
    TaskPlace& place = places_[at];
    const auto& ends = place.relation == Relation::escalated ? before.all : before.failed;
    const auto open = ends.upper_bound({place.start, UINT32_MAX});
    const size_t fitting = ends.size() - static_cast<size_t>(std::distance(open, ends.end()));
    if (fitting == 0) return;
    auto one = std::prev(open);
    const uint32_t last = one->second;
    std::vector<uint32_t> others;  // the likeliest last
    while (one != ends.begin() && others.size() < kMostTold) others.push_back((--one)->second);
    std::reverse(others.begin(), others.end());
    // The last one is as likely as all others together.
    const double share = kOfSeveral / 2 / static_cast<double>(fitting);
    TaskEdge edge{{last, at, Rule::task_order},
                  place.relation,
                  fitting == 1 ? kAlone : kOfSeveral / 2 + share};
    add_rivals(others, share, edge);
    found_.edges.push_back(std::move(edge));
    if (place.is_top) {
      found_.beside.emplace_back(at, last);
      place.is_top = places_[last].is_top;
    }
    place.is_led_to = true;
    places_[last].leads_on |= place.is_top && places_[last].is_top;
  }

  /// Within a task that the log names, what nothing else leads to comes after what ended last
  /// before it, of what nothing is around. How sure that is depends on how many ends lay open.
  void add_order() {
    constexpr size_t kMostOpen = 64;
    std::unordered_map<uint32_t, std::vector<uint32_t>> open;  // by task: what led to nothing yet
    for (uint32_t i = 0; i < places_.size(); ++i) {
      const TaskPlace& place = places_[i];
      if (!place.is_explicit || place.start == kNoTime || !place.is_top || place.is_graph_node)
        continue;
      std::vector<uint32_t>& ends = open[place.task];
      if (!place.is_led_to && !ends.empty()) follow_last(i, ends);
      if (place.leads_on) continue;
      if (ends.size() == kMostOpen) ends.erase(ends.begin());
      ends.push_back(i);
    }
  }

  void follow_last(uint32_t at, std::vector<uint32_t>& ends) {
    const TaskPlace& place = places_[at];
    auto last = std::max_element(ends.begin(), ends.end(), [&](uint32_t a, uint32_t b) {
      return places_[a].end < places_[b].end;
    });
    // No event names what set it off by coming after it.
    constexpr double kSurest = 0.9;
    const double share = 1.0 / static_cast<double>(ends.size());
    TaskEdge edge{{*last, at, Rule::task_order},
                  place.is_event ? place.relation : Relation::next_step,
                  place.is_event ? std::min(share, kSurest) : share};
    ends.erase(last);
    add_rivals(ends, share, edge);
    found_.edges.push_back(std::move(edge));
  }

  std::vector<TaskPlace> places_;
  TaskOrder found_;
};

}  // namespace

TaskOrder order_tasks(std::vector<TaskPlace> places) {
  return TaskOrderFinder(std::move(places)).find();
}

}  // namespace xtrace
