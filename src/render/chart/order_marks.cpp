#include <algorithm>
#include <numeric>

#include "base/walk_up.h"
#include "render/chart/chart.h"

namespace xtrace {

namespace {

/// Marks from top to bottom, by their index in the answer. `first` is the one that each follows in
/// its conversation; empty where none is gathered.
std::vector<uint32_t> pre_order(const std::vector<Chart::Mark>& marks,
                                const std::vector<uint32_t>& first) {
  std::vector<uint32_t> by_time(marks.size());
  std::iota(by_time.begin(), by_time.end(), 0);
  // Those without a time come last. A stable sort keeps the order of the answer between equals.
  std::stable_sort(by_time.begin(), by_time.end(), [&](uint32_t a, uint32_t b) {
    if (marks[a].is_old != marks[b].is_old) return marks[b].is_old;
    if (marks[a].is_timed() != marks[b].is_timed()) return marks[a].is_timed();
    return marks[a].start_us < marks[b].start_us;
  });
  if (!first.empty()) {
    std::vector<uint32_t> place(marks.size());
    for (uint32_t i = 0; i < by_time.size(); ++i) place[by_time[i]] = i;
    std::stable_sort(by_time.begin(), by_time.end(),
                     [&](uint32_t a, uint32_t b) { return place[first[a]] < place[first[b]]; });
  }
  // Lists of children, each from its last to its first, for a stack turns them around.
  std::vector<uint32_t> last_child(marks.size(), Chart::kNone), before(marks.size(), Chart::kNone);
  std::vector<uint32_t> stack, order;
  for (uint32_t i : by_time)
    if (uint32_t parent = marks[i].parent; parent != Chart::kNone) {
      before[i] = last_child[parent];
      last_child[parent] = i;
    }
  for (auto i = by_time.rbegin(); i != by_time.rend(); ++i)
    if (marks[*i].parent == Chart::kNone) stack.push_back(*i);
  order.reserve(marks.size());
  while (!stack.empty()) {
    const uint32_t at = stack.back();
    stack.pop_back();
    order.push_back(at);
    for (uint32_t child = last_child[at]; child != Chart::kNone; child = before[child])
      stack.push_back(child);
  }
  return order;
}

/// Moves each item to its place, circle by circle: a copy of all would be half of the memory that a
/// picture takes.
template <class Item>
void reorder(std::vector<Item>& items, const std::vector<uint32_t>& order) {
  if (items.empty()) return;
  std::vector<bool> is_done(items.size());
  for (uint32_t first = 0; first < items.size(); ++first) {
    if (is_done[first]) continue;
    Item moved = std::move(items[first]);
    uint32_t to = first;
    for (; order[to] != first; to = order[to]) {
      items[to] = std::move(items[order[to]]);
      is_done[to] = true;
    }
    items[to] = std::move(moved);
    is_done[to] = true;
  }
}

void reorder_tools(Chart& chart) {
  std::vector<Chart::Tool> ordered;
  ordered.reserve(chart.tools.size());
  for (Chart::Mark& mark : chart.marks) {
    const uint32_t from = mark.first_tool;
    mark.first_tool = static_cast<uint32_t>(ordered.size());
    for (uint32_t i = from; i < from + mark.tools; ++i) ordered.push_back(chart.tools[i]);
  }
  chart.tools = std::move(ordered);
}

void reorder_arrows(Chart& chart, const std::vector<uint32_t>& place) {
  for (Chart::Arrow& arrow : chart.arrows) {
    arrow.from = place[arrow.from];
    arrow.to = place[arrow.to];
  }
  for (Chart::Rival& rival : chart.rivals)
    if (rival.mark != Chart::kNone) rival.mark = place[rival.mark];
  std::stable_sort(chart.arrows.begin(), chart.arrows.end(),
                   [](const Chart::Arrow& a, const Chart::Arrow& b) {
                     return a.to != b.to ? a.to < b.to : a.from < b.from;
                   });
  std::vector<Chart::Rival> rivals;
  rivals.reserve(chart.rivals.size());
  for (Chart::Arrow& arrow : chart.arrows) {
    const uint32_t from = arrow.first_rival;
    arrow.first_rival = static_cast<uint32_t>(rivals.size());
    for (uint32_t i = from; i < from + chart.link(arrow).rivals; ++i)
      rivals.push_back(chart.rivals[i]);
  }
  chart.rivals = std::move(rivals);
}

}  // namespace

void gather_conversations(Chart& chart) {
  std::vector<Chart::Mark>& marks = chart.marks;
  if (chart.previous.size() != marks.size()) return;
  constexpr uint32_t kUnseen = Chart::kNone;
  std::vector<uint32_t> first(marks.size(), kUnseen), way;
  for (uint32_t i = 0; i < marks.size(); ++i) {
    uint32_t at = i;
    way.clear();
    // Until one that is known, or begins its conversation; that goes round in a circle ends as
    // well.
    while (first[at] == kUnseen && marks[at].parent == Chart::kNone &&
           chart.previous[at] != Chart::kNone) {
      first[at] = at;
      way.push_back(at);
      at = chart.previous[at];
    }
    if (first[at] == kUnseen) first[at] = at;
    const uint32_t begin = first[at], parent = marks[begin].parent;
    if (parent == Chart::kNone) continue;  // in order of time, like all that has no parent
    for (uint32_t follower : way) {
      first[follower] = begin;
      marks[follower].parent = parent;
    }
  }
  chart.begins = std::move(first);
}

void order_marks(Chart& chart) {
  // Logs may say that a is below b and b below a: the first of a circle then is below nothing.
  break_circles(
      chart.marks.size(), [&](size_t i) { return chart.marks[i].parent; },
      [&](size_t i) { chart.marks[i].parent = Chart::kNone; });
  const std::vector<uint32_t> order = pre_order(chart.marks, chart.begins);
  chart.previous = chart.begins = {};
  std::vector<uint32_t> place(order.size());
  for (uint32_t i = 0; i < order.size(); ++i) place[order[i]] = i;
  reorder(chart.marks, order);
  reorder(chart.details, order);
  reorder(chart.asked, order);
  reorder(chart.said, order);
  for (Chart::Mark& mark : chart.marks)
    if (mark.parent != Chart::kNone) mark.parent = place[mark.parent];
  reorder_tools(chart);
  reorder_arrows(chart, place);
}

std::vector<uint32_t> with_all_below(const Chart& chart) {
  std::vector<uint32_t> marks(chart.marks.size(), 1);
  for (size_t i = marks.size(); i-- > 0;)
    if (const uint32_t parent = chart.marks[i].parent; parent != Chart::kNone)
      marks[parent] += marks[i];
  return marks;
}

}  // namespace xtrace
