#include <algorithm>
#include <ostream>

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

  void write(const FlatTable& table) {
    std::string line(table.group);
    for (const Column& column : table.columns) add(line, std::string(column.key));
    finish(line);
    table.rows([&](size_t nth, std::span<const Cell> row) {
      std::string cells = table.group.empty() ? "" : std::to_string(nth);
      begun_ = !table.group.empty();
      for (const Cell& cell : row) add(cells, quoted(cell));
      finish(cells);
    });
  }

 private:
  void add(std::string& line, const std::string& cell) {
    if (begun_ || !line.empty()) line += ',';
    begun_ = true;
    line += cell;
  }
  void finish(const std::string& line) {
    out_ << line << "\r\n";
    begun_ = false;
  }

  std::ostream& out_;
  bool begun_ = false;  ///< the line at hand has a cell, which may be empty
};

}  // namespace

void write_csv(const Document& document, const Paper& paper, std::ostream& out) {
  bool found = false;
  flat_tables(document, [&](const FlatTable& table) {
    bool is_own = !is_preface(table.name) && !table.is_record;
    if (found || (paper.table.empty() ? !is_own : table.name != paper.table)) return;
    found = true;
    CsvRows(out).write(table);
  });
}

extern constinit const Renderer kCsvRenderer = {
    .name = "csv",
    .summary = "a table of it, for spreadsheets",
    .face = Face::tables,
    .write = write_csv,
    .takes_table = true,
};

}  // namespace xtrace
