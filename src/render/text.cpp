#include "base/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <ostream>
#include <utility>

#include "base/overloaded.h"
#include "render/renderer.h"

namespace xtrace {

namespace {

/// 950, 1.2k, 38k, 1.4M: three digits at most, which is what an eye compares.
std::string compact(int64_t number) {
  if (number < 0) return "-" + compact(-number);
  double scaled = static_cast<double>(number);
  if (number < 1000) return fmt::format("{}", number);
  for (const char* unit : {"k", "M", "G"}) {
    scaled /= 1000;
    if (scaled < 9.95) return fmt::format("{:.1f}{}", scaled, unit);
    if (scaled < 999.5) return fmt::format("{:.0f}{}", scaled, unit);
  }
  return fmt::format("{:.0f}T", scaled / 1000);
}

/// Do moments of a trace lie so close together that seconds tell few of them apart? Moments that
/// are given in whole seconds are left so.
bool needs_milliseconds(const Outline& outline) {
  constexpr Duration kLongest = std::chrono::minutes(1);
  constexpr uint8_t kMilliseconds = 3;
  Time first = Time::max(), last = kNoTime;
  for (const Outline::Line& line : outline.lines)
    for (const Cell& cell : line.cells) {
      const Moment* moment = std::get_if<Moment>(&cell);
      if (moment == nullptr || moment->time == kNoTime) continue;
      if (moment->decimals < kMilliseconds) return false;
      first = std::min(first, moment->time);
      last = std::max(last, moment->time);
    }
  return first < last && elapsed(first, last) < kLongest;
}

std::string show(const Cell& cell, bool milliseconds) {
  return std::visit(Overloaded{
                        [](std::monostate) { return std::string(); },
                        [](std::nullptr_t) { return std::string("-"); },
                        [](bool truth) { return std::string(truth ? "yes" : "no"); },
                        [](int64_t number) { return compact(number); },
                        [](double number) { return fmt::format("{:.2f}", number); },
                        [milliseconds](Moment moment) {
                          return milliseconds ? format_time({moment.time, 3}).substr(11, 12)
                                              : format_clock(moment.time);
                        },
                        [](Duration length) { return format_span(length); },
                        [](Dollars amount) { return show_dollars(amount); },
                        [](Text text) { return printable(text.view()); },
                        [](const Texts* texts) {
                          std::string joined;
                          for (Text text : *texts)
                            joined += (joined.empty() ? "" : ", ") + printable(text.view());
                          return joined;
                        },
                        [](const TextLists*) { return std::string(); },
                        [](const Integers*) { return std::string(); },
                        [](const Table*) { return std::string(); },
                        [](const Entries*) { return std::string(); },
                        [](JsonText value) { return printable(value.json.view()); },
                    },
                    cell);
}

const char* escape(Tone tone) {
  switch (tone) {
    case Tone::heading: return "\x1b[1m";
    case Tone::agent: return "\x1b[1;36m";
    case Tone::spawn: return "\x1b[35m";
    case Tone::error: return "\x1b[31m";
    case Tone::quiet: return "\x1b[2m";
    case Tone::added: return "\x1b[32m";
    case Tone::removed: return "\x1b[31m";
    case Tone::changed: return "\x1b[33m";
    case Tone::plain: break;
  }
  return "";
}

/// The lines that lead from a line's parents to it, `├─ ` and the like.
std::vector<std::string> branches(const Outline& outline) {
  std::vector<std::string> drawn(outline.lines.size());
  std::vector<bool> goes_on;  // per depth: does a sibling follow below?
  for (size_t i = outline.lines.size(); i-- > 0;) {
    uint32_t depth = outline.lines[i].depth;
    goes_on.resize(std::max<size_t>(goes_on.size(), depth + 1));
    std::string& branch = drawn[i];
    const uint32_t beside = outline.lines[i].is_prose ? depth + 1 : depth;
    for (uint32_t level = 1; level < beside; ++level) branch += goes_on[level] ? "│  " : "   ";
    if (outline.lines[i].is_prose) continue;
    if (depth > 0) branch += goes_on[depth] ? "├─ " : "└─ ";
    goes_on[depth] = true;
    std::fill(goes_on.begin() + depth + 1, goes_on.end(), false);
  }
  return drawn;
}

/// Puts an outline on a page: fixed columns as wide as their widest cell, the tree gets the rest.
class Page {
 public:
  Page(const Outline& outline, const Paper& paper, std::ostream& out)
      : outline_(outline),
        paper_(paper),
        out_(out),
        branches_(branches(outline)),
        milliseconds_(needs_milliseconds(outline)),
        widths_(outline.columns.size()) {
    measure();
  }

  void write() {
    for (Text sentence : outline_.head) out_ << printable(sentence.view()) << '\n';
    if (!outline_.head.empty() && !outline_.lines.empty()) out_ << '\n';
    if (!outline_.lines.empty()) write_titles();
    for (size_t i = 0; i < outline_.lines.size(); ++i) write_line(i);
    if (!outline_.foot.empty() && !outline_.lines.empty()) out_ << '\n';
    for (Text sentence : outline_.foot) out_ << printable(sentence.view()) << '\n';
  }

 private:
  static constexpr size_t kGap = 2, kNarrowest = 20, kReadable = 44, kWidestCell = 44;
  // Beside a column of places the tree makes do with less.
  static constexpr size_t kNarrowestPlace = 24, kReadableBeside = 28;
  static constexpr size_t kWidestUncut = 100;  // longer ones stand out of line
  static constexpr uint8_t kMostSpare = 5;

  void measure() {
    size_t tree_wish = 0, widest = paper_.cuts ? kWidestCell : kWidestUncut;
    for (size_t i = 0; i < outline_.lines.size(); ++i) {
      const Outline::Line& line = outline_.lines[i];
      if (line.is_prose) continue;
      for (size_t column = 0; column < line.cells.size(); ++column) {
        size_t needed = width(show(line.cells[column], milliseconds_));
        if (outline_.columns[column].tree)
          tree_wish = std::max(tree_wish, needed + width(branches_[i]));
        else
          widths_[column] = std::max(widths_[column], std::min(needed, widest));
      }
    }
    size_t fixed = 0;
    for (size_t column = 0; column < widths_.size(); ++column) {
      if (outline_.columns[column].tree || widths_[column] == 0) continue;  // empty: not shown
      widths_[column] = std::max(widths_[column], width(outline_.columns[column].title.view()));
      fixed += widths_[column] + kGap;
    }
    if (paper_.cuts) make_room(tree_wish, fixed);
    size_t room = paper_.columns > fixed ? paper_.columns - fixed : 0;
    if (!paper_.cuts) room = std::max(room, kWidestUncut);
    for (size_t column = 0; column < widths_.size(); ++column)
      if (outline_.columns[column].tree)
        widths_[column] = std::max(kNarrowest, std::min(tree_wish, room));
  }

  /// Narrows and drops columns, so that the tree can be read.
  void make_room(size_t tree_wish, size_t& fixed) {
    bool places = false;
    for (size_t column = 0; column < widths_.size(); ++column) {
      if (!outline_.columns[column].place || widths_[column] == 0) continue;
      places = true;
      size_t needed = fixed + std::min(tree_wish, kReadable);
      if (needed <= paper_.columns || widths_[column] <= kNarrowestPlace) continue;
      size_t less = std::min(needed - paper_.columns, widths_[column] - kNarrowestPlace);
      widths_[column] -= less;
      fixed -= less;
    }
    for (uint8_t spare = 1; spare <= kMostSpare; ++spare)
      for (size_t column = 0; column < widths_.size(); ++column) {
        size_t readable = std::min(tree_wish, places ? kReadableBeside : kReadable);
        if (paper_.columns >= fixed + readable) return;
        if (widths_[column] == 0 || outline_.columns[column].spare != spare) continue;
        fixed -= std::exchange(widths_[column], 0) + kGap;
        if (outline_.columns[column].place) places = false;
      }
  }

  void write_titles() {
    std::string line;
    for (size_t column = 0; column < widths_.size(); ++column)
      append(line, column, std::string(outline_.columns[column].title.view()));
    finish(line, Tone::quiet);
  }

  void write_line(size_t i) {
    const Outline::Line& line = outline_.lines[i];
    if (line.is_prose) return write_prose(i);
    std::string text;
    for (size_t column = 0; column < line.cells.size(); ++column) {
      std::string cell = show(line.cells[column], milliseconds_);
      append(text, column, outline_.columns[column].tree ? branches_[i] + cell : cell);
    }
    finish(text, line.tone);
  }

  /// Below the tree, over the columns on its right, wrapped between words.
  void write_prose(size_t i) {
    size_t before = 0;
    std::string text;
    for (size_t column = 0; column < outline_.lines[i].cells.size(); ++column) {
      if (outline_.columns[column].tree)
        text = std::get<Text>(outline_.lines[i].cells[column]).view();
      else if (widths_[column] > 0)
        before += widths_[column] + kGap;
    }
    const std::string margin = std::string(before, ' ') + branches_[i];
    const size_t page = paper_.cuts ? paper_.columns : before + kWidestUncut;
    const size_t room = std::max(page - std::min(page, width(margin)), kNarrowest);
    for (std::string_view rest = text; !rest.empty();) {
      std::string_view line = rest.substr(0, rest.find('\n'));
      rest.remove_prefix(std::min(rest.size(), line.size() + 1));
      std::string lines = wrapped(printable(line), 0, room);
      for (std::string_view left = lines; !left.empty();) {
        std::string_view one = left.substr(0, left.find('\n'));
        left.remove_prefix(std::min(left.size(), one.size() + 1));
        finish(margin + std::string(one), outline_.lines[i].tone);
      }
    }
  }

  void append(std::string& line, size_t column, const std::string& cell) const {
    if (widths_[column] == 0) return;
    std::string text = cut(cell, column);
    std::string padding(widths_[column] - std::min(widths_[column], width(text)), ' ');
    line += outline_.columns[column].right ? padding + text : text + padding;
    line += std::string(kGap, ' ');
  }

  std::string cut(const std::string& cell, size_t column) const {
    if (!paper_.cuts) return cell;
    return outline_.columns[column].place ? clip_left(cell, widths_[column])
                                          : clip(cell, widths_[column]);
  }

  void finish(std::string line, Tone tone) {
    line.resize(line.find_last_not_of(' ') + 1);
    if (paper_.cuts) line = clip(line, paper_.columns);
    const char* colour = paper_.colour ? escape(tone) : "";
    out_ << colour << line << (*colour != '\0' ? "\x1b[0m" : "") << '\n';
  }

  const Outline& outline_;
  const Paper& paper_;
  std::ostream& out_;
  std::vector<std::string> branches_;
  bool milliseconds_;
  std::vector<size_t> widths_;
};

}  // namespace

void write_text(const Document& document, const Paper& paper, std::ostream& out) {
  bool first = true;
  for (const Section& section : document.sections()) {
    const Outline* outline = std::get_if<Outline>(&section);
    if (outline == nullptr) continue;
    if (!std::exchange(first, false)) out << '\n';
    Page(*outline, paper, out).write();
  }
}

extern constinit const Renderer kTextRenderer = {
    .name = "text",
    .summary = "a tree for people (the default on a terminal)",
    .face = Face::outline,
    .write = write_text,
    .comes_in_lines = true,
};

}  // namespace xtrace
