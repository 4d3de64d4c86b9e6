#include <fmt/format.h>

#include <algorithm>

#include "render/svg/figures.h"
#include "render/svg/pictures.h"

namespace xtrace {

namespace {

constexpr int64_t kSecond = 1'000'000;
constexpr int64_t kSteps[] = {1,
                              2,
                              5,
                              10,
                              20,
                              50,
                              100,
                              200,
                              500,
                              1000,
                              2000,
                              5000,
                              10'000,
                              20'000,
                              50'000,
                              100'000,
                              200'000,
                              500'000,
                              kSecond,
                              2 * kSecond,
                              5 * kSecond,
                              10 * kSecond,
                              15 * kSecond,
                              30 * kSecond,
                              60 * kSecond,
                              120 * kSecond,
                              300 * kSecond,
                              600 * kSecond,
                              900 * kSecond,
                              1800 * kSecond,
                              3600 * kSecond,
                              7200 * kSecond,
                              10800 * kSecond,
                              21600 * kSecond,
                              43200 * kSecond,
                              86400 * kSecond,
                              172800 * kSecond,
                              604800 * kSecond,
                              2592000 * kSecond,
                              31536000 * kSecond};

class Axes {
 public:
  Axes(const TimelineLayout& layout, SvgWriter& svg) : layout_(layout), svg_(svg) {
    const int64_t apart = 88 * layout.us_per_pixel;
    step_ = *std::find_if(std::begin(kSteps), std::end(kSteps) - 1,
                          [&](int64_t step) { return step >= apart; });
    start_ = layout.time.moment(0);
  }

  void draw(const TimelineLayout::Band& band) {
    const int64_t base = band.y + TimelineLayout::kAxis - 4;
    const int64_t length = layout_.width * layout_.us_per_pixel;
    const int64_t last = std::min(band.from + length, layout_.time.end());
    free_ = layout_.left;
    std::string ticks, grid;
    breaks(band, last);
    // Between breaks, each moment that is a whole number of steps.
    int64_t from = band.from;
    for (const FoldedTime::Break& fold : layout_.time.breaks()) {
      if (fold.place + layout_.time.kept() <= from) continue;
      if (fold.place >= last) break;
      stretch(band, from, fold.place, ticks, grid);
      from = fold.place + layout_.time.kept();
    }
    stretch(band, from, last, ticks, grid);
    svg_.path(grid, "rule");
    svg_.path(fmt::format("M{} {}H{}", layout_.left, base, layout_.x_of(band, last)) + ticks,
              "axis");
    const std::string begin = tell(layout_.time.moment(band.from), true);
    svg_.text(kPictureMargin, base - 3, begin, "soft small number");
  }

 private:
  void stretch(const TimelineLayout::Band& band, int64_t from, int64_t to, std::string& ticks,
               std::string& grid) {
    if (to <= from) return;
    const int64_t zero = step_ < kSecond ? start_ : 0;
    const int64_t first = layout_.time.moment(from) - zero;
    const int64_t end = first + to - from;
    const int64_t base = band.y + TimelineLayout::kAxis - 4;
    // The length of a break that follows is written where the words of the last tick would
    // continue.
    const int64_t most = std::min(layout_.left + layout_.width, layout_.x_of(band, to));
    int64_t at = first / step_ * step_;
    if (at < first) at += step_;
    for (; at <= end; at += step_) {
      const int64_t x = layout_.x_of(band, from + at - first);
      ticks += fmt::format("M{} {}v-4", x, base);
      grid += fmt::format("M{} {}V{}", x, base, band.y + band.height);
      const std::string words = tell(at + zero, false);
      if (x + 4 < free_ || x + 4 + width_of(words, 10) > most) continue;
      svg_.text(x + 4, base - 3, words, "soft small number");
      free_ = x + 10 + width_of(words, 10);
    }
  }

  /// What was folded: two strokes through the axis, and how long it was.
  void breaks(const TimelineLayout::Band& band, int64_t last) {
    const int64_t base = band.y + TimelineLayout::kAxis - 4;
    for (const FoldedTime::Break& fold : layout_.time.breaks()) {
      if (fold.place < band.from || fold.place >= last) continue;
      const int64_t x = layout_.x_of(band, fold.place);
      const int64_t wide =
          std::min(layout_.time.kept() / layout_.us_per_pixel, layout_.left + layout_.width - x);
      svg_.open_group("idle for " + tell_length(fold.to - fold.from));
      svg_.rect(x, base + 1, wide, band.height - TimelineLayout::kAxis + 3, "panel");
      svg_.path(fmt::format("M{} {}l4 -8M{} {}l4 -8", x + 2, base + 4, x + 6, base + 4), "arrow");
      if (const std::string words = tell_length(fold.to - fold.from);
          width_of(words, 10) + 14 <= wide)
        svg_.text(x + 14, base - 3, words, "soft small number");
      svg_.close_group();
    }
  }

  std::string tell(int64_t moment, bool is_begin) const {
    std::string clock = tell_moment(moment);
    if (clock.size() < 19) return clock;
    if (is_begin)
      return clock.substr(0, 10) == tell_moment(start_).substr(0, 10) ? clock.substr(11)
                                                                      : clock.substr(5);
    if (step_ >= 86400 * kSecond) return clock.substr(0, 10);
    if (step_ >= kSecond) return clock.substr(11, step_ >= 60 * kSecond ? 5 : 8);
    return '+' + tell_length(moment - start_);
  }

  const TimelineLayout& layout_;
  SvgWriter& svg_;
  int64_t step_ = 1, start_ = 0, free_ = 0;
};

}  // namespace

void draw_axes(const TimelineLayout& layout, SvgWriter& svg) {
  Axes axes(layout, svg);
  for (const TimelineLayout::Band& band : layout.bands)
    if (!band.strips.empty()) axes.draw(band);
}

}  // namespace xtrace
