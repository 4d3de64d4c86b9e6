#include <fmt/format.h>

#include <algorithm>
#include <ostream>
#include <sstream>
#include <vector>

#include "base/text.h"
#include "render/markdown_text.h"
#include "render/outline_cells.h"
#include "render/renderer.h"

namespace xtrace {

namespace {

// A comment on GitHub has room for 65,536 characters.
constexpr size_t kMostPageBytes = 60'000, kReserve = 2'000;
constexpr size_t kMostOpen = 12, kMostOpenInAll = 30;  ///< lines that are not folded
constexpr size_t kMostSentences = 30, kWidestSentence = 600, kWidestCell = 200;

std::string sentence(std::string_view text) {
  return markdown_text(clip(printable(text), kWidestSentence));
}

/// What is said above and below a table.
void write_sentences(const std::vector<std::string>& texts, std::ostream& out) {
  std::vector<std::string> sentences;
  for (const std::string& text : texts)
    if (std::string one = sentence(text); !one.empty()) sentences.push_back(std::move(one));
  if (sentences.empty()) return;
  for (size_t i = 0; i < sentences.size() && i < kMostSentences; ++i)
    out << (sentences.size() == 1 ? "" : "- ") << sentences[i] << '\n';
  if (sentences.size() > kMostSentences)
    out << fmt::format("- and {} more\n", sentences.size() - kMostSentences);
  out << '\n';
}

bool is_flat(const Outline& outline) {
  return std::none_of(outline.lines.begin(), outline.lines.end(),
                      [](const Outline::Line& line) { return line.depth > 0 || line.is_prose; });
}

/// The rows of one outline that fit into `room` bytes, as a table of Markdown, or a tree as text.
class Rows {
 public:
  Rows(const Outline& outline, size_t room) : outline_(outline) {
    if (is_flat(outline))
      make_table(room);
    else
      make_tree(room);
  }

  const std::string& text() const { return text_; }
  size_t left_out() const { return outline_.lines.size() - shown_; }

 private:
  void make_table(size_t room) {
    OutlineCells cells(outline_);
    std::vector<bool> is_known(outline_.columns.size(), false);
    for (const Outline::Line& line : outline_.lines)
      for (size_t i = 0; i < line.cells.size(); ++i)
        if (!cells.show(line.cells[i], i).empty()) is_known[i] = true;
    std::string rule = "|";
    text_ = "|";
    for (size_t i = 0; i < is_known.size(); ++i) {
      if (!is_known[i]) continue;
      text_ += ' ' + markdown_cell(cells.title(i)) + " |";
      rule += outline_.columns[i].right ? " ---: |" : " --- |";
    }
    text_ += '\n' + rule + '\n';
    for (; shown_ < outline_.lines.size(); ++shown_) {
      const Outline::Line& line = outline_.lines[shown_];
      std::string row = "|";
      for (size_t i = 0; i < is_known.size(); ++i)
        if (is_known[i])
          row += ' ' +
                 (i < line.cells.size()
                      ? markdown_cell(clip(cells.show(line.cells[i], i), kWidestCell))
                      : "") +
                 " |";
      if (text_.size() + row.size() > room) return;
      text_ += row + '\n';
    }
  }

  /// As many lines as fit: half of them, and half of those, until they do, and then the most.
  void make_tree(size_t room) {
    size_t fits = 0, too_many = outline_.lines.size() + 1;
    for (size_t lines = outline_.lines.size(); fits + 1 < too_many;
         lines = fits + (too_many - fits) / 2) {
      std::string text = tree_of(lines);
      if (text.size() <= room) {
        fits = lines;
        text_ = std::move(text);
      } else {
        too_many = lines;
      }
    }
    shown_ = fits;
  }

  std::string tree_of(size_t lines) const {
    Document document("");
    document.add(
        Outline{{},
                outline_.columns,
                {outline_.lines.begin(), outline_.lines.begin() + static_cast<ptrdiff_t>(lines)},
                {},
                {}});
    std::ostringstream out;
    write_text(document, Paper{}, out);
    const std::string text = out.str();
    std::string fence = "```";
    while (text.find(fence) != std::string::npos) fence += '`';
    return fence + "text\n" + text + fence + '\n';
  }

  const Outline& outline_;
  std::string text_;
  size_t shown_ = 0;
};

/// `error: 2 lines`, by the title of the column that distinguishes them; of a tree `19 lines`.
std::string summary_of(const Outline& outline) {
  std::string lines =
      outline.lines.size() == 1 ? "1 line" : fmt::format("{} lines", outline.lines.size());
  for (const Outline::Column& column : outline.columns)
    if (column.tree && is_flat(outline) && !column.title.empty())
      return fmt::format("{}: {}", column.title.view(), lines);
  return lines;
}

/// Which columns have any?
std::vector<bool> with_cells(const Outline& outline) {
  std::vector<bool> are(outline.columns.size());
  for (const Outline::Line& line : outline.lines)
    for (size_t column = 0; column < line.cells.size(); ++column)
      if (!std::holds_alternative<std::monostate>(line.cells[column])) are[column] = true;
  return are;
}

/// What is above and below the rows has its place first.
std::string part_of(const Outline& outline, size_t ranked_out, std::string_view choice, bool folds,
                    size_t room) {
  std::ostringstream head, foot;
  std::vector<std::string> above;
  for (const std::vector<Text>& sentences : {outline.head, outline.list})
    for (Text one : sentences) above.emplace_back(one.view());
  write_sentences(above, head);
  write_sentences(foot_of(outline, with_cells(outline)), foot);
  std::string part = head.str();
  if (!outline.lines.empty()) {
    const size_t said = part.size() + foot.str().size();
    const Rows rows(outline, room > said ? room - said : 0);
    if (folds) part += fmt::format("<details><summary>{}</summary>\n\n", summary_of(outline));
    part += rows.text() + '\n';
    if (rows.left_out() > 0)
      part += fmt::format("{} of them are not shown here; -f text shows all\n\n",
                          rows.left_out() + ranked_out);
    else if (ranked_out > 0)
      part += left_out_words(ranked_out, choice) + "\n\n";
    if (folds) part += "</details>\n\n";
  } else if (ranked_out > 0) {
    part += left_out_words(ranked_out, choice) + "\n\n";
  }
  return part + foot.str();
}

void write_page(const Document& document, const Paper& paper, std::ostream& out) {
  std::vector<const Outline*> outlines;
  for (const Section& section : document.sections())
    if (const Outline* outline = std::get_if<Outline>(&section)) outlines.push_back(outline);
  std::string page = fmt::format("### xtrace {}\n\n", document.view());
  size_t open = 0;  // lines so far
  for (size_t i = 0; i < outlines.size(); ++i) {
    if (page.size() + kReserve >= kMostPageBytes) {
      page +=
          fmt::format("{} more parts are not shown here; -f text shows all\n", outlines.size() - i);
      break;
    }
    Outline shown = *outlines[i];
    size_t ranked_out = 0;
    if (is_ranked(shown, paper.ranking)) {
      auto [lines, list, left_out] = rank_lines(*outlines[i], paper.ranking);
      shown.lines = std::move(lines);
      shown.list = std::move(list);
      ranked_out = left_out;
    }
    const size_t room = (kMostPageBytes - kReserve - page.size()) / (outlines.size() - i);
    const bool folds = shown.lines.size() > (open < kMostOpenInAll ? kMostOpen : 0);
    if (!folds) open += shown.lines.size();
    const std::string part =
        part_of(shown, ranked_out, choice_of(shown, paper.ranking), folds, room);
    page += page.size() + part.size() + kReserve / 2 <= kMostPageBytes
                ? part
                : "A part is not shown here; -f text shows it.\n\n";
  }
  while (page.ends_with("\n\n")) page.pop_back();
  out << page;
}

}  // namespace

void write_markdown_page(const Document& document, const Paper& paper, std::ostream& out) {
  write_page(document, paper, out);
}

extern constinit const Renderer kMarkdownPage = {
    .name = "markdown",
    .summary = "page for pull requests and reports",
    .face = Face::outline,
    .write = write_page,
};

}  // namespace xtrace
