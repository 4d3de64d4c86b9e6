#include <fmt/format.h>

#include <algorithm>
#include <ostream>
#include <utility>

#include "render/flat.h"
#include "render/renderer.h"

namespace xtrace {

namespace {

/// Does a spreadsheet take it for a formula? Some skip blanks before the sign, and some take its
/// wide form for it.
bool is_formula(std::string_view text) {
  if (text.starts_with('\t') || text.starts_with('\r')) return true;
  text.remove_prefix(std::min(text.size(), text.find_first_not_of(" \t\r\n")));
  for (std::string_view sign : {"=", "+", "-", "@", "\uff1d", "\uff0b", "\uff0d", "\uff20"})
    if (text.starts_with(sign)) return true;
  return false;
}

/// RFC 4180, 2: in quotes where it holds one, a comma or the end of a line. An apostrophe before
/// what could be a formula makes it a text (OWASP, CSV injection).
std::string quoted(const Cell& cell) {
  std::string text = flat_text(cell);
  if (is_text(cell) && is_formula(text)) text.insert(0, 1, '\'');
  bool is_bare = text.find_first_of("\",\r\n") == std::string::npos && !text.starts_with(' ') &&
                 !text.ends_with(' ');
  if (is_bare) return text;
  std::string all = "\"";
  for (char c : text) all.append(c == '"' ? 2 : 1, c);
  return all + '"';
}

class CsvRows {
 public:
  explicit CsvRows(std::ostream& out) : out_(out) {}

  /// Returns how many rows the ranking leaves out.
  size_t write(const FlatTable& table, const Ranking& ranking) {
    std::string line(table.group);
    for (const Column& column : table.columns) add(line, std::string(column.key));
    out_ << finished(std::move(line));
    return write_ranked(
        table, ranking,
        [&](size_t nth, std::span<const Cell> row) {
          std::string cells = table.group.empty() ? "" : std::to_string(nth);
          begun_ = !table.group.empty();
          for (const Cell& cell : row) add(cells, quoted(cell));
          return finished(std::move(cells));
        },
        out_);
  }

 private:
  void add(std::string& line, const std::string& cell) {
    if (begun_ || !line.empty()) line += ',';
    begun_ = true;
    line += cell;
  }
  std::string finished(std::string line) {
    begun_ = false;
    return std::move(line) + "\r\n";
  }

  std::ostream& out_;
  bool begun_ = false;  ///< the line at hand has a cell, which may be empty
};

/// The table that holds what most come for, if this answer has it; else its first.
std::string table_for(const Document& document, const Paper& paper) {
  if (!paper.table.empty()) return paper.table;
  std::string first;
  bool has_rows = false;
  flat_tables(document, [&](const FlatTable& table) {
    if (is_preface(table.name) || table.is_record) return;
    if (first.empty()) first = table.name;
    has_rows |= table.name == paper.rows;
  });
  return has_rows ? std::string(paper.rows) : first;
}

void tell_of_ranking(const FlatTable& table, size_t left_out, const Paper& paper) {
  if (!paper.remark) return;
  if (paper.ranking.by != Ranking::By::place && !has_figure(table.columns, paper.ranking.by))
    paper.remark(fmt::format("--sort {}: the table '{}' has no such column; its order is unchanged",
                             kRankingWords[static_cast<size_t>(paper.ranking.by)], table.name));
  if (left_out > 0) paper.remark(left_out_words(left_out));
}

}  // namespace

void write_csv(const Document& document, const Paper& paper, std::ostream& out) {
  const std::string wanted = table_for(document, paper);
  bool found = false;
  flat_tables(document, [&](const FlatTable& table) {
    if (found || table.name != wanted) return;
    found = true;
    tell_of_ranking(table, CsvRows(out).write(table, paper.ranking), paper);
  });
}

extern constinit const Renderer kCsvRenderer = {
    .name = "csv",
    .summary = "one table, for spreadsheets",
    .face = Face::tables,
    .write = write_csv,
    .takes_table = true,
    .has_one_table = true,
};

}  // namespace xtrace
