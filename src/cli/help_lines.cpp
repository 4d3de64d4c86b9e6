#include "cli/help_lines.h"

#include <algorithm>
#include <vector>

#include "base/system.h"
#include "base/text.h"

namespace xtrace {

namespace {

constexpr std::string_view kIndent = "  ";
constexpr std::string_view kBelow = "      ";

/// The left column, and its description after a gap of two blanks or more.
struct Row {
  std::string_view left;
  std::string said;
};

Row row_of(std::string_view line) {
  line.remove_prefix(kIndent.size());
  const size_t gap = line.find("  ", line.find_first_not_of(' '));  // `    --json  same as -f json`
  if (gap == line.npos) return {line, {}};
  return {line.substr(0, gap), std::string(line.substr(line.find_first_not_of(' ', gap)))};
}

/// Lines of one kind, one behind the other: a paragraph, or rows.
using HelpBlock = std::vector<std::string_view>;

bool is_row(std::string_view line) {
  return line.starts_with(kIndent);
}

/// Does the line continue the row above it? An option without a short form is as far to the right.
bool is_continuation(std::string_view line) {
  return line.starts_with(kBelow) && line[line.find_first_not_of(' ')] != '-';
}

std::string fitted_rows(const HelpBlock& block, size_t columns) {
  std::vector<Row> rows;
  size_t left = 0;
  for (std::string_view line : block) {
    if (is_continuation(line) && !rows.empty()) {
      rows.back().said += ' ';
      rows.back().said += line.substr(line.find_first_not_of(' '));
      continue;
    }
    rows.push_back(row_of(line));
    left = std::max(left, width(rows.back().left));
  }
  constexpr size_t kWidestLeft = 24, kGap = 2;
  const bool is_below = left > kWidestLeft;
  const size_t begin = is_below ? kBelow.size() : kIndent.size() + left + kGap;
  std::string text;
  for (const Row& row : rows) {
    text += std::string(kIndent).append(row.left);
    if (!row.said.empty())
      text += (is_below ? '\n' + std::string(kBelow)
                        : std::string(left + kGap - width(row.left), ' ')) +
              wrapped(row.said, begin, columns);
    text += '\n';
  }
  return text;
}

std::string fitted(const HelpBlock& block, size_t columns) {
  std::string text;
  if (std::all_of(block.begin(), block.end(),
                  [&](std::string_view line) { return width(line) <= columns; })) {
    for (std::string_view line : block) text += std::string(line) + '\n';
    return text;
  }
  if (is_row(block.front())) return fitted_rows(block, columns);
  for (std::string_view line : block) text += (text.empty() ? "" : " ") + std::string(line);
  return wrapped(text, 0, columns) + '\n';
}

}  // namespace

std::string fitted(std::string_view text, size_t columns) {
  std::string all;
  HelpBlock block;
  auto end_block = [&] {
    if (!block.empty()) all += fitted(block, columns);
    block.clear();
  };
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), line.size() + 1));
    if (!block.empty() && (line.empty() || is_row(line) != is_row(block.front()))) end_block();
    if (line.empty())
      all += '\n';
    else
      block.push_back(line);
  }
  end_block();
  return all;
}

}  // namespace xtrace
