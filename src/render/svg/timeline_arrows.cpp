#include <fmt/format.h>

#include <algorithm>

#include "render/svg/figures.h"
#include "render/svg/pictures.h"

namespace xtrace {

namespace {

constexpr size_t kMostArrows = 300, kMostFar = 60;

/// For each mark, the one that follows it in its lane: a link to it needs no arrow.
std::vector<uint32_t> next_in_lane(const Chart& chart) {
  std::vector<uint32_t> order, next(chart.marks.size(), Chart::kNone);
  for (uint32_t i = 0; i < chart.marks.size(); ++i)
    if (chart.marks[i].is_timed()) order.push_back(i);
  std::stable_sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) {
    const Chart::Mark &one = chart.marks[a], &other = chart.marks[b];
    return std::tie(one.lane, one.start_us) < std::tie(other.lane, other.start_us);
  });
  for (size_t i = 1; i < order.size(); ++i)
    if (chart.marks[order[i - 1]].lane == chart.marks[order[i]].lane) next[order[i - 1]] = order[i];
  return next;
}

class Arrows {
 public:
  Arrows(const Chart& chart, const TimelineLayout& layout, const std::vector<MarkPlace>& places,
         SignsUsed& signs, SvgWriter& svg)
      : chart_(chart), layout_(layout), places_(places), signs_(signs), svg_(svg) {
    mark_height_ = layout.row_height >= 20 ? 14 : layout.row_height >= 16 ? 9 : 7;
  }

  void find() {
    const std::vector<uint32_t> next = next_in_lane(chart_);
    for (const Chart::Arrow& arrow : chart_.arrows) {
      if (arrow.from == arrow.to) continue;
      const bool is_sure = chart_.link(arrow).confidence >= 9500;
      if (next[arrow.from] == arrow.to && is_sure)
        ++near_;
      else if (!places_[arrow.from].is_drawn || !places_[arrow.to].is_drawn)
        ++lost_;
      else if (!(is_drawn_.empty() ? false : is_double(arrow)))
        is_drawn_.push_back(&arrow);
    }
  }

  void draw() {
    if (is_drawn_.size() > kMostArrows) return;
    for (const Chart::Arrow* arrow : is_drawn_) draw(*arrow);
  }

  void tell(std::vector<std::string>& notes) const {
    if (is_drawn_.size() > kMostArrows)
      notes.push_back(fmt::format("{} links between lanes not drawn (limit {})",
                                  tell_count(static_cast<int64_t>(is_drawn_.size())), kMostArrows));
    if (near_ > 0)
      notes.push_back(fmt::format("{} to the next {} in the same lane not drawn",
                                  tell_many(near_, "link"), noun_of(chart_)));
    if (lost_ > 0)
      notes.push_back(tell_many(lost_, "link") + " from or to combined marks not drawn");
    if (far_ > static_cast<int64_t>(kMostFar))
      notes.push_back(fmt::format("{} links between rows not drawn",
                                  tell_count(far_ - static_cast<int64_t>(kMostFar))));
  }

 private:
  /// Links of several types between the same two are one arrow; the first represents it.
  bool is_double(const Chart::Arrow& arrow) const {
    const Chart::Arrow& before = *is_drawn_.back();
    return before.from == arrow.from && before.to == arrow.to;
  }

  std::string hint(const Chart::Arrow& arrow) const {
    std::string hint = fmt::format("{}: {} → {}", chart_.text(chart_.link(arrow).type),
                                   chart_.text(chart_.marks[arrow.from].agent),
                                   chart_.text(chart_.marks[arrow.to].agent));
    if (chart_.link(arrow).method)
      hint += fmt::format("\n{}", chart_.text(chart_.link(arrow).method));
    if (chart_.link(arrow).confidence < 9995)
      hint += ", " + confidence_words(chart_.link(arrow).confidence);
    return hint;
  }

  void draw(const Chart::Arrow& arrow) {
    const TimelineLayout::Spot &from = places_[arrow.from].last, &to = places_[arrow.to].first;
    note_sign(arrow);
    if (from.band != to.band) {
      if (++far_ <= static_cast<int64_t>(kMostFar)) draw_far(arrow, from, to);
      return;
    }
    svg_.open_group(hint(arrow));
    if (from.y == to.y)
      draw_arc(arrow, from, to);
    else
      draw_elbow(arrow, from, to);
    svg_.close_group();
  }

  void note_sign(const Chart::Arrow& arrow) {
    const Chart::Link& link = chart_.link(arrow);
    note_link(head_of(chart_.text(link.type)), link, signs_);
  }

  Head head(const Chart::Arrow& arrow) const {
    return head_of(chart_.text(chart_.link(arrow).type));
  }
  std::string line_of(const Chart::Arrow& arrow) const {
    return arrow_class(head(arrow), chart_.link(arrow));
  }
  void draw_tip(const Chart::Arrow& arrow, int64_t x, int64_t y, int64_t dx, int64_t dy) {
    draw_head(head(arrow), x, y, dx, dy, svg_, chart_.link(arrow).is_error);
  }

  /// Where an arrow leaves its source: at its end, and where it led to the other before that, then.
  static int64_t begin_of(const TimelineLayout::Spot& from, int64_t tip) {
    return std::clamp(tip, from.x, std::max(from.x + 1, from.end) - 1);
  }

  /// Over what is between two in one row.
  void draw_arc(const Chart::Arrow& arrow, const TimelineLayout::Spot& from,
                const TimelineLayout::Spot& to) {
    const int64_t y = from.y + 3, x = std::max(from.x + 1, from.end) - 1, tip = to.x + 1;
    svg_.path(fmt::format("M{} {}C{} {} {} {} {} {}", x, y, x + (tip - x) / 4, y - 7,
                          tip - (tip - x) / 4, y - 7, tip, y),
              line_of(arrow));
    draw_tip(arrow, tip, y, 0, 1);
    number(arrow, (x + tip) / 2, y - 3);
  }

  void draw_elbow(const Chart::Arrow& arrow, const TimelineLayout::Spot& from,
                  const TimelineLayout::Spot& to) {
    const bool is_down = to.y > from.y;
    const int64_t middle = mark_height_ / 2 + 3;
    const int64_t tip = to.x, x = begin_of(from, tip);
    const std::string line = line_of(arrow);
    if (is_down && tip >= x + 4) {
      // Down from its end, then to the right.
      svg_.path(fmt::format("M{} {}V{}H{}", x, from.y + 3 + mark_height_, to.y + middle, tip),
                line);
      draw_tip(arrow, tip, to.y + middle, 1, 0);
      number(arrow, x + 3, to.y + middle - 3);
    } else if (!is_down && tip >= x) {
      // To the right, then up to its begin; side by side with the critical path.
      const int64_t at = tip + 3, y = to.y + 3 + mark_height_;
      svg_.path(fmt::format("M{} {}H{}V{}", x + 1, from.y + middle, at, y), line);
      draw_tip(arrow, at, y, 0, -1);
      number(arrow, x + 4, from.y + middle - 3);
    } else {
      const int64_t y = is_down ? to.y + 3 : to.y + 3 + mark_height_;
      const int64_t begin = is_down ? from.y + 3 + mark_height_ : from.y + 3;
      svg_.path(fmt::format("M{} {}L{} {}", x, begin, tip, y - (is_down ? 5 : -5)), line);
      draw_tip(arrow, tip, y, 0, is_down ? 1 : -1);
      number(arrow, (x + tip) / 2 + 3, (begin + y) / 2);
    }
  }

  /// Between bands a number says which end belongs to which.
  void draw_far(const Chart::Arrow& arrow, const TimelineLayout::Spot& from,
                const TimelineLayout::Spot& to) {
    signs_.far = true;
    const std::string words = std::to_string(far_);
    const int64_t y = from.y + 3 + mark_height_, x = std::max(from.x + 1, from.end) - 1;
    svg_.open_group(hint(arrow));
    svg_.path(fmt::format("M{} {}v6h5", x, y), line_of(arrow));
    svg_.text(x + 7, y + 8, words, "small soft halo number");
    const int64_t middle = to.y + mark_height_ / 2 + 3;
    svg_.path(fmt::format("M{} {}H{}", to.x - 12, middle, to.x), line_of(arrow));
    draw_tip(arrow, to.x, middle, 1, 0);
    svg_.text(to.x - 14, middle + 3, words, "small soft halo number", SvgWriter::Anchor::end);
    svg_.close_group();
  }

  void number(const Chart::Arrow& arrow, int64_t x, int64_t y) {
    if (chart_.link(arrow).confidence < 9500)
      svg_.text(x, y, confidence_words(chart_.link(arrow).confidence), "small soft halo number");
  }

  const Chart& chart_;
  const TimelineLayout& layout_;
  const std::vector<MarkPlace>& places_;
  SignsUsed& signs_;
  SvgWriter& svg_;
  std::vector<const Chart::Arrow*> is_drawn_;
  int64_t mark_height_ = 14, near_ = 0, lost_ = 0, far_ = 0;
};

}  // namespace

void draw_arrows(const Chart& chart, const TimelineLayout& layout,
                 const std::vector<MarkPlace>& places, SignsUsed& signs,
                 std::vector<std::string>& notes, SvgWriter& svg) {
  Arrows arrows(chart, layout, places, signs, svg);
  arrows.find();
  arrows.draw();
  arrows.tell(notes);
}

}  // namespace xtrace
