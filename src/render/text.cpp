#include "base/text.h"

#include <algorithm>
#include <ostream>
#include <utility>

#include "render/outline_cells.h"
#include "render/renderer.h"

namespace xtrace {

namespace {

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

/// How the cost of a line is written that has this share of all costs; null: as the line is.
const char* heat_of(double share) {
  constexpr double kHot = 0.25, kWarm = 0.1;  // four and ten such lines are all that there can be
  return share >= kHot ? "\x1b[1;33m" : share >= kWarm ? "\x1b[33m" : nullptr;
}

/// A part of a line in a colour of its own.
struct Heat {
  size_t begin = 0, end = 0;  ///< bytes
  const char* colour = nullptr;
};

/// With a blank in each word that no line has room for, so that it goes on in the next one: behind
/// a slash where there is one, as such words are paths mostly. The text between two of these blanks
/// and the text after it do not fit into one line together.
std::string broken(std::string_view text, size_t columns) {
  constexpr size_t kNarrowest = 20;  // no line that can be read
  if (columns < kNarrowest) return std::string(text);
  std::string out;
  while (!text.empty()) {
    std::string_view word = text.substr(0, text.find(' '));
    text.remove_prefix(std::min(text.size(), word.size() + 1));
    while (width(word) > columns) {
      size_t bytes = head(word, std::min(word.size(), 4 * columns)).size();
      while (width(word.substr(0, bytes)) > columns) bytes = head(word, bytes - 1).size();
      if (const size_t slash = word.substr(0, bytes).rfind('/');
          slash != std::string_view::npos && slash > 0)
        bytes = slash + 1;
      out += word.substr(0, bytes);
      out += ' ';
      word.remove_prefix(bytes);
    }
    out += word;
    if (!text.empty()) out += ' ';
  }
  return out;
}

/// Puts an outline on a page: fixed columns as wide as their widest cell, the tree gets the rest.
class Page {
 public:
  Page(const Outline& outline, const Paper& paper, std::ostream& out)
      : outline_(outline),
        paper_(paper),
        out_(out),
        branches_(tree_branches(outline)),
        cells_(outline, paper.zone),
        widths_(outline.columns.size()),
        cents_(outline.columns.size()),
        same_(are_same(outline)),
        numbers_(outline.columns.size()) {
    while (cost_ < outline.columns.size() && outline.columns[cost_].role != Role::cost) ++cost_;
    if (paper.colour) shares_ = cost_shares(outline, cost_);
    shares_.resize(outline.lines.size());
    measure();
  }

  void write() {
    for (Text sentence : outline_.head) write_sentence(sentence.view());
    if (!outline_.head.empty() && !outline_.list.empty()) out_ << '\n';
    for (Text row : outline_.list) write_sentence(row.view());
    if (!outline_.head.empty() && !outline_.lines.empty()) out_ << '\n';
    if (!outline_.lines.empty()) write_titles();
    for (size_t i = 0; i < outline_.lines.size(); ++i) write_line(i);
    std::vector<bool> shown;
    for (size_t columns : widths_) shown.push_back(columns > 0);
    const std::vector<std::string> foot = foot_of(outline_, shown);
    if (!foot.empty() && !outline_.lines.empty()) out_ << '\n';
    for (const std::string& sentence : foot) write_sentence(sentence);
  }

 private:
  static constexpr size_t kGap = 2, kNarrowest = 20, kReadable = 44, kReadableAlong = 34,
                          kWidestCell = 44;
  // Beside a column of places the tree makes do with less.
  static constexpr size_t kNarrowestPlace = 24, kReadableBeside = 28, kNarrowestText = 12,
                          kNarrowestTitle = 6;
  static constexpr size_t kWidestUncut = 100;  // longer ones are out of line
  static constexpr uint8_t kMostSpare = 5;
  static constexpr std::string_view kCutMark = "…";  // of clip()

  std::vector<bool> are_same(const Outline& outline) const {
    std::vector<bool> same(outline.columns.size(), outline.lines.size() > 1);
    std::vector<const Cell*> first(same.size());
    for (const Outline::Line& line : outline.lines) {
      if (line.is_prose) continue;
      for (size_t column = 0; column < same.size(); ++column) {
        const Cell* cell = column < line.cells.size() ? &line.cells[column] : nullptr;
        const bool has_words = cell != nullptr && (std::holds_alternative<Text>(*cell) ||
                                                   std::holds_alternative<Dollars>(*cell));
        if (first[column] == nullptr && has_words) first[column] = cell;
        if (!has_words || cells_.show(*cell) != cells_.show(*first[column])) same[column] = false;
      }
    }
    return same;
  }

  /// On a page, in as many lines as it needs, those behind the first a little to the right.
  void write_sentence(std::string_view sentence) {
    std::string line = printable(sentence);
    const size_t indent = std::min(line.find_first_not_of(' '), line.size());
    const std::string_view words = std::string_view(line).substr(indent);
    const size_t hanging = indent + hanging_of(words);
    if (paper_.cuts && width(line) > paper_.columns)
      line = std::string(indent, ' ') +
             wrapped(broken(words, paper_.columns - std::min(hanging, paper_.columns)), hanging,
                     paper_.columns);
    out_ << line << '\n';
  }
  /// Behind the number of a row, `12. `, whatever its digits.
  static size_t hanging_of(std::string_view words) {
    constexpr size_t kHanging = 2;
    const size_t digits = std::min(words.find_first_not_of("0123456789"), words.size());
    return digits > 0 && words.substr(digits).starts_with(". ") ? digits + 2 : kHanging;
  }

  void measure() {
    size_t tree_wish = 0;
    const size_t widest = paper_.cuts ? kWidestCell : kWidestUncut;
    std::vector<size_t> dollars(widths_.size());  // before the point at which they line up
    for (size_t i = 0; i < outline_.lines.size(); ++i) {
      const Outline::Line& line = outline_.lines[i];
      if (line.is_prose) continue;
      for (size_t column = 0; column < line.cells.size(); ++column) {
        const std::string shown = cells_.show(line.cells[column], column);
        const size_t needed = width(shown);
        if (outline_.columns[column].tree)
          tree_wish = std::max(tree_wish, needed + width(branches_[i]));
        else
          widths_[column] = std::max(widths_[column], std::min(needed, widest));
        if (!outline_.columns[column].right || !is_money(shown)) continue;
        const size_t cents = bytes_of_cents(shown);
        cents_[column] = std::max(cents_[column], cents);
        dollars[column] = std::max(dollars[column], needed - cents);
      }
    }
    size_t fixed = 0;
    for (size_t column = 0; column < widths_.size(); ++column) {
      numbers_[column] = std::max(widths_[column], dollars[column] + cents_[column]);
      const size_t title = width(cells_.title(column));
      if (outline_.columns[column].tree) tree_wish = std::max(tree_wish, title);
      if (outline_.columns[column].tree || widths_[column] == 0) continue;  // empty: not shown
      widths_[column] = std::max({widths_[column], title, dollars[column] + cents_[column]});
      fixed += widths_[column] + kGap;
    }
    if (paper_.cuts) make_room(tree_wish, fixed);
    size_t room = paper_.columns > fixed ? paper_.columns - fixed : 0;
    if (!paper_.cuts) room = std::max(room, kWidestUncut);
    for (size_t column = 0; column < widths_.size(); ++column)
      if (outline_.columns[column].tree)
        widths_[column] = std::min(tree_wish, std::max(room, kNarrowestText));
  }

  /// Narrows and drops columns, so that the tree can be read and no number is cut.
  void make_room(size_t tree_wish, size_t& fixed) {
    if (drop_columns(tree_wish, fixed)) return;
    // What is left is needed; of texts a part will do.
    narrow_texts(std::min(tree_wish, kReadable), kNarrowest, fixed);
    narrow_texts(std::min(tree_wish, kNarrowest), kNarrowestText, fixed);
    if (fixed + std::min(tree_wish, kNarrowest) > paper_.columns) spare_numbers(tree_wish, fixed);
  }

  /// Until the tree has `wish`, but no text less than `narrowest`.
  void narrow_texts(size_t wish, size_t narrowest, size_t& fixed) {
    for (size_t column = 0; column < widths_.size(); ++column) {
      const size_t needed = fixed + wish;
      if (needed <= paper_.columns) return;
      const bool is_place = outline_.columns[column].place;  // was narrowed already
      if (outline_.columns[column].right || (is_place && narrowest > kNarrowestText)) continue;
      if (widths_[column] <= narrowest) continue;
      const size_t less = std::min(needed - paper_.columns, widths_[column] - narrowest);
      widths_[column] -= less;
      fixed -= less;
    }
  }

  /// True: the tree can be read.
  bool drop_columns(size_t tree_wish, size_t& fixed) {
    bool places = narrow_places(tree_wish, fixed);
    const auto fits = [&](size_t more, size_t readable = kReadable) {
      return fixed + more + std::min(tree_wish, places ? kReadableBeside : readable) <=
             paper_.columns;
    };
    std::vector<std::pair<size_t, size_t>> dropped;  // and how wide they were
    const auto drop = [&](size_t column) {
      for (bool is_first = true; column < widths_.size(); ++column, is_first = false) {
        if (!is_first && !outline_.columns[column].pair) return;
        if (widths_[column] == 0) continue;
        dropped.emplace_back(column, widths_[column]);
        fixed -= std::exchange(widths_[column], 0) + kGap;
        if (outline_.columns[column].place) places = false;
      }
    };
    for (size_t column = 0; column < widths_.size() && !fits(0); ++column)
      if (same_[column] && outline_.columns[column].spare > 0 && !outline_.columns[column].pair)
        drop(column);
    for (uint8_t spare = 1; spare <= kMostSpare; ++spare)
      for (size_t column = 0; column < widths_.size(); ++column) {
        // What is wanted most may cost the tree a few words.
        if (fits(0, spare == kMostSpare ? kReadableAlong : kReadable)) break;
        const Outline::Column& of = outline_.columns[column];
        if (of.spare == spare && !of.pair) drop(column);
      }
    if (!fits(0, kReadableAlong)) return false;
    // One that is wide may have left room for narrow ones that went before it.
    for (size_t i = dropped.size(); i-- > 0;) {
      const size_t last = i;
      size_t more = 0;
      while (i > 0 && outline_.columns[dropped[i].first].pair &&
             dropped[i - 1].first + 1 == dropped[i].first)
        more += dropped[i--].second + kGap;
      more += dropped[i].second + kGap;
      if (outline_.columns[dropped[i].first].place || !fits(more)) continue;
      for (size_t back = i; back <= last; ++back)
        widths_[dropped[back].first] = dropped[back].second;
      fixed += more;
    }
    return true;
  }

  /// Titles go before numbers do, and whole columns before a part of a number is lost.
  void spare_numbers(size_t tree_wish, size_t& fixed) {
    for (size_t column = 0; column < widths_.size(); ++column) {
      const size_t needed = fixed + std::min(tree_wish, kNarrowest);
      if (needed <= paper_.columns) return;
      const size_t least = std::max(numbers_[column], kNarrowestTitle);
      if (!outline_.columns[column].right || widths_[column] <= least) continue;
      const size_t less = std::min(needed - paper_.columns, widths_[column] - least);
      widths_[column] -= less;
      fixed -= less;
    }
    for (size_t column = 0; column + 1 < widths_.size(); ++column) {
      if (fixed + std::min(tree_wish, kNarrowestText) <= paper_.columns) return;
      if (outline_.columns[column].tree || widths_[column] == 0) continue;
      fixed -= std::exchange(widths_[column], 0) + kGap;
    }
  }

  /// Are there any?
  bool narrow_places(size_t tree_wish, size_t& fixed) {
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
    return places;
  }

  void write_titles() {
    std::string line;
    for (size_t column = 0; column < widths_.size(); ++column)
      append(line, column, cells_.title(column));
    finish(line, Tone::quiet);
  }

  void write_line(size_t i) {
    const Outline::Line& line = outline_.lines[i];
    if (line.is_prose) return write_prose(i);
    std::string text;
    Heat heat;
    for (size_t column = 0; column < line.cells.size(); ++column) {
      std::string cell = cells_.show(line.cells[column], column);
      if (outline_.columns[column].tree) {
        cell.insert(0, branches_[i]);
        if (ends_at(line, column) && paper_.cuts) {  // room for all its words
          text += cell;
          break;
        }
        if (line.yields_to > 0) cell = yielding(line, column, branches_[i]);
      }
      const size_t begin = text.size();
      append(text, column, cell);
      if (column == cost_)
        heat = {text.find_first_not_of(' ', begin), text.find_last_not_of(' ') + 1,
                heat_of(shares_[i])};
    }
    finish(text, line.tone, heat);
  }

  /// Is nothing said on the right of it?
  static bool ends_at(const Outline::Line& line, size_t column) {
    return std::all_of(
        line.cells.begin() + static_cast<ptrdiff_t>(column) + 1, line.cells.end(),
        [](const Cell& cell) { return std::holds_alternative<std::monostate>(cell); });
  }

  /// The words in the tree, those that may give way as short as they have to be.
  std::string yielding(const Outline::Line& line, size_t column, const std::string& branch) const {
    constexpr size_t kLeast = 1;
    const std::string_view words = std::get<Text>(line.cells[column]).view();
    const std::string before = branch + printable(words.substr(0, line.yields_from)),
                      after = printable(words.substr(line.yields_to));
    std::string yields =
        printable(words.substr(line.yields_from, line.yields_to - line.yields_from));
    const size_t others = width(before) + width(after), room = widths_[column];
    if (paper_.cuts && others + width(yields) > room)
      yields = clip(yields, std::max(kLeast, room - std::min(room, others)));
    return before + yields + after;
  }

  /// A text with its breaks of lines.
  std::string words_of(const Cell& cell, size_t column) const {
    const Text* text = std::get_if<Text>(&cell);
    return text != nullptr ? std::string(text->view()) : cells_.show(cell, column);
  }

  /// Below the tree, over the columns on its right, wrapped between words.
  void write_prose(size_t i) {
    size_t before = 0;
    std::string text;
    for (size_t column = 0; column < outline_.lines[i].cells.size(); ++column) {
      if (outline_.columns[column].tree)
        text = words_of(outline_.lines[i].cells[column], column);
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
    if (size_t cents = bytes_of_cents(text); is_money(text) && cents_[column] > cents)
      text.append(cents_[column] - cents, ' ');
    std::string padding(widths_[column] - std::min(widths_[column], width(text)), ' ');
    line += outline_.columns[column].right ? padding + text : text + padding;
    line += std::string(kGap, ' ');
  }

  std::string cut(const std::string& cell, size_t column) const {
    if (!paper_.cuts) return cell;
    return outline_.columns[column].place ? clip_left(cell, widths_[column])
                                          : clip(cell, widths_[column]);
  }

  void finish(std::string line, Tone tone, Heat heat = {}) {
    line.resize(line.find_last_not_of(' ') + 1);
    heat.end = std::min(heat.end, line.size());
    const std::string whole = line;
    if (paper_.cuts) line = clip(line, paper_.columns);
    const char* colour = paper_.colour ? escape(tone) : "";
    const bool is_kept = line == whole || heat.end + kCutMark.size() <= line.size();
    if (paper_.colour && heat.colour != nullptr && heat.begin < heat.end && is_kept) {
      line.insert(heat.end, std::string("\x1b[0m") + colour);
      line.insert(heat.begin, heat.colour);
    }
    out_ << colour << line << (*colour != '\0' ? "\x1b[0m" : "") << '\n';
  }

  const Outline& outline_;
  const Paper& paper_;
  std::ostream& out_;
  std::vector<std::string> branches_;
  OutlineCells cells_;
  std::vector<size_t> widths_;
  std::vector<size_t> cents_;    ///< of amounts of money, the most bytes behind whole dollars
  std::vector<bool> same_;       ///< columns that say one thing all along
  std::vector<size_t> numbers_;  ///< how wide columns are without their titles
  size_t cost_ = 0;              ///< the first column of costs; behind the last: there is none
  std::vector<double> shares_;   ///< by line: of its cost in all costs
};

void write_ranked(const Outline& outline, const Paper& paper, std::ostream& out) {
  if (!is_ranked(outline, paper.ranking)) return Page(outline, paper, out).write();
  auto [lines, list, left_out] = rank_lines(outline, paper.ranking);
  const Outline shown{outline.head, outline.columns, std::move(lines),
                      outline.foot, std::move(list), outline.legends};
  Page(shown, paper, out).write();
  if (left_out == 0) return;
  const std::string words = left_out_words(left_out, choice_of(outline, paper.ranking));
  out << (paper.cuts ? wrapped(words, 2, paper.columns) : words) << '\n';
}

}  // namespace

void write_text(const Document& document, const Paper& paper, std::ostream& out) {
  bool first = true;
  for (const Section& section : document.sections()) {
    const Outline* outline = std::get_if<Outline>(&section);
    if (outline == nullptr) continue;
    if (!std::exchange(first, false)) out << '\n';
    write_ranked(*outline, paper, out);
  }
}

extern constinit const Renderer kTextRenderer = {
    .name = "text",
    .summary = "tree and tables for people (default)",
    .face = Face::outline,
    .write = write_text,
    .comes_in_lines = true,
};

}  // namespace xtrace
