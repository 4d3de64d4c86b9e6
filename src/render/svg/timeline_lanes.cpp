#include <fmt/format.h>

#include <algorithm>

#include "base/lower.h"
#include "base/text.h"
#include "render/svg/figures.h"
#include "render/svg/pictures.h"

namespace xtrace {

namespace {

int64_t depth_of(const Chart& chart, uint32_t lane) {
  constexpr int64_t kDeepest = 4;
  int64_t depth = 0;
  for (lane = chart.lanes[lane].above; lane != Chart::kNone && depth < kDeepest; ++depth)
    lane = chart.lanes[lane].above;
  return depth;
}

/// The agent, with its type if the name does not show it; of two runs, which of them.
std::string name_of(const Chart& chart, const Chart::Lane& lane) {
  if (lane.is_old) {
    Chart::Lane same = lane;
    same.is_old = false;
    return "old: " + name_of(chart, same);
  }
  const std::string agent(chart.text(lane.agent)), type(chart.text(lane.type));
  if (agent.empty()) return type.empty() ? "unknown" : type;
  const bool tells = type.empty() || lower(agent).find(lower(type)) != std::string::npos;
  return tells ? agent : type + ' ' + agent;
}

struct LaneSums {
  int64_t recorded = 0, cost = Chart::kUnknown;
  bool is_least = false;
};

std::vector<LaneSums> sums_of_lanes(const Chart& chart) {
  std::vector<LaneSums> sums(chart.lanes.size());
  for (const Chart::Mark& mark : chart.marks) {
    LaneSums& lane = sums[mark.lane];
    lane.recorded += chart.is_recorded(mark);
    lane.is_least |= mark.output_is_low;
    if (const int64_t cost = chart.figures(mark).cost_nusd; cost != Chart::kUnknown)
      lane.cost = (lane.cost == Chart::kUnknown ? 0 : lane.cost) + cost;
  }
  return sums;
}

/// Its calls and what they cost, as much as has room.
std::string note_of(const Chart& chart, const LaneSums& sums) {
  std::string note =
      sums.recorded > 0 ? tell_many(sums.recorded, noun_of(chart)) : "not in the log";
  if (sums.cost != Chart::kUnknown)
    note += fmt::format(" {}{}", sums.is_least ? "≥" : "", tell_short_cost(sums.cost));
  return note;
}

}  // namespace

void draw_lanes(const Chart& chart, const TimelineLayout& layout, const Hues& hues,
                SvgWriter& svg) {
  constexpr int64_t kIndent = 12, kLetters = 11;
  const std::vector<LaneSums> sums = sums_of_lanes(chart);
  std::vector<int64_t> depth(chart.lanes.size());
  for (uint32_t i = 0; i < depth.size(); ++i) depth[i] = depth_of(chart, i);
  for (const TimelineLayout::Band& band : layout.bands) {
    for (const TimelineLayout::Strip& strip : band.strips) {
      const Chart::Lane& lane = chart.lanes[strip.lane];
      const int64_t height = strip.rows * layout.row_height;
      const int64_t x = kPictureMargin + kIndent * depth[strip.lane];
      const int64_t base =
          strip.y + std::min<int64_t>(layout.row_height, 24) - 10 + (layout.has_labels() ? 1 : 4);
      const Hues::Name& hue = hues.of(lane.type);
      svg.path(fmt::format("M{} {}H{}", kPictureMargin, strip.y + height + 1,
                           layout.left + layout.width),
               "rule");
      const std::string note = strip.is_first ? note_of(chart, sums[strip.lane]) : std::string();
      const int64_t note_room = note.empty() ? 0 : width_of(note, 10) + 6;
      svg.open_group(name_of(chart, lane) + '\n' + note_of(chart, sums[strip.lane]));
      svg.rect(x, base - 8, 8, 8, fmt::format("h{}", hue.hue), 1);
      std::string name = hue.letter.empty() ? std::string() : hue.letter + ' ';
      name += name_of(chart, lane);
      // Thick letters are wider.
      svg.text(x + 13, base,
               fitted(name, (layout.left - 8 - note_room - x - 13) * 9 / 10, kLetters),
               strip.is_first ? "name" : "soft");
      svg.text(layout.left - 8, base, note, "small soft number", SvgWriter::Anchor::end);
      svg.close_group();
    }
  }
}

void draw_critical_path(const Chart& chart, const TimelineLayout& layout,
                        const std::vector<std::vector<uint32_t>>& order, SignsUsed& signs,
                        SvgWriter& svg) {
  const int64_t below = layout.row_height - 1;
  std::string way, steps;
  for (const std::vector<uint32_t>& marks : order)
    for (size_t i = 0; i < marks.size(); ++i) {
      const Chart::Mark& mark = chart.marks[marks[i]];
      const Chart::Mark* next = i + 1 < marks.size() ? &chart.marks[marks[i + 1]] : nullptr;
      // A person who is waited for is no part of it.
      const bool goes_on = next != nullptr && next->start_us >= mark.end_us() &&
                           chart.figures(*next).waited_for != Chart::Wait::person &&
                           next->start_us - mark.end_us() < FoldedTime::kIdle;
      const int64_t end = goes_on ? next->start_us : mark.end_us();
      TimelineLayout::Spot last, to;
      layout.each_spot(mark, layout.time.place(mark.start_us), layout.time.place(end),
                       [&](const TimelineLayout::Spot& spot) {
                         way += fmt::format("M{} {}H{}", spot.x, spot.y + below,
                                            std::max(spot.x + 1, spot.end));
                         last = spot;
                       });
      if (!goes_on) continue;
      layout.each_spot(*next, layout.time.place(end), layout.time.place(end),
                       [&](const TimelineLayout::Spot& spot) { to = spot; });
      if (to.band == last.band && to.y != last.y)
        steps += fmt::format("M{} {}V{}", last.end, last.y + below, to.y + below);
    }
  signs.path = !way.empty();
  svg.path(steps, "step");
  svg.path(way, "path");
}

}  // namespace xtrace
