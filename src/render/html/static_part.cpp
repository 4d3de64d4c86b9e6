#include "render/html/static_part.h"

#include <fmt/format.h>

#include <algorithm>
#include <ostream>

#include "base/overloaded.h"
#include "base/text.h"
#include "base/time.h"
#include "base/utf8.h"
#include "render/chart/chart_cells.h"
#include "render/flat.h"

namespace xtrace {

namespace {

constexpr size_t kMostStaticRows = 200;
constexpr size_t kMostColumns = 200;  // of a name

/// A control character as its picture (Unicode, 24.1), one that turns the direction by its number.
void append_visible(std::string& out, char32_t character) {
  if (character < 0x20)
    append_utf8(out, 0x2400 + character);
  else if (character == 0x7f)
    out += "\u2421";
  else if (acts_on_terminal(character))
    out += fmt::format("\u27e8U+{:04X}\u27e9", static_cast<uint32_t>(character));
  else
    append_utf8(out, character);
}

std::string money(int64_t billionths) {
  return billionths == Chart::kUnknown ? "" : show_dollars({billionths});
}
std::string length(int64_t us) {
  return us == Chart::kUnknown ? "" : format_span(duration_of(us));
}

/// `error, rate_limit`; of a call whose tools failed, which and why.
std::string state_of(const Chart& chart, const Chart::Mark& mark) {
  if (mark.tool_failed && !mark.failed) return chart.tool_errors(mark);
  std::string state(chart.text(chart.nature(mark).status));
  if (chart.nature(mark).error) state.append(", ").append(chart.text(chart.nature(mark).error));
  return mark.tool_failed ? state + "; " + chart.tool_errors(mark) : state;
}

void write_row(const Chart& chart, const Chart::Mark& mark, std::ostream& out) {
  const std::string start = mark.is_timed() ? format_clock(Time(duration_of(mark.start_us))) : "";
  out << "<tr><td><bdi>" << for_markup(clip(chart.label(mark), kMostColumns))
      << "</bdi></td><td><bdi>" << for_markup(clip(chart.text(mark.agent), kMostColumns))
      << "</bdi></td><td>" << start << "</td><td>" << length(mark.duration_us) << "</td><td>"
      << money(chart.figures(mark).cost_nusd) << "</td><td><bdi>"
      << for_markup(clip(state_of(chart, mark), kMostColumns)) << "</bdi></td><td><bdi>"
      << for_markup(clip_left(chart.place(mark), kMostColumns)) << "</bdi></td></tr>\n";
}

void write_sums(const Chart& chart, std::ostream& out) {
  int64_t cost = 0;
  size_t rows = 0, priced = 0, failed = 0;
  bool is_least = false;
  for (const Chart::Mark& mark : chart.marks) {
    if (mark.is_old) continue;
    ++rows;
    failed += mark.failed;
    is_least |= chart.costs_more(mark);
    const int64_t mark_cost = chart.figures(mark).cost_nusd;
    if (mark_cost == Chart::kUnknown) continue;
    cost = sum_of(cost, mark_cost);
    ++priced;
  }
  const bool has_old = rows < chart.marks.size();
  out << fmt::format("<h2>{} rows{}, {} links</h2>\n<p>", chart.marks.size(),
                     has_old ? fmt::format(" of both runs, {} of the new one", rows) : "",
                     chart.arrows.size());
  if (auto [first, last] = chart.span(); first != last && !has_old)
    out << format_time({Time(duration_of(first)), 0}) << ", elapsed " << length(last - first)
        << "; ";
  out << failed << " failed";
  if (priced > 0) out << "; cost " << (is_least ? "at least " : "") << money(cost);
  out << ".</p>\n";
}

void write_warnings(const Document& document, std::ostream& out) {
  flat_tables(document, [&](const FlatTable& table) {
    if (table.name != "warnings") return;
    const CellKey code(table.columns, {"code"}), at(table.columns, {"at"});
    table.rows([&](size_t, std::span<const Cell> row) {
      out << "<p>Warning: <bdi>" << for_markup(text_of(code.in(row))) << ' '
          << for_markup(text_of(at.in(row))) << "</bdi></p>\n";
    });
  });
}

/// The first tables of an answer that has no nodes.
void write_tables(const Document& document, std::ostream& out) {
  size_t left = kMostStaticRows;
  flat_tables(document, [&](const FlatTable& table) {
    if (is_preface(table.name) || table.is_record || left == 0) return;
    out << "<h3>" << for_markup(table.name) << "</h3>\n<table><thead><tr>";
    for (const Column& column : table.columns) out << "<th>" << for_markup(column.key) << "</th>";
    out << "</tr></thead><tbody>\n";
    table.rows([&](size_t, std::span<const Cell> row) {
      if (left == 0) return;
      --left;
      out << "<tr>";
      for (const Cell& cell : row)
        out << "<td><bdi>" << for_markup(clip(flat_text(cell), kMostColumns)) << "</bdi></td>";
      out << "</tr>\n";
    });
    out << "</tbody></table>\n";
  });
}

}  // namespace

std::string for_markup(std::string_view text) {
  std::string markup;
  while (!text.empty()) {
    const auto [character, length] = decode(text);
    switch (character) {
      case '&': markup += "&amp;"; break;
      case '<': markup += "&lt;"; break;
      case '>': markup += "&gt;"; break;
      case '"': markup += "&quot;"; break;
      case '\'': markup += "&#39;"; break;
      default: append_visible(markup, character);
    }
    text.remove_prefix(length);
  }
  return markup;
}

/// What is asked about, where that is one thing: an agent has a name besides the call it began
/// with.
std::string subject_of(const Document& document) {
  std::string subject;
  flat_tables(document, [&](const FlatTable& table) {
    if (!table.name.empty() || !table.group.empty()) return;
    const CellKey key(table.columns, {"agent.name", "target", "queryId"});
    table.rows([&](size_t, std::span<const Cell> row) {
      if (const std::string_view name = text_of(key.in(row)); !name.empty()) subject = name;
    });
  });
  return subject;
}

std::string title_of(const Document& document) {
  std::string first;
  size_t count = 0;
  flat_tables(document, [&](const FlatTable& table) {
    if (table.name != "inputs" || !table.group.empty()) return;
    const CellKey path(table.columns, {"path"});
    table.rows([&](size_t, std::span<const Cell> row) {
      if (count++ == 0) first = text_of(path.in(row));
    });
  });
  first.erase(0, first.find_last_of('/') + 1);
  std::string title(document.view());
  if (document.view() == "explain" || document.view() == "trace")
    if (const std::string subject = subject_of(document); !subject.empty())
      title += ' ' + clip(subject, kMostColumns / 4);
  title += " of " + (first.empty() ? "no input" : first);
  if (count > 1) title += fmt::format(" and {} more", count - 1);
  return clip(title, kMostColumns);
}

void write_static_part(const Document& document, const Chart& chart, std::ostream& out) {
  write_sums(chart, out);
  write_warnings(document, out);
  if (chart.marks.empty()) return write_tables(document, out);
  if (chart.marks.size() > kMostStaticRows)
    out << "<p>The first " << kMostStaticRows << " of " << chart.marks.size() << " rows:</p>\n";
  out << "<table><thead><tr><th>what</th><th>agent</th><th>start</th><th>took</th><th>cost</th>"
         "<th>state</th><th>at</th></tr></thead><tbody>\n";
  for (size_t i = 0; i < std::min(chart.marks.size(), kMostStaticRows); ++i)
    write_row(chart, chart.marks[i], out);
  out << "</tbody></table>\n";
}

}  // namespace xtrace
