#include "view/story/story_fold.h"

#include <algorithm>
#include <queue>
#include <span>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "base/hash.h"
#include "link/edge.h"
#include "link/story/nesting.h"

namespace xtrace {

namespace {

constexpr uint32_t kNone = StoryNode::kNone;

class StoryFolder {
 public:
  StoryFolder(const Story& story, const StoryLimits& limits,
              const std::function<bool(const Summary&)>& expanded)
      : story_(story), limits_(limits), expanded_(expanded), nesting_(story) {
    folded_.summary_of.assign(story.nodes.size(), kNone);
    group_.assign(story.nodes.size(), kNone);
    for (const StoryNode& node : story.nodes) newest_ = std::max(newest_, node.end());
  }

  FoldedStory fold() {
    find_fixed();
    find_routine();
    for (const std::vector<uint32_t>& tops : nesting_.tops())
      if (!fold_aged(tops)) fold_below(tops);
    truncate();
    write_summaries();
    folded_.order.assign(nesting_.order().begin(), nesting_.order().end());
    folded_.depth = nesting_.depths();
    return std::move(folded_);
  }

 private:
  /// If an edge leads back in the order, folding the steps between its ends might close a circle.
  void find_fixed() {
    std::vector<int> change(story_.nodes.size() + 1);
    for (const StoryEdge& edge : story_.edges) {
      uint32_t from = nesting_.place(edge.from), to = nesting_.place(edge.to);
      if (from < to) continue;
      ++change[to];
      --change[from + 1];
    }
    fixed_before_.resize(story_.nodes.size() + 1);
    int open = 0;
    for (size_t i = 0; i < story_.nodes.size(); ++i) {
      open += change[i];
      fixed_before_[i + 1] = fixed_before_[i] + (open > 0);
    }
  }
  /// By places in the order.
  bool is_free(uint32_t begin, uint32_t end) const {
    return fixed_before_[begin] == fixed_before_[end];
  }

  bool is_routine(const StoryNode& node) const {
    return node.status == StepStatus::ok && node.latency != kNoDuration &&
           node.latency < limits_.latency && node.cost < limits_.cost && !node.lacks_partner;
  }

  void find_routine() {
    routine_before_.resize(story_.nodes.size() + 1);
    std::span<const uint32_t> order = nesting_.order();
    for (size_t i = 0; i < order.size(); ++i)
      routine_before_[i + 1] = routine_before_[i] + is_routine(story_.nodes[order[i]]);
  }
  bool is_all_routine(uint32_t node) const {
    uint32_t begin = nesting_.place(node), end = nesting_.end(node);
    return routine_before_[end] - routine_before_[begin] == end - begin && is_free(begin, end);
  }

  void group(uint32_t begin, uint32_t end, Summary::Why why) {
    if (end - begin < 2) return;
    for (uint32_t i = begin; i < end; ++i)
      group_[nesting_.order()[i]] = static_cast<uint32_t>(whys_.size());
    whys_.push_back(why);
  }

  /// A part of the story that is over for long is one; `tops` are its outermost nodes.
  bool fold_aged(const std::vector<uint32_t>& tops) {
    if (limits_.age == kNoDuration) return false;
    uint32_t begin = nesting_.place(tops.front()), end = nesting_.end(tops.back());
    Time last = kNoTime;
    for (uint32_t i = begin; i < end; ++i)
      last = std::max(last, story_.nodes[nesting_.order()[i]].end());
    if (last == kNoTime || after(last, limits_.age) >= newest_) return false;
    group(begin, end, Summary::Why::aged);
    return true;
  }

  /// Is it over for long, with all that is below it?
  bool is_all_aged(uint32_t node) const {
    if (limits_.age == kNoDuration) return false;
    uint32_t begin = nesting_.place(node), end = nesting_.end(node);
    for (uint32_t i = begin; i < end; ++i) {
      Time over = story_.nodes[nesting_.order()[i]].end();
      if (over == kNoTime || after(over, limits_.age) >= newest_) return false;
    }
    return is_free(begin, end);
  }

  /// Runs of steps side by side that are routine with all below them fold into one; so do those
  /// that are over for long, in a task that goes on.
  void fold_below(const std::vector<uint32_t>& tops) {
    std::vector<std::span<const uint32_t>> open = {tops};
    while (!open.empty()) {
      const std::span<const uint32_t> beside = open.back();
      open.pop_back();
      for (size_t i = 0; i < beside.size();) {
        auto end_of_run = [&](auto fits) {
          size_t end = i;
          while (end < beside.size() && fits(beside[end]) &&
                 story_.nodes[beside[end]].task == story_.nodes[beside[i]].task)
            ++end;
          return end;
        };
        size_t aged = end_of_run([&](uint32_t node) { return is_all_aged(node); });
        size_t routine = end_of_run([&](uint32_t node) { return is_all_routine(node); });
        if (size_t end = std::max(aged, routine); end > i) {
          group(nesting_.place(beside[i]), nesting_.end(beside[end - 1]),
                aged >= routine ? Summary::Why::aged : Summary::Why::routine);
          i = end;
          continue;
        }
        uint32_t begin = nesting_.place(beside[i]) + 1, last = nesting_.end(beside[i]);
        if (nesting_.depth(beside[i]) >= limits_.depth && is_free(begin, last))
          group(begin, last, Summary::Why::depth);
        else
          open.push_back(nesting_.below(beside[i]));
        ++i;
      }
    }
  }

  /// What is not part of a group so far: a node, or all of a group.
  struct Item {
    uint32_t first;  ///< of its nodes, in the order of the story
    uint32_t task;   ///< index into tasks_
    bool matters;    ///< something in it went wrong
  };
  struct Task {
    uint32_t first;  ///< of its nodes
    int64_t excess = 0;
  };

  /// Where no task is named, what hangs together is one.
  void find_tasks() {
    tasks_of_.resize(story_.nodes.size());
    std::unordered_map<uint64_t, uint32_t> known;
    uint64_t before = 0;
    for (uint32_t i = 0; i < story_.nodes.size(); ++i) {
      const StoryNode& node = story_.nodes[i];
      const uint64_t task = node.task ? node.task.index : pair_of(node.part, UINT32_MAX);
      if (task == std::exchange(before, task) && i > 0) {  // mostly
        tasks_of_[i] = tasks_of_[i - 1];
        continue;
      }
      tasks_of_[i] = known.try_emplace(task, static_cast<uint32_t>(tasks_.size())).first->second;
      if (tasks_of_[i] == tasks_.size()) tasks_.push_back({i});
    }
  }

  std::vector<Item> items(std::vector<uint32_t>& item_of) const {
    std::vector<Item> items;
    std::vector<uint32_t> of_group(whys_.size(), kNone);
    item_of.resize(story_.nodes.size());
    for (uint32_t node : nesting_.order()) {
      uint32_t at = group_[node] == kNone ? kNone : of_group[group_[node]];
      if (at == kNone) {
        at = static_cast<uint32_t>(items.size());
        items.push_back({node, tasks_of_[node], false});
        if (group_[node] != kNone) of_group[group_[node]] = at;
      }
      items[at].matters |= story_.nodes[node].status != StepStatus::ok;
      item_of[node] = at;
    }
    return items;
  }

  /// The items one after another, causes first: part by part, and as far as possible task by task
  /// and by time. Items in a circle are left out.
  std::vector<uint32_t> in_line(const std::vector<Item>& items,
                                const std::vector<uint32_t>& item_of) const {
    const auto leads_out = [&](const StoryEdge& edge) {
      return item_of[edge.from] != item_of[edge.to];
    };
    const EdgeIndex<> effects(items.size(), story_.edges.size(), [&](uint32_t i) {
      return leads_out(story_.edges[i]) ? item_of[story_.edges[i].from] : kNone;
    });
    std::vector<uint32_t> causes(items.size());
    for (const StoryEdge& edge : story_.edges) causes[item_of[edge.to]] += leads_out(edge);
    using Place = std::tuple<uint32_t, uint32_t, uint32_t, uint32_t>;
    std::priority_queue<Place, std::vector<Place>, std::greater<>> open;
    auto put = [&](uint32_t item) {
      const uint32_t node = items[item].first;
      open.emplace(story_.nodes[node].part, tasks_[items[item].task].first, node, item);
    };
    for (uint32_t i = 0; i < items.size(); ++i)
      if (causes[i] == 0) put(i);
    std::vector<uint32_t> line;
    line.reserve(items.size());
    while (!open.empty()) {
      uint32_t item = std::get<3>(open.top());
      open.pop();
      line.push_back(item);
      for (uint32_t edge : effects.of(item))
        if (const uint32_t effect = item_of[story_.edges[edge].to]; --causes[effect] == 0)
          put(effect);
    }
    return line;
  }

  /// Of each task with too many, the oldest fold, first those that went well. Neighbours in an
  /// order in which causes come first can be merged without closing a circle.
  void truncate() {
    if (limits_.nodes < 1) return;
    find_tasks();
    for (bool spares_errors : {true, false}) {
      std::vector<uint32_t> item_of;
      const std::vector<Item> all = items(item_of);
      for (Task& task : tasks_) task.excess = -limits_.nodes;
      for (const Item& item : all) ++tasks_[item.task].excess;
      if (std::ranges::all_of(tasks_, [](const Task& task) { return task.excess <= 0; })) return;
      std::vector<uint32_t> group_of(all.size(), kNone);
      const std::vector<uint32_t> line = in_line(all, item_of);
      for (size_t i = 0; i < line.size();) {
        const uint32_t task = all[line[i]].task;
        int64_t& over = tasks_[task].excess;
        size_t end = i;
        while (end < line.size() && all[line[end]].task == task && over > 0 &&
               static_cast<int64_t>(end - i) <= over && !(spares_errors && all[line[end]].matters))
          ++end;
        if (end - i > 1) {
          over -= static_cast<int64_t>(end - i) - 1;
          for (size_t at = i; at < end; ++at)
            group_of[line[at]] = static_cast<uint32_t>(whys_.size());
          whys_.push_back(Summary::Why::truncated);
        }
        i = std::max(end, i + 1);
      }
      for (uint32_t node = 0; node < group_.size(); ++node)
        if (const uint32_t group = group_of[item_of[node]]; group != kNone) group_[node] = group;
    }
  }

  void write_summaries() {
    std::vector<uint32_t> number(whys_.size(), kNone);  // by group
    for (uint32_t node : nesting_.order()) {
      if (group_[node] == kNone) continue;
      uint32_t& known = number[group_[node]];
      if (known == kNone) {
        known = static_cast<uint32_t>(folded_.summaries.size());
        folded_.summaries.push_back({whys_[group_[node]], node, {}});
      }
      folded_.summaries[known].members.push_back(node);
    }
    std::erase_if(folded_.summaries, expanded_);
    for (uint32_t i = 0; i < folded_.summaries.size(); ++i)
      for (uint32_t member : folded_.summaries[i].members) folded_.summary_of[member] = i;
    add_edges();
  }

  uint32_t shown_for(uint32_t node) const {
    uint32_t summary = folded_.summary_of[node];
    return summary == kNone ? node : folded_.summaries[summary].first;
  }

  /// Of several edges between two nodes the most telling one stays, and the surest.
  void add_edges() {
    struct Shown {
      uint32_t from, to;
      const StoryEdge* edge;
    };
    std::vector<Shown> shown;
    for (const StoryEdge& edge : story_.edges)
      if (const Shown one{shown_for(edge.from), shown_for(edge.to), &edge}; one.from != one.to)
        shown.push_back(one);
    std::ranges::sort(shown, [](const Shown& a, const Shown& b) {
      return std::tuple(a.from, a.to, b.edge->relation, b.edge->confidence, a.edge->hidden,
                        a.edge->from, a.edge->to) < std::tuple(b.from, b.to, a.edge->relation,
                                                               a.edge->confidence, b.edge->hidden,
                                                               b.edge->from, b.edge->to);
    });
    const auto last = std::unique(shown.begin(), shown.end(), [](const Shown& a, const Shown& b) {
      return a.from == b.from && a.to == b.to;
    });
    shown.erase(last, shown.end());
    folded_.edges.reserve(shown.size());
    for (const Shown& one : shown) {
      const bool is_moved =
          folded_.summary_of[one.edge->from] != kNone || folded_.summary_of[one.edge->to] != kNone;
      const StoryEdge& edge = *one.edge;
      if (is_moved)
        folded_.edges.push_back(
            {{one.from, one.to, edge.rule}, edge.relation, edge.confidence, {}, edge.hidden});
      else
        folded_.edges.push_back(edge);
    }
  }

  const Story& story_;
  const StoryLimits& limits_;
  const std::function<bool(const Summary&)>& expanded_;
  Nesting nesting_;
  FoldedStory folded_;
  Time newest_ = kNoTime;
  std::vector<uint32_t> group_;  ///< by node: index into whys_
  std::vector<Summary::Why> whys_;
  std::vector<Task> tasks_;
  std::vector<uint32_t> tasks_of_;                       ///< by node
  std::vector<uint32_t> fixed_before_, routine_before_;  ///< by place: how many are before it
};

}  // namespace

FoldedStory fold(const Story& story, const StoryLimits& limits,
                 const std::function<bool(const Summary&)>& expanded) {
  return StoryFolder(story, limits, expanded).fold();
}

FoldedStory unfolded(const Story& story) {
  FoldedStory folded;
  folded.summary_of.assign(story.nodes.size(), kNone);
  folded.edges = story.edges;
  Nesting nesting(story);
  folded.order.assign(nesting.order().begin(), nesting.order().end());
  folded.depth = nesting.depths();
  return folded;
}

}  // namespace xtrace
