#include <algorithm>
#include <numeric>
#include <unordered_map>

#include "render/chart/chart.h"

namespace xtrace {

namespace {

/// More calls of one agent at once than this share rows: nobody can distinguish so many.
constexpr uint32_t kMostRows = 12;

uint64_t key_of(const Chart::Mark& mark) {
  return uint64_t{mark.is_old} << 63 | uint64_t{mark.session.index} << 32 | mark.agent.index;
}

/// A lane for each agent of each session, in the order of their first marks; marks know theirs.
void find_lanes(Chart& chart) {
  std::unordered_map<uint64_t, uint32_t> lane_of;
  for (Chart::Mark& mark : chart.marks) {
    auto [found, is_new] = lane_of.emplace(key_of(mark), static_cast<uint32_t>(chart.lanes.size()));
    mark.lane = found->second;
    if (!is_new) continue;
    chart.lanes.push_back({mark.agent, mark.agent_type, mark.session});
    chart.lanes.back().is_old = mark.is_old;
    if (mark.parent != Chart::kNone && chart.marks[mark.parent].lane != mark.lane)
      chart.lanes.back().above = chart.marks[mark.parent].lane;
  }
}

/// Lanes below those that started them, else by when they began; those of the older run first.
std::vector<uint32_t> order_of(const Chart& chart) {
  std::vector<int64_t> begin(chart.lanes.size(), INT64_MAX);
  for (const Chart::Mark& mark : chart.marks)
    if (mark.is_timed()) begin[mark.lane] = std::min(begin[mark.lane], mark.start_us);
  std::vector<uint32_t> by_begin(chart.lanes.size()), stack, order;
  std::iota(by_begin.begin(), by_begin.end(), 0);
  std::stable_sort(by_begin.begin(), by_begin.end(), [&](uint32_t a, uint32_t b) {
    const bool a_is_old = chart.lanes[a].is_old, b_is_old = chart.lanes[b].is_old;
    return a_is_old != b_is_old ? a_is_old : begin[a] < begin[b];
  });
  std::vector<std::vector<uint32_t>> below(chart.lanes.size());
  for (auto i = by_begin.rbegin(); i != by_begin.rend(); ++i)
    (chart.lanes[*i].above == Chart::kNone ? stack : below[chart.lanes[*i].above]).push_back(*i);
  while (!stack.empty()) {
    const uint32_t lane = stack.back();
    stack.pop_back();
    order.push_back(lane);
    stack.insert(stack.end(), below[lane].begin(), below[lane].end());
  }
  return order;
}

void order_lanes(Chart& chart) {
  const std::vector<uint32_t> order = order_of(chart);
  std::vector<uint32_t> place(order.size());
  for (uint32_t i = 0; i < order.size(); ++i) place[order[i]] = i;
  std::vector<Chart::Lane> lanes;
  for (uint32_t i : order) {
    lanes.push_back(chart.lanes[i]);
    if (lanes.back().above != Chart::kNone) lanes.back().above = place[lanes.back().above];
  }
  chart.lanes = std::move(lanes);
  for (Chart::Mark& mark : chart.marks) mark.lane = place[mark.lane];
}

/// Each mark in the first row of its lane that is free when it starts.
void find_rows(Chart& chart) {
  std::vector<uint32_t> by_start;
  for (uint32_t i = 0; i < chart.marks.size(); ++i)
    if (chart.marks[i].is_timed()) by_start.push_back(i);
  std::stable_sort(by_start.begin(), by_start.end(), [&](uint32_t a, uint32_t b) {
    return chart.marks[a].start_us < chart.marks[b].start_us;
  });
  std::vector<std::vector<int64_t>> taken_until(chart.lanes.size());
  for (uint32_t i : by_start) {
    Chart::Mark& mark = chart.marks[i];
    std::vector<int64_t>& rows = taken_until[mark.lane];
    const auto free = std::find_if(rows.begin(), rows.end(),
                                   [&](int64_t until) { return until <= mark.start_us; });
    mark.row = static_cast<uint8_t>(free - rows.begin());
    if (free == rows.end()) {
      if (rows.size() < kMostRows)
        rows.push_back(INT64_MIN);
      else
        mark.row = kMostRows - 1;
    }
    rows[mark.row] = std::max(rows[mark.row], mark.end_us());
  }
  for (size_t i = 0; i < chart.lanes.size(); ++i)
    chart.lanes[i].rows = std::max(1U, static_cast<uint32_t>(taken_until[i].size()));
}

}  // namespace

void lay_lanes(Chart& chart) {
  find_lanes(chart);
  order_lanes(chart);
  find_rows(chart);
}

}  // namespace xtrace
