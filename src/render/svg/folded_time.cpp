#include "render/svg/folded_time.h"

#include <algorithm>

namespace xtrace {

int64_t tool_time(const Chart& chart, const Chart::Mark& mark) {
  int64_t longest = 0;
  for (uint32_t i = mark.first_tool; i < mark.first_tool + mark.tools; ++i)
    longest = std::max(longest, chart.tools[i].duration_us);
  return longest;
}

int64_t shown_wait(const Chart::Figures& figures) {
  using enum Chart::Wait;
  const bool is_shown = figures.waited_for == person || figures.waited_for == permission ||
                        figures.waited_for == retry;
  return is_shown && figures.waited_us > 0 ? figures.waited_us : 0;
}

FoldedTime::FoldedTime(const Chart& chart) {
  std::vector<std::pair<int64_t, int64_t>> busy;
  for (const Chart::Mark& mark : chart.marks)
    if (mark.is_timed()) busy.emplace_back(mark.start_us, mark.end_us() + tool_time(chart, mark));
  if (busy.empty()) return;
  std::sort(busy.begin(), busy.end());
  first_ = busy.front().first;
  last_ = busy.front().second;
  int64_t idle = 0;
  for (auto [from, to] : busy) {
    if (from - last_ > kShortIdle) {
      breaks_.push_back({last_, from});
      idle += from - last_;
    }
    last_ = std::max(last_, to);
  }
  if (idle <= (last_ - first_) / 3) {
    std::erase_if(breaks_, [](const Break& fold) { return fold.to - fold.from <= kIdle; });
    idle = 0;
    for (const Break& fold : breaks_) idle += fold.to - fold.from;
  }
  busy_ = last_ - first_ - idle;
  keep(kIdle);
}

void FoldedTime::keep(int64_t of_break) {
  kept_ = std::min(of_break, kShortIdle);
  int64_t cut = 0;
  for (Break& fold : breaks_) {
    fold.place = fold.from - first_ - cut;
    cut += fold.to - fold.from - kept_;
  }
}

int64_t FoldedTime::place(int64_t moment) const {
  const auto after = std::partition_point(breaks_.begin(), breaks_.end(),
                                          [&](const Break& fold) { return fold.from <= moment; });
  if (after == breaks_.begin()) return moment - first_;
  const Break& fold = *(after - 1);
  if (moment >= fold.to) return fold.place + kept_ + moment - fold.to;
  const double share =
      static_cast<double>(moment - fold.from) / static_cast<double>(fold.to - fold.from);
  return fold.place + static_cast<int64_t>(share * static_cast<double>(kept_));
}

int64_t FoldedTime::moment(int64_t place) const {
  const auto after = std::partition_point(breaks_.begin(), breaks_.end(),
                                          [&](const Break& fold) { return fold.place <= place; });
  if (after == breaks_.begin()) return first_ + place;
  const Break& fold = *(after - 1);
  if (place >= fold.place + kept_) return fold.to + place - fold.place - kept_;
  const double share =
      static_cast<double>(place - fold.place) / static_cast<double>(std::max<int64_t>(1, kept_));
  return fold.from + static_cast<int64_t>(share * static_cast<double>(fold.to - fold.from));
}

}  // namespace xtrace
