#include "render/outline_cells.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/count.h"
#include "base/overloaded.h"
#include "base/text.h"

namespace xtrace {

namespace {

/// Moments that are given in whole seconds are left so.
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

constexpr std::string_view kAtLeast = "≥", kAbout = "~";

bool has_sign(const Cell& cell, std::string_view sign) {
  if (const Dollars* amount = std::get_if<Dollars>(&cell))
    return show_dollars(*amount).starts_with(sign);
  const Text* text = std::get_if<Text>(&cell);
  return text != nullptr && text->view().starts_with(sign);
}

/// The sign of a column of numbers, of which more than half are lower bounds or all are estimates;
/// empty: it has none.
std::string_view sign_of(const Outline& outline, size_t column) {
  if (!outline.columns[column].right) return {};
  size_t amounts = 0, bounds = 0, estimates = 0;
  for (const Outline::Line& line : outline.lines) {
    if (line.is_prose || column >= line.cells.size()) continue;
    const Cell& cell = line.cells[column];
    if (std::holds_alternative<std::monostate>(cell)) continue;
    ++amounts;
    bounds += has_sign(cell, kAtLeast);
    estimates += has_sign(cell, kAbout);
  }
  if (amounts < 2) return {};
  if (2 * bounds > amounts && bounds > 1) return kAtLeast;
  return estimates == amounts ? kAbout : std::string_view();
}

std::vector<std::string_view> find_signs(const Outline& outline) {
  std::vector<std::string_view> signs;
  signs.reserve(outline.columns.size());
  for (size_t column = 0; column < outline.columns.size(); ++column)
    signs.push_back(sign_of(outline, column));
  return signs;
}

}  // namespace

OutlineCells::OutlineCells(const Outline& outline, Zone zone)
    : outline_(outline),
      zone_(zone),
      milliseconds_(needs_milliseconds(outline)),
      signs_(find_signs(outline)) {}

std::string OutlineCells::title(size_t column) const {
  std::string title = printable(outline_.columns[column].title.view());
  const std::string_view sign = signs_[column];
  if (sign.empty() || title.starts_with(sign)) return title;
  return fmt::format("{}{}{}", sign, sign == kAtLeast ? " " : "", title);
}

std::string OutlineCells::show(const Cell& cell, size_t column) const {
  std::string shown = show(cell);
  if (shown.starts_with(signs_[column])) shown.erase(0, signs_[column].size());
  return shown;
}

std::string OutlineCells::show(const Cell& cell) const {
  return std::visit(Overloaded{
                        [](std::monostate) { return std::string(); },
                        [](std::nullptr_t) { return std::string("-"); },
                        [](bool truth) { return std::string(truth ? "yes" : "no"); },
                        [](int64_t number) { return show_count(number); },
                        [](double number) { return fmt::format("{:.2f}", number); },
                        [this](Moment moment) {
                          return milliseconds_ ? zone_.show({moment.time, 3}).substr(11, 12)
                                               : zone_.clock(moment.time);
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

bool is_money(std::string_view shown) {
  for (std::string_view sign : {"≥", "<", ">", "-", "+"})
    if (shown.starts_with(sign)) shown.remove_prefix(sign.size());
  return shown.starts_with('$') && shown.find(' ') == std::string_view::npos;
}

size_t bytes_of_cents(std::string_view shown) {
  size_t point = shown.find('.');
  return is_money(shown) && point != std::string_view::npos ? shown.size() - point : 0;
}

std::vector<std::string> foot_of(const Outline& outline, const std::vector<bool>& is_shown) {
  std::vector<std::string> sentences;
  const auto is_of_shown = [&](const Outline::Legend& legend) {
    for (size_t i = 0; i < outline.columns.size(); ++i)
      if (outline.columns[i].title.view() == legend.column) return bool{is_shown[i]};
    return false;
  };
  for (size_t i = 0; i <= outline.foot.size(); ++i) {
    std::string meanings;
    for (const Outline::Legend& legend : outline.legends)
      if (std::min(legend.before, outline.foot.size()) == i && is_of_shown(legend))
        meanings += fmt::format("{}{}: {}", meanings.empty() ? "" : "; ", legend.column,
                                legend.words.view());
    if (!meanings.empty()) sentences.push_back(std::move(meanings));
    if (i < outline.foot.size()) sentences.emplace_back(outline.foot[i].view());
  }
  return sentences;
}

/// Nobody follows a branch with the eye that far. Of a log of endless recursion, lines that are
/// each further to the right would take more room than all their text.
constexpr uint32_t kMostBranches = 100;

std::vector<double> cost_shares(const Outline& outline, size_t column) {
  constexpr size_t kFewest = 5;  // of fewer, each has a large share
  std::vector<double> shares(outline.lines.size());
  double sum = 0;
  size_t count = 0;
  for (size_t i = 0; i < shares.size(); ++i) {
    const Outline::Line& line = outline.lines[i];
    if (line.is_prose || line.is_total || column >= line.cells.size()) continue;
    size_t next = i + 1;
    while (next < shares.size() && outline.lines[next].is_prose) ++next;
    if (next < shares.size() && outline.lines[next].depth > line.depth) continue;
    const Dollars* cost = std::get_if<Dollars>(&line.cells[column]);
    if (cost == nullptr || cost->billionths <= 0) continue;
    shares[i] = static_cast<double>(cost->billionths);
    sum += shares[i];
    ++count;
  }
  const bool compares = std::ranges::any_of(outline.lines, [](const Outline::Line& line) {
    return line.tone == Tone::added || line.tone == Tone::removed || line.tone == Tone::changed;
  });
  if (count < kFewest || compares) return std::vector<double>(shares.size());
  for (double& share : shares) share /= sum;
  return shares;
}

std::vector<std::string> tree_branches(const Outline& outline) {
  std::vector<std::string> drawn(outline.lines.size());
  std::vector<bool> goes_on;  // per depth: does a sibling follow below?
  for (size_t i = outline.lines.size(); i-- > 0;) {
    uint32_t depth = outline.lines[i].depth;
    const bool is_prose = outline.lines[i].is_prose;
    goes_on.resize(is_prose ? std::max<size_t>(goes_on.size(), depth + 1) : depth + 1);
    std::string& branch = drawn[i];
    const uint32_t beside = is_prose ? depth + 1 : depth;
    const uint32_t most = is_prose ? kMostBranches + 1 : kMostBranches;
    for (uint32_t level = 1; level < std::min(beside, most); ++level)
      branch += goes_on[level] ? "│  " : "   ";
    if (depth > kMostBranches) branch += fmt::format("… {} ", depth);
    if (is_prose) continue;
    if (depth > 0) branch += goes_on[depth] ? "├─ " : "└─ ";
    goes_on[depth] = true;
  }
  return drawn;
}

}  // namespace xtrace
