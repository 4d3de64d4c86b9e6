#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "render/svg/pictures.h"

namespace xtrace {

namespace {

// Of 10,000: below these, a link is inferred, and doubtful.
constexpr int64_t kSure = 9500, kDoubted = 6000;

}  // namespace

Head head_of(std::string_view link) {
  if (link.ends_with("spawn")) return Head::filled;
  if (link.ends_with("report")) return Head::open;
  if (link == "continuation" || link == "sequential") return Head::none;
  return Head::small;
}

void draw_head(Head head, int64_t x, int64_t y, int64_t dx, int64_t dy, SvgWriter& svg,
               bool is_error) {
  if (head == Head::none) return;
  const int64_t length = head == Head::small ? 4 : 7, half = head == Head::small ? 2 : 4;
  const int64_t back_x = x - dx * length, back_y = y - dy * length;
  svg.path(fmt::format("M{} {}L{} {}L{} {}Z", x, y, back_x + dy * half, back_y + dx * half,
                       back_x - dy * half, back_y - dx * half),
           std::string(head == Head::open ? "open" : "tip") + (is_error ? " error" : ""));
}

void note_link(Head head, const Chart::Link& link, SignsUsed& signs) {
  signs.guessed |= link.confidence < kSure && link.confidence >= kDoubted;
  signs.doubtful |= link.confidence < kDoubted;
  signs.error |= link.is_error;
  if (link.is_error) return;
  switch (head) {
    case Head::filled: signs.spawn = true; break;
    case Head::open: signs.report = true; break;
    case Head::small: signs.result = true; break;
    case Head::none: signs.link = true; break;
  }
}

std::string arrow_class(Head head, const Chart::Link& link) {
  std::string classes = "arrow";
  if (link.confidence < kDoubted)
    classes += " doubt";
  else if (link.confidence < kSure)
    classes += " guess";
  else if (link.is_error || head == Head::filled || head == Head::open)
    classes += " dash";
  return link.is_error ? classes + " error" : classes;
}

std::string confidence_words(int64_t confidence) {
  return fmt::format("{}.{:02}", confidence / 10000, confidence % 10000 / 100);
}

void draw_wait(Chart::Wait wait, int64_t x, int64_t y, int64_t width, int64_t height,
               SvgWriter& svg) {
  if (width <= 0) return;
  constexpr int64_t kApart = 6;
  std::string way;
  const auto add = std::back_inserter(way);
  const int64_t end = x + width;
  for (int64_t at = x - height + kApart / 2; at < end; at += kApart) {
    if (wait == Chart::Wait::retry) {
      if (at >= x && at + 2 <= end) fmt::format_to(add, "M{} {}h2", at, y + height / 2);
      continue;
    }
    // A line up, or down, cut at both ends.
    const int64_t cut = std::max<int64_t>(0, x - at),
                  over = std::max<int64_t>(0, at + height - end);
    if (cut + over >= height) continue;
    const int64_t length = height - cut - over;
    const bool is_up = wait == Chart::Wait::person;
    fmt::format_to(add, "M{} {}l{} {}", at + cut, is_up ? y + height - cut : y + cut, length,
                   is_up ? -length : length);
  }
  svg.path(way, "wait");
  if (wait != Chart::Wait::retry)
    svg.path(fmt::format("M{} {}H{}M{} {}H{}", x, y, end, x, y + height, end), "rule");
}

}  // namespace xtrace
