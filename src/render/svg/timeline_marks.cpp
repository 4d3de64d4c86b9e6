#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "render/svg/figures.h"
#include "render/svg/pictures.h"

namespace xtrace {

namespace {

constexpr size_t kMostMarks = 2000;
constexpr int64_t kSmall = 10;  ///< height of the letters in marks

/// A mark's part in a band, or several that are too small to be distinguished.
struct Piece {
  TimelineLayout::Spot spot;
  uint32_t mark = 0, last = 0;  ///< the first and the last that it represents
  uint32_t many = 1;
};

class Marks {
 public:
  Marks(const Chart& chart, const TimelineLayout& layout, const Hues& hues,
        std::vector<MarkPlace>& places, SignsUsed& signs, SvgWriter& svg)
      : chart_(chart), layout_(layout), hues_(hues), places_(places), signs_(signs), svg_(svg) {
    const int64_t height = layout.row_height;
    mark_height_ = height >= 20 ? 14 : height >= 16 ? 9 : 7;
  }

  void find() {
    for (uint32_t i = 0; i < chart_.marks.size(); ++i) {
      const Chart::Mark& mark = chart_.marks[i];
      if (!mark.is_timed()) {
        ++untimed_;
        continue;
      }
      const int64_t from = layout_.time.place(mark.start_us);
      layout_.each_spot(mark, from, layout_.time.place(mark.end_us()),
                        [&](const TimelineLayout::Spot& spot) {
                          pieces_.push_back({spot, i, i});
                        });
    }
    std::stable_sort(pieces_.begin(), pieces_.end(), [](const Piece& a, const Piece& b) {
      return std::tie(a.spot.band, a.spot.y, a.spot.x) < std::tie(b.spot.band, b.spot.y, b.spot.x);
    });
    for (int64_t gap = 0; pieces_.size() > kMostMarks && gap <= 1024; gap = gap * 2 + 1) fold(gap);
    for (const Piece& piece : pieces_) remember(piece);
  }

  void draw() {
    for (size_t i = 0; i < pieces_.size(); ++i) {
      const Piece& piece = pieces_[i];
      const bool has_next = i + 1 < pieces_.size() && pieces_[i + 1].spot.band == piece.spot.band &&
                            pieces_[i + 1].spot.y == piece.spot.y;
      const int64_t limit = has_next ? free_until(pieces_[i + 1]) : layout_.left + layout_.width;
      piece.many > 1 ? draw_folded(piece) : draw(piece, limit);
    }
  }

  void draw_waits() {
    for (uint32_t i = 0; i < chart_.marks.size(); ++i)
      if (chart_.marks[i].is_timed() && shown_wait(chart_.figures(chart_.marks[i])) > 0 &&
          !places_[i].is_folded)
        draw_wait_of(chart_.marks[i]);
  }

  void tell(std::vector<std::string>& notes) const {
    if (signs_.folded)
      notes.push_back(fmt::format("{} marks that are too close together are drawn as {}",
                                  tell_count(folded_), tell_count(folds_)));
    if (untimed_ > 0)
      notes.push_back(tell_many(untimed_, noun_of(chart_)) + " without a time not drawn");
  }

 private:
  bool stays(const Piece& piece) const {
    return piece.many == 1 &&
           (chart_.marks[piece.mark].failed || chart_.marks[piece.mark].tool_failed);
  }

  void fold(int64_t gap) {
    std::vector<Piece> kept;
    // What failed stays by itself, as long as that helps.
    const bool all = gap > 100;
    for (const Piece& piece : pieces_) {
      Piece* before = kept.empty() ? nullptr : &kept.back();
      if (before == nullptr || before->spot.band != piece.spot.band ||
          before->spot.y != piece.spot.y || piece.spot.x - before->spot.end > gap ||
          (!all && (stays(piece) || stays(*before)))) {
        kept.push_back(piece);
        continue;
      }
      before->many += piece.many;
      before->last = piece.last;
      before->spot.end = std::max(before->spot.end, piece.spot.end);
    }
    pieces_ = std::move(kept);
  }

  void remember(const Piece& piece) {
    if (piece.many > 1) {
      signs_.folded = true;
      folded_ += piece.many;
      ++folds_;
      places_[piece.mark] = {piece.spot, piece.spot, true, true};
      places_[piece.last] = {piece.spot, piece.spot, true, true};
      return;
    }
    MarkPlace& place = places_[piece.mark];
    if (!place.is_drawn) place.first = piece.spot;
    place.last = piece.spot;
    place.is_drawn = true;
  }

  int64_t free_until(const Piece& next) const {
    const Chart::Mark& mark = chart_.marks[next.mark];
    const int64_t wait = shown_wait(chart_.figures(mark)) / layout_.us_per_pixel;
    return next.spot.x - (next.spot.is_first ? wait : 0);
  }

  std::string hue_class(const Chart::Mark& mark, std::string_view prefix) const {
    return fmt::format("{}{}", prefix, hues_.of(chart_.lanes[mark.lane].type).hue);
  }

  void draw(const Piece& piece, int64_t limit) {
    const Chart::Mark& mark = chart_.marks[piece.mark];
    const TimelineLayout::Spot& spot = piece.spot;
    const int64_t y = spot.y + 3;
    int64_t wide = std::max<int64_t>(1, spot.end - spot.x);
    const bool is_point = mark.duration_us == Chart::kUnknown;
    const bool is_backwards = !is_point && mark.duration_us < 0;
    if (is_point) wide = 2;
    if (is_backwards || mark.failed) wide = std::max<int64_t>(3, wide);
    signs_.no_length |= is_point;
    signs_.backwards |= is_backwards;
    signs_.failed |= mark.failed;
    svg_.open_group(hint_of(chart_, mark));
    if (spot.is_last) draw_tools(mark, spot);
    svg_.rect(spot.x, is_point ? y - 2 : y, wide, mark_height_ + (is_point ? 4 : 0),
              hue_class(mark, "h") + (mark.failed ? " failed" : ""), wide > 6 ? 2 : 0);
    if (mark.tool_failed && spot.is_last)
      svg_.rect(spot.x + std::max<int64_t>(0, wide - 3), y, std::min<int64_t>(3, wide),
                mark_height_, "notch");
    draw_label(mark, spot, wide, limit, is_backwards);
    svg_.close_group();
  }

  /// In the mark if there is room, else behind it; signs go first.
  void draw_label(const Chart::Mark& mark, const TimelineLayout::Spot& spot, int64_t wide,
                  int64_t limit, bool is_backwards) {
    int64_t behind = spot.x + wide + 2;
    const int64_t base = spot.y + 3 + mark_height_ - 3;
    const std::string sign = !spot.is_last || mark_height_ < 9         ? std::string()
                             : mark.failed                             ? "!"
                             : is_backwards                            ? "⚠"
                             : mark.tool_failed && limit - behind >= 7 ? "!"
                                                                       : "";
    if (!sign.empty()) {
      svg_.text(behind, base, sign, "bad small");
      behind += 7;
    }
    int64_t before = 3;  // the label
    if (mark.is_retry && layout_.has_labels()) {
      const bool is_inside = spot.is_first && wide >= 14;
      if (is_inside) {
        svg_.text(spot.x + before, base, "↻", "small " + hue_class(mark, "on on"));
        before += 11;
      } else if (spot.is_last && limit - behind >= 10) {
        svg_.text(behind, base, "↻", "small");
        behind += 10;
      }
      signs_.retry |= is_inside || behind > spot.x + wide + 9;
    }
    if (!layout_.has_labels() || !spot.is_first) return;
    // A label without room after the mark is in it, if the mark is wide enough.
    const int64_t inner = wide - before - 3 - (mark.tool_failed ? 4 : 0);
    if (const std::string label = short_label(chart_, mark, inner, kSmall); !label.empty()) {
      svg_.text(spot.x + before, base, label, "small " + hue_class(mark, "on on"));
    } else if (spot.is_last) {
      const std::string beside = short_label(chart_, mark, limit - behind - 3, kSmall);
      svg_.text(behind, base, beside, "small soft halo");
    }
  }

  void draw_tools(const Chart::Mark& mark, const TimelineLayout::Spot&) {
    if (mark.tools == 0) return;
    const int64_t height = layout_.row_height >= 20 ? 3 : 2;
    const int64_t time = tool_time(chart_, mark);
    const int64_t from = layout_.time.place(mark.end_us());
    signs_.tool |= time > 0;
    signs_.tool_failed |= mark.tool_failed;
    layout_.each_spot(
        mark, from, layout_.time.place(mark.end_us() + time), [&](const TimelineLayout::Spot& at) {
          const int64_t y = at.y + 3 + mark_height_ + 1;
          const int64_t least = mark.tool_failed ? 3 : time > 0 ? 1 : 0;
          if (const int64_t wide = std::max(least, at.end - at.x); wide > 0)
            svg_.rect(at.x, y, wide, height, mark.tool_failed ? "tool failed" : "tool");
        });
  }

  void draw_folded(const Piece& piece) {
    const Chart::Mark& mark = chart_.marks[piece.mark];
    svg_.open_group(fmt::format("{} · {}\n{} – {}", tell_many(piece.many, noun_of(chart_)),
                                chart_.text(mark.agent), tell_moment(mark.start_us),
                                tell_moment(chart_.marks[piece.last].end_us())));
    const int64_t wide = std::max<int64_t>(1, piece.spot.end - piece.spot.x);
    svg_.rect(piece.spot.x, piece.spot.y + 3, wide, mark_height_, hue_class(mark, "h"));
    const std::string words = fmt::format("×{}", piece.many);
    if (layout_.has_labels() && width_of(words, kSmall) + 6 <= wide)
      svg_.text(piece.spot.x + 3, piece.spot.y + mark_height_, words,
                "small " + hue_class(mark, "on on"));
    svg_.close_group();
  }

  void draw_wait_of(const Chart::Mark& mark) {
    const Chart::Figures figures = chart_.figures(mark);
    const int64_t wait = shown_wait(figures);
    const std::string_view what = figures.waited_for == Chart::Wait::person       ? "you"
                                  : figures.waited_for == Chart::Wait::permission ? "approval"
                                                                                  : "retry";
    (figures.waited_for == Chart::Wait::person       ? signs_.person
     : figures.waited_for == Chart::Wait::permission ? signs_.permission
                                                     : signs_.retry_wait) = true;
    const std::string words = fmt::format("{} {}", what, tell_length(wait));
    svg_.open_group("waited for " + words);
    // The label is at the widest part of the mark.
    TimelineLayout::Spot widest;
    layout_.each_spot(mark, layout_.time.place(mark.start_us - wait),
                      layout_.time.place(mark.start_us), [&](const TimelineLayout::Spot& spot) {
                        draw_wait(figures.waited_for, spot.x, spot.y + 6, spot.end - spot.x,
                                  mark_height_ - 6, svg_);
                        if (spot.end - spot.x > widest.end - widest.x) widest = spot;
                      });
    if (layout_.has_labels() && width_of(words, kSmall) + 12 <= widest.end - widest.x)
      svg_.text((widest.x + widest.end) / 2, widest.y + mark_height_, words, "small soft halo",
                SvgWriter::Anchor::middle);
    svg_.close_group();
  }

  const Chart& chart_;
  const TimelineLayout& layout_;
  const Hues& hues_;
  std::vector<MarkPlace>& places_;
  SignsUsed& signs_;
  SvgWriter& svg_;
  std::vector<Piece> pieces_;
  int64_t mark_height_ = 14, untimed_ = 0, folded_ = 0, folds_ = 0;
};

}  // namespace

void draw_marks(const Chart& chart, const TimelineLayout& layout, const Hues& hues,
                std::vector<MarkPlace>& places, SignsUsed& signs, std::vector<std::string>& notes,
                SvgWriter& svg) {
  Marks marks(chart, layout, hues, places, signs, svg);
  marks.find();
  marks.draw_waits();
  marks.draw();
  marks.tell(notes);
}

}  // namespace xtrace
