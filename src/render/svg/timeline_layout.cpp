#include "render/svg/timeline_layout.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <unordered_map>

#include "render/svg/figures.h"
#include "render/svg/style.h"

namespace xtrace {

namespace {

constexpr int64_t kMostBands = 48;
constexpr int64_t kBreak = 88;  // pixels; it says how long it was, and for whom was waited

/// Half of the marks take longer, among those that take time.
int64_t median_length(const Chart& chart) {
  std::vector<int64_t> lengths;
  for (const Chart::Mark& mark : chart.marks)
    if (mark.is_timed() && mark.duration_us > 0) lengths.push_back(mark.duration_us);
  if (lengths.empty()) return 0;
  const auto middle = lengths.begin() + static_cast<ptrdiff_t>(lengths.size() / 2);
  std::nth_element(lengths.begin(), middle, lengths.end());
  return *middle;
}

/// As many pixels for so much time that it takes `bands` bands.
void scale(TimelineLayout& layout, int64_t bands, bool is_alone) {
  // What is but one mark does not fill the page.
  const int64_t busy = std::max<int64_t>(1, layout.time.busy() * (is_alone ? 5 : 2) / 2);
  const int64_t folds = static_cast<int64_t>(layout.time.breaks().size());
  const int64_t pixels = bands * layout.width;
  const int64_t of_break = folds == 0 ? 0 : std::min<int64_t>(kBreak, pixels / 4 / folds);
  layout.us_per_pixel =
      std::max<int64_t>(1, (busy + pixels - folds * of_break - 1) / (pixels - folds * of_break));
  layout.time.keep(of_break * layout.us_per_pixel);
}

void cut_bands(TimelineLayout& layout, const Chart& chart) {
  const int64_t length = layout.width * layout.us_per_pixel;
  layout.bands.assign(static_cast<size_t>(layout.time.end() / length + 1), {});
  std::vector<std::map<uint32_t, uint32_t>> rows(layout.bands.size());  // by lane
  const auto take = [&](const Chart::Mark& mark, int64_t from, int64_t to) {
    from = std::max<int64_t>(0, from);
    for (size_t band = static_cast<size_t>(from / length);
         band < rows.size() && static_cast<int64_t>(band) * length <= to; ++band) {
      uint32_t& most = rows[band][mark.lane];
      most = std::max(most, layout.row_of(mark) + 1);
    }
  };
  for (const Chart::Mark& mark : chart.marks)
    if (mark.is_timed())
      take(mark, layout.time.place(mark.start_us - shown_wait(chart.figures(mark))),
           layout.time.place(mark.end_us() + tool_time(chart, mark)));
  std::vector<bool> seen(chart.lanes.size());
  int64_t y = layout.top;
  for (size_t i = 0; i < layout.bands.size(); ++i) {
    TimelineLayout::Band& band = layout.bands[i];
    band.from = static_cast<int64_t>(i) * length;
    band.y = y;
    y += TimelineLayout::kAxis;
    for (auto [lane, many] : rows[i]) {
      band.strips.push_back({lane, many, y, !seen[lane]});
      seen[lane] = true;
      y += many * layout.row_height + 2;
    }
    band.height = y - band.y;
    y += TimelineLayout::kBetween;
  }
  layout.height = y - layout.top;
}

bool try_bands(TimelineLayout& layout, const Chart& chart, int64_t bands, int64_t room,
               bool is_alone) {
  scale(layout, bands, is_alone);
  cut_bands(layout, chart);
  return layout.height <= room;
}

/// As many bands as marks need to be legible, or as have room.
void choose_bands(TimelineLayout& layout, const Chart& chart, int64_t room, bool is_alone) {
  constexpr int64_t kLegible = 20, kVisible = 2;
  const int64_t median = median_length(chart);
  if (median == 0) return;
  const int64_t row = median * layout.width;
  const int64_t wished = std::max<int64_t>(1, layout.time.busy() / (row / kLegible + 1) + 1);
  int64_t low = 1, high = std::min(wished, kMostBands);
  while (low < high) {
    const int64_t middle = (low + high + 1) / 2;
    if (try_bands(layout, chart, middle, room, is_alone))
      low = middle;
    else
      high = middle - 1;
  }
  try_bands(layout, chart, low, room, is_alone);
  if (low > 1 && median / layout.us_per_pixel < kVisible)
    try_bands(layout, chart, 1, room, is_alone);
}

/// Leaves a lane each for those with most marks.
void leave_largest(Chart& chart, size_t most, std::vector<std::string>& notes) {
  if (chart.lanes.size() <= most) return;
  std::vector<uint32_t> marks(chart.lanes.size());
  for (const Chart::Mark& mark : chart.marks) ++marks[mark.lane];
  std::vector<uint32_t> lanes(marks.size());
  for (uint32_t i = 0; i < lanes.size(); ++i) lanes[i] = i;
  std::stable_sort(lanes.begin(), lanes.end(),
                   [&](uint32_t a, uint32_t b) { return marks[a] > marks[b]; });
  std::vector<bool> is_other(marks.size());
  for (size_t i = most - 1; i < lanes.size(); ++i) is_other[lanes[i]] = true;
  notes.push_back(fmt::format("the {} lanes with the fewest marks share one lane",
                              tell_count(static_cast<int64_t>(lanes.size() - most + 1))));
  const StringId others = chart.texts.intern("others");
  for (Chart::Mark& mark : chart.marks)
    if (is_other[mark.lane]) mark.agent = mark.agent_type = others;
}

void lay_again(Chart& chart) {
  chart.lanes.clear();
  lay_lanes(chart);
}

/// Agents that made one call each, and started none, share the lane of their type: a lane for each
/// says nothing if they are many.
void share_lanes(Chart& chart, std::vector<std::string>& notes) {
  constexpr size_t kFew = 12;
  constexpr uint32_t kAlike = 3;
  if (chart.lanes.size() <= kFew) return;
  std::vector<uint32_t> marks(chart.lanes.size());
  std::vector<bool> starts(chart.lanes.size());
  for (const Chart::Mark& mark : chart.marks) ++marks[mark.lane];
  for (const Chart::Lane& lane : chart.lanes)
    if (lane.above != Chart::kNone) starts[lane.above] = true;
  const auto is_small = [&](uint32_t lane) {
    return marks[lane] == 1 && !starts[lane] && chart.lanes[lane].above == Chart::kNone &&
           chart.lanes[lane].type;
  };
  std::map<StringId, uint32_t> alike;
  for (uint32_t i = 0; i < marks.size(); ++i)
    if (is_small(i)) ++alike[chart.lanes[i].type];
  int64_t shared = 0;
  for (Chart::Mark& mark : chart.marks)
    if (is_small(mark.lane) && alike[chart.lanes[mark.lane].type] >= kAlike) {
      mark.agent = mark.agent_type;
      ++shared;
    }
  if (shared == 0) return;
  notes.push_back(fmt::format("{} agents with one {} each share the lane of their type",
                              tell_count(shared), noun_of(chart)));
  lay_again(chart);
}

}  // namespace

void TimelineLayout::each_spot(const Chart::Mark& mark, int64_t from, int64_t to,
                               const std::function<void(const Spot& spot)>& take) const {
  const int64_t length = width * us_per_pixel;
  from = std::max<int64_t>(0, from);
  to = std::max(from, to);
  const size_t first = static_cast<size_t>(from / length);
  for (size_t i = first; i < bands.size() && (i == first || bands[i].from < to); ++i) {
    const Band& band = bands[i];
    const auto strip =
        std::lower_bound(band.strips.begin(), band.strips.end(), mark.lane,
                         [](const Strip& one, uint32_t lane) { return one.lane < lane; });
    if (strip == band.strips.end() || strip->lane != mark.lane) continue;
    const uint32_t row = std::min(row_of(mark), strip->rows - 1);
    take({static_cast<uint32_t>(i), x_of(band, std::max(from, band.from)),
          x_of(band, std::min(to, band.from + length)), strip->y + row * row_height, i == first,
          to <= band.from + length});
  }
}

TimelineLayout lay_timeline(Chart& chart, int64_t top, int64_t room,
                            std::vector<std::string>& notes) {
  constexpr int64_t kRowHeights[] = {26, 16, 13};
  constexpr size_t kMostLanes = 64;
  share_lanes(chart, notes);
  TimelineLayout layout(chart);
  layout.top = top;
  layout.left = kPictureMargin + TimelineLayout::kLabels;
  layout.width = kPictureWidth - kPictureMargin - layout.left;
  size_t timed = 0;
  for (const Chart::Mark& mark : chart.marks) timed += mark.is_timed();
  const auto fits = [&] {
    for (int64_t rows : {12, 3, 1})
      for (int64_t height : kRowHeights) {
        layout.row_height = height;
        layout.most_rows = rows;
        if (try_bands(layout, chart, 1, room, timed == 1)) return true;
      }
    return false;
  };
  if (!fits()) {
    const size_t lanes = chart.lanes.size();
    for (Chart::Mark& mark : chart.marks) mark.session = StringId();
    lay_again(chart);
    if (!fits()) {
      for (Chart::Mark& mark : chart.marks) mark.agent = mark.agent_type;
      lay_again(chart);
    }
    notes.push_back(fmt::format("{} lanes are combined into {}",
                                tell_count(static_cast<int64_t>(lanes)),
                                tell_count(static_cast<int64_t>(chart.lanes.size()))));
    leave_largest(chart, kMostLanes, notes);
    lay_again(chart);
    fits();
  }
  choose_bands(layout, chart, room, timed == 1);
  return layout;
}

}  // namespace xtrace
