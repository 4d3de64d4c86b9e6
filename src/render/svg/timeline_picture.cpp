#include <fmt/format.h>

#include <algorithm>

#include "render/svg/figures.h"
#include "render/svg/pictures.h"

namespace xtrace {

namespace {

/// Before lanes are merged, which forgets sessions.
std::vector<std::vector<uint32_t>> critical_order(const Chart& chart) {
  std::vector<uint32_t> marks;
  for (uint32_t i = 0; i < chart.marks.size(); ++i)
    if (chart.marks[i].critical && chart.marks[i].is_timed()) marks.push_back(i);
  std::stable_sort(marks.begin(), marks.end(), [&](uint32_t a, uint32_t b) {
    const Chart::Mark &one = chart.marks[a], &other = chart.marks[b];
    return std::tie(one.is_old, one.session, one.start_us) <
           std::tie(other.is_old, other.session, other.start_us);
  });
  std::vector<std::vector<uint32_t>> order;
  for (uint32_t mark : marks) {
    const Chart::Mark& first = chart.marks[order.empty() ? mark : order.back().front()];
    if (order.empty() || first.session != chart.marks[mark].session ||
        first.is_old != chart.marks[mark].is_old)
      order.emplace_back();
    order.back().push_back(mark);
  }
  return order;
}

void tell_breaks(const FoldedTime& time, std::vector<std::string>& notes) {
  int64_t cut = 0;
  for (const FoldedTime::Break& fold : time.breaks()) cut += fold.to - fold.from;
  if (cut > 0)
    notes.push_back(fmt::format("{} collapsed, {} in total",
                                tell_many(static_cast<int64_t>(time.breaks().size()), "idle gap"),
                                tell_length(cut)));
}

}  // namespace

std::string timeline_picture(Chart& chart, Caption caption) {
  constexpr int64_t kBelow = 240;  // for the legend and notes
  const Hues hues(chart);
  caption.own_style = hues.own_style();
  const std::vector<std::vector<uint32_t>> critical = critical_order(chart);
  const int64_t top = top_below(caption);
  const TimelineLayout layout = lay_timeline(chart, top, kMostHeight - top - kBelow, caption.notes);
  if (layout.bands.size() > 1)
    caption.notes.push_back(fmt::format("continues on the next row ({} per row)",
                                        tell_length(layout.width * layout.us_per_pixel)));
  tell_breaks(layout.time, caption.notes);
  SvgWriter svg, marks;
  SignsUsed signs;
  std::vector<MarkPlace> places(chart.marks.size());
  draw_axes(layout, svg);
  draw_lanes(chart, layout, hues, svg);
  draw_marks(chart, layout, hues, places, signs, caption.notes, marks);
  draw_critical_path(chart, layout, critical, signs, svg);
  draw_arrows(chart, layout, places, signs, caption.notes, svg);
  std::string body = svg.take() + marks.take();
  const int64_t bottom = draw_legend(chart, hues, signs, top + layout.height + 4, svg);
  return whole_picture(caption, kPictureWidth, bottom + 4, body + svg.take());
}

}  // namespace xtrace
