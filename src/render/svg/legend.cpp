#include <fmt/format.h>

#include "base/text.h"
#include "render/chart/sign_words.h"
#include "render/svg/pictures.h"

namespace xtrace {

namespace {

/// Signs with their words, in lines as long as the page is wide.
class Legend {
 public:
  Legend(int64_t y, SvgWriter& svg) : y_(y), svg_(svg) {}

  /// Where a sign so wide goes; its words follow it.
  template <class Draw>
  void add(int64_t wide, std::string_view words, const Draw& draw) {
    const int64_t all = wide + 6 + width_of(words, 11) + 20;
    if (x_ > kPictureMargin && x_ + all > kPictureWidth - kPictureMargin) {
      x_ = kPictureMargin;
      y_ += kLine;
    }
    draw(x_, y_);
    svg_.text(x_ + wide + 6, y_ + 9, words, "soft");
    x_ += all;
  }
  void line(std::string_view classes, std::string_view words) {
    add(24, words,
        [&](int64_t x, int64_t y) { svg_.path(fmt::format("M{} {}h24", x, y + 5), classes); });
  }
  void arrow(Head head, std::string_view words, bool is_error = false) {
    Chart::Link link;
    link.is_error = is_error;
    add(24, words, [&](int64_t x, int64_t y) {
      svg_.path(fmt::format("M{} {}h24", x, y + 5), arrow_class(head, link));
      draw_head(head, x + 24, y + 5, 1, 0, svg_, is_error);
    });
  }
  void wait(Chart::Wait wait, std::string_view words) {
    add(24, words, [&](int64_t x, int64_t y) { draw_wait(wait, x, y + 1, 24, 8, svg_); });
  }
  void end_line() {
    if (x_ > kPictureMargin) y_ += kLine;
    x_ = kPictureMargin;
  }
  int64_t y() const { return y_; }

 private:
  static constexpr int64_t kLine = 18;
  int64_t x_ = kPictureMargin, y_;
  SvgWriter& svg_;
};

void add_hues(const Chart& chart, const Hues& hues, Legend& legend, SvgWriter& svg) {
  constexpr size_t kMost = 16;
  if (hues.names().size() < 2) return;
  for (size_t i = 0; i < std::min(kMost, hues.names().size()); ++i) {
    const Hues::Name& name = hues.names()[i];
    const std::string_view text = chart.text(name.type);
    const std::string words = (name.letter.empty() ? "" : name.letter + ' ') +
                              (text.empty() ? "unknown" : clip(printable(text), 32));
    legend.add(12, words, [&](int64_t x, int64_t y) {
      svg.rect(x, y, 12, 10, fmt::format("h{}", name.hue), 2);
    });
  }
  if (hues.names().size() > kMost)
    legend.add(0, fmt::format("and {} more", hues.names().size() - kMost), [](int64_t, int64_t) {});
  legend.end_line();
}

}  // namespace

int64_t draw_legend(const Chart& chart, const Hues& hues, const SignsUsed& signs, int64_t y,
                    SvgWriter& svg) {
  Legend legend(y, svg);
  add_hues(chart, hues, legend, svg);
  if (signs.failed)
    legend.add(20, kFailedWords, [&](int64_t x, int64_t at) {
      svg.rect(x, at, 12, 10, "box failed", 2);
      svg.text(x + 15, at + 9, "!", "bad small");
    });
  if (signs.tool)
    legend.add(24, kToolWords, [&](int64_t x, int64_t at) { svg.rect(x, at + 4, 24, 3, "tool"); });
  if (signs.tool_failed)
    legend.add(24, kToolFailedWords, [&](int64_t x, int64_t at) {
      svg.rect(x, at, 3, 10, "notch");
      svg.rect(x + 3, at + 7, 14, 3, "tool failed");
      svg.text(x + 19, at + 9, "!", "bad small");
    });
  if (signs.retry)
    legend.add(10, kRetryWords, [&](int64_t x, int64_t at) { svg.text(x, at + 9, "↻", "small"); });
  if (signs.backwards)
    legend.add(10, kBackwardsWords,
               [&](int64_t x, int64_t at) { svg.text(x, at + 9, "⚠", "bad small"); });
  if (signs.no_length)
    legend.add(4, "length unknown",
               [&](int64_t x, int64_t at) { svg.rect(x, at - 1, 2, 12, "h8"); });
  if (signs.person) legend.wait(Chart::Wait::person, "waiting for you");
  if (signs.permission) legend.wait(Chart::Wait::permission, "waiting for approval");
  if (signs.retry_wait) legend.wait(Chart::Wait::retry, "waiting to retry");
  if (signs.path) legend.line("path", kPathWords);
  if (signs.spawn) legend.arrow(Head::filled, kSpawnWords);
  if (signs.report) legend.arrow(Head::open, kReportWords);
  if (signs.result) legend.arrow(Head::small, kResultWords);
  if (signs.error) legend.arrow(Head::small, kErrorWords, true);
  if (signs.link) legend.arrow(Head::none, kContinuationWords);
  if (signs.guessed) legend.line("arrow guess", kGuessedWords);
  if (signs.doubtful) legend.line("arrow doubt", kDoubtfulWords);
  if (signs.far)
    legend.add(22, "continues in another row, next to the same number", [&](int64_t x, int64_t at) {
      svg.path(fmt::format("M{} {}v6h5", x, at), "arrow");
      svg.text(x + 7, at + 9, "1", "small soft number");
    });
  legend.end_line();
  return legend.y();
}

}  // namespace xtrace
