#include <fmt/format.h>

#include <algorithm>
#include <ostream>
#include <vector>

#include "render/flat.h"
#include "render/markdown_text.h"
#include "render/renderer.h"
#include "render/verdicts.h"

namespace xtrace {

namespace {

std::string shown(const Cell& cell) {
  std::string text = flat_text(cell);
  return is_text(cell) || std::holds_alternative<const Texts*>(cell) ||
                 std::holds_alternative<const Table*>(cell) ||
                 std::holds_alternative<const Entries*>(cell) ||
                 std::holds_alternative<const TextLists*>(cell)
             ? markdown_cell(text)
             : text;
}

bool is_number(CellKind kind) {
  return kind == CellKind::integer || kind == CellKind::number || kind == CellKind::milliseconds;
}

/// What is known of one thing, a key a row.
void write_record(const FlatTable& table, std::ostream& out) {
  table.rows([&](size_t nth, std::span<const Cell> row) {
    out << "| " << (table.group.empty() ? "" : std::string(table.group) + ' ' + std::to_string(nth))
        << " |  |\n| --- | --- |\n";
    for (size_t i = 0; i < row.size(); ++i)
      if (std::string text = shown(row[i]); !text.empty())
        out << "| " << markdown_cell(table.columns[i].key) << " | " << text << " |\n";
    out << '\n';
  });
}

/// Columns of which nothing is known in any row are left out; which those are is known behind the
/// last row, so it is made twice.
void write_table(const FlatTable& table, const Ranking& ranking, std::ostream& out) {
  std::vector<bool> is_known(table.columns.size(), false);
  table.rows([&](size_t, std::span<const Cell> row) {
    for (size_t i = 0; i < row.size(); ++i)
      if (!std::holds_alternative<std::monostate>(row[i])) is_known[i] = true;
  });
  std::string titles = table.group.empty() ? "|" : "| " + markdown_cell(table.group) + " |";
  std::string rule = table.group.empty() ? "|" : "| ---: |";
  for (size_t i = 0; i < is_known.size(); ++i) {
    if (!is_known[i]) continue;
    titles += ' ' + markdown_cell(table.columns[i].key) + " |";
    rule += is_number(table.columns[i].kind) ? " ---: |" : " --- |";
  }
  out << titles << '\n' << rule << '\n';
  const size_t left_out = write_ranked(
      table, ranking,
      [&](size_t nth, std::span<const Cell> row) {
        std::string line = table.group.empty() ? "|" : fmt::format("| {} |", nth);
        for (size_t i = 0; i < row.size(); ++i)
          if (is_known[i]) line += ' ' + shown(row[i]) + " |";
        return line + '\n';
      },
      out);
  out << '\n';
  if (left_out > 0) out << left_out_words(left_out) << "\n\n";
}

bool is_empty(const FlatTable& table) {
  bool any = false;
  table.rows([&](size_t, std::span<const Cell> row) {
    any |= std::any_of(row.begin(), row.end(), [](const Cell& cell) {
      return !std::holds_alternative<std::monostate>(cell);
    });
  });
  return !any;
}

}  // namespace

void write_markdown(const Document& document, const Paper& paper, std::ostream& out) {
  // A table of scenarios would hold their verdicts as JSON.
  if (paper.table.empty() && has_report(document))
    return write_verdict_report(*document.verdicts(), out);
  if (paper.table.empty()) out << "# xtrace " << document.view() << "\n\n";
  flat_tables(document, [&](const FlatTable& table) {
    if (!paper.table.empty() ? table.name != paper.table : is_empty(table)) return;
    if (!table.name.empty() && paper.table.empty())
      out << "## " << markdown_text(table.name) << "\n\n";
    if (table.is_record && table.group.empty())
      write_record(table, out);
    else
      write_table(table, paper.ranking, out);
  });
}

extern const Renderer kMarkdownPage;

extern constinit const Renderer kMarkdownRenderer = {
    .name = "markdown",
    .summary = "tables for reports",
    .face = Face::tables,
    .write = write_markdown,
    .takes_table = true,
    .page = &kMarkdownPage,
};

}  // namespace xtrace
