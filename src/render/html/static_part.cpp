#include "render/html/static_part.h"

#include <fmt/format.h>

#include <algorithm>
#include <ostream>
#include <utility>
#include <vector>

#include "base/lower.h"
#include "base/one_of.h"
#include "base/overloaded.h"
#include "base/text.h"
#include "base/time.h"
#include "base/utf8.h"
#include "facts/agents.h"
#include "render/chart/chart_cells.h"
#include "render/flat.h"
#include "render/svg/figures.h"

namespace xtrace {

namespace {

constexpr size_t kMostStaticRows = 200;
constexpr size_t kMostColumns = 200;  // of a name
constexpr size_t kMostOfRows = 4000;  // of rows within a cell, as the checks of a scenario
/// Texts for readers without scripts, which every page holds a second time, unpacked.
constexpr size_t kMostPassageBytes = 256 << 10;

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

/// `is_more`: it cost more than is known.
std::string money(int64_t billionths, bool is_more) {
  if (billionths == Chart::kUnknown) return {};
  return (is_more ? "≥" : "") + show_dollars({billionths});
}
std::string length(int64_t us) {
  return us == Chart::kUnknown ? "" : format_span(duration_of(us));
}

/// `error, rate_limit`; of a call whose tools failed, which and why.
std::string state_of(const Chart& chart, const Chart::Mark& mark) {
  if (mark.tool_failed && !mark.failed) return chart.tool_errors(mark);
  std::string state(chart.text(chart.nature(mark).status));
  const std::string_view error = chart.text(chart.nature(mark).error);
  // What passed is ok.
  if (!error.empty()) state = lower(state) == "ok" ? error : state.append(", ").append(error);
  return mark.tool_failed ? state + "; " + chart.tool_errors(mark) : state;
}

/// The links that lead to a mark and are not certain, each with its confidence: `from Task, 0.92`.
std::string inferred_links_of(const Chart& chart, const Chart::Mark& mark) {
  constexpr size_t kMost = 4;
  constexpr int64_t kSure = 9500;
  Chart::Arrow into;
  into.to = static_cast<uint32_t>(&mark - chart.marks.data());
  const auto [first, last] =
      std::equal_range(chart.arrows.begin(), chart.arrows.end(), into,
                       [](const Chart::Arrow& a, const Chart::Arrow& b) { return a.to < b.to; });
  std::string words;
  size_t found = 0;
  for (auto arrow = first; arrow != last; ++arrow) {
    const Chart::Link& link = chart.link(*arrow);
    if (link.confidence >= kSure || ++found > kMost) continue;
    words += fmt::format("{}{} from {}, {:.2f}", words.empty() ? "" : "; ", chart.text(link.type),
                         clip(chart.label(chart.marks[arrow->from]), 60),
                         static_cast<double>(link.confidence) / 10000);
  }
  return found > kMost ? words + fmt::format("; {} more", found - kMost) : words;
}

/// One column of the table of rows; one that is empty, or the same in all rows, is left out.
struct StaticColumn {
  std::string_view title;
  bool tells_if_equal;  ///< shown, even if all rows have the same
  std::string (*text)(const Chart& chart, const Chart::Mark& mark);
};
using Mark = Chart::Mark;
constexpr StaticColumn kStaticColumns[] = {
    {"what", true,
     [](const Chart& chart, const Mark& mark) { return clip(chart.label(mark), kMostColumns); }},
    {"kind", false,
     [](const Chart& chart, const Mark& mark) {
       return std::string(chart.text(chart.nature(mark).kind));
     }},
    {"agent", true,
     [](const Chart& chart, const Mark& mark) {
       return clip(chart.text(mark.agent), kMostColumns);
     }},
    {"session", false,
     [](const Chart& chart, const Mark& mark) {
       return clip(chart.text(mark.session), kMostColumns);
     }},
    {"model", true,
     [](const Chart& chart, const Mark& mark) {
       return clip(chart.text(chart.nature(mark).model), kMostColumns);
     }},
    {"start", true,
     [](const Chart&, const Mark& mark) {
       return mark.is_timed() ? format_clock(Time(duration_of(mark.start_us))) : "";
     }},
    {"took", true, [](const Chart&, const Mark& mark) { return length(mark.duration_us); }},
    {"cost", true,
     [](const Chart& chart, const Mark& mark) {
       return money(chart.figures(mark).cost_nusd, chart.costs_more(mark));
     }},
    {"total", false,
     [](const Chart& chart, const Mark& mark) {
       const Chart::Figures figures = chart.figures(mark);
       if (figures.in_all_nusd == figures.cost_nusd) return std::string();
       return money(figures.in_all_nusd, chart.costs_more(mark) || mark.is_unpriced_below);
     }},
    {"state", true,
     [](const Chart& chart, const Mark& mark) {
       return clip(state_of(chart, mark), kMostColumns);
     }},
    {"inferred links", false, inferred_links_of},
    {"at", true,
     [](const Chart& chart, const Mark& mark) {
       return clip_left(chart.place(mark), kMostColumns);
     }},
};

std::vector<const StaticColumn*> columns_of(const Chart& chart, size_t rows) {
  std::vector<const StaticColumn*> columns;
  for (const StaticColumn& column : kStaticColumns) {
    const std::string first = column.text(chart, chart.marks.front());
    bool is_filled = false, differs = false;
    for (size_t i = 0; i < rows && !(is_filled && differs); ++i) {
      const std::string text = column.text(chart, chart.marks[i]);
      is_filled |= !text.empty();
      differs |= text != first;
    }
    if (differs || (is_filled && column.tells_if_equal)) columns.push_back(&column);
  }
  return columns;
}

void write_sums(const Chart& chart, std::ostream& out) {
  size_t rows = 0;
  for (const Chart::Mark& mark : chart.marks) rows += mark.is_old ? 0 : 1;
  const bool has_old = rows < chart.marks.size();
  out << fmt::format("<h2>{} rows{}, {} links</h2>\n<p>", chart.marks.size(),
                     has_old ? fmt::format(" of both runs, {} of the new one", rows) : "",
                     chart.arrows.size());
  if (auto [first, last] = chart.span(); first != last && !has_old)
    out << format_time({Time(duration_of(first)), 0}) << ": ";
  std::string_view between;
  for (const HeadFigure& figure : head_figures(chart)) {
    out << std::exchange(between, ", ") << figure.value << ' ' << figure.name;
  }
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

/// Lines stay apart; what else acts on a terminal is shown as what it is.
void write_lines(std::string_view text, std::ostream& out) {
  for (size_t at = 0; at <= text.size();) {
    const size_t end = std::min(text.find('\n', at), text.size());
    out << for_markup(text.substr(at, end - at)) << '\n';
    at = end + 1;
  }
}

/// What was said in each call, folded.
void write_passages(const Chart& chart, std::ostream& out) {
  size_t calls = 0, bytes = 0, left_out = 0;
  for (size_t i = 0; i < chart.details.size(); ++i) {
    const Chart::Mark& mark = chart.marks[i];
    const auto said = chart.passages.find(mark.id);
    if (said == chart.passages.end()) {
      left_out += chart.details[i].empty() ? 0U : 1U;
      continue;
    }
    for (const Passage& passage : said->second) bytes += passage.text.size();
    if (bytes > kMostPassageBytes && calls > 0) {
      ++left_out;
      continue;
    }
    if (calls++ == 0) out << "<h2>Texts</h2>\n";
    out << "<details><summary><bdi>" << for_markup(clip(chart.label(mark), kMostColumns))
        << "</bdi> <bdi>" << for_markup(chart.text(mark.agent)) << "</bdi>"
        << (mark.is_timed() ? " " + format_clock(Time(duration_of(mark.start_us))) : "")
        << "</summary>\n";
    for (const Passage& passage : said->second) {
      out << "<h3><bdi>" << for_markup(passage.title) << "</bdi></h3>\n<pre><bdi>";
      write_lines(passage.text, out);
      out << "</bdi></pre>\n";
    }
    out << "</details>\n";
  }
  if (left_out > 0)
    out << "<p>Texts of " << left_out
        << " more calls need scripts; the same command with <code>-f json</code> prints "
           "them.</p>\n";
}

/// As people read it: `$0.0345`, `2.5s`.
std::string cell_words(const Cell& cell) {
  if (const Dollars* dollars = std::get_if<Dollars>(&cell)) return show_dollars(*dollars);
  if (const Duration* duration = std::get_if<Duration>(&cell)) return format_span(*duration);
  return flat_text(cell);
}

/// The first rows of tables, as many as are left for all of them.
class StaticTables {
 public:
  explicit StaticTables(std::ostream& out) : out_(out) {}

  void write(const FlatTable& table) {
    if (table.is_record) return write_nested(table);
    open(table.name, table.columns);
    table.rows([&](size_t, std::span<const Cell> row) { write_row(row); });
    close();
  }

 private:
  /// A record has figures, and perhaps tables, as the subgraph of a trace.
  void write_nested(const FlatTable& record) {
    record.rows([&](size_t, std::span<const Cell> row) {
      write_figures(record, row);
      for (size_t i = 0; i < row.size(); ++i) {
        const Table* const* nested = std::get_if<const Table*>(&row[i]);
        if (nested == nullptr || (*nested)->rows() == 0) continue;
        open(fmt::format("{}.{}", record.name, record.columns[i].key), (*nested)->columns);
        for (size_t at = 0; at < (*nested)->rows(); ++at) write_row((*nested)->row(at));
        close();
      }
    });
  }
  void write_figures(const FlatTable& record, std::span<const Cell> row) {
    bool any = false;
    for (size_t i = 0; i < row.size() && left_ > 0; ++i) {
      const std::string words =
          std::holds_alternative<const Table*>(row[i]) ? std::string() : cell_words(row[i]);
      if (words.empty()) continue;
      if (!any) out_ << "<h3>" << for_markup(record.name) << "</h3>\n<table><tbody>\n";
      any = true;
      --left_;
      out_ << "<tr><th>" << for_markup(record.columns[i].key) << "</th><td><bdi>"
           << for_markup(clip(words, kMostColumns)) << "</bdi></td></tr>\n";
    }
    if (any) close();
  }
  void open(std::string_view name, std::span<const Column> columns) {
    out_ << "<h3>" << for_markup(name) << "</h3>\n<table><thead><tr>";
    for (const Column& column : columns) out_ << "<th>" << for_markup(column.key) << "</th>";
    out_ << "</tr></thead><tbody>\n";
  }
  void write_row(std::span<const Cell> row) {
    if (left_ == 0) return;
    --left_;
    out_ << "<tr>";
    for (const Cell& cell : row)
      out_ << "<td><bdi>" << for_markup(clip(cell_words(cell), most_columns(cell)))
           << "</bdi></td>";
    out_ << "</tr>\n";
  }
  static size_t most_columns(const Cell& cell) {
    return std::holds_alternative<const Table*>(cell) ? kMostOfRows : kMostColumns;
  }
  void close() { out_ << "</tbody></table>\n"; }

  std::ostream& out_;
  size_t left_ = kMostStaticRows;
};

/// The tables of an answer, without those of the graph that it is about.
void write_tables(const Document& document, std::ostream& out) {
  StaticTables tables(out);
  flat_tables(document, [&](const FlatTable& table) {
    if (!is_preface(table.name) && !is_one_of(table.group, {kGraphBehind, kGraphBefore}))
      tables.write(table);
  });
}

/// The sums of the agents of a graph by type, a line each.
void write_agents(const Document& document, std::ostream& out) {
  size_t left = kMostStaticRows;
  flat_tables(document, [&](const FlatTable& table) {
    if (table.name != "agents" || !table.group.empty()) return;
    const CellKey type(table.columns, {"type"}), calls(table.columns, {"calls"}),
        errors(table.columns, {"errors"}), cost(table.columns, {"cost_usd"}),
        total(table.columns, {"subtree_cost_usd"});
    out << "<h3>agents</h3>\n<ul>\n";
    table.rows([&](size_t, std::span<const Cell> row) {
      if (left == 0) return;
      --left;
      std::string words =
          fmt::format("{}: {}", clip(text_of(type.in(row)), kMostColumns),
                      tell_many(std::max<int64_t>(0, count_of(calls.in(row))), "call"));
      if (const int64_t failed = count_of(errors.in(row)); failed > 0)
        words += fmt::format(", {} failed", failed);
      const std::string own = cell_words(cost.in(row)), all = cell_words(total.in(row));
      if (!own.empty()) words += ", " + own;
      if (!all.empty() && all != own) words += fmt::format(", {} with its subagents", all);
      out << "<li><bdi>" << for_markup(words) << "</bdi></li>\n";
    });
    out << "</ul>\n";
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

/// What an answer is about: the title of its session, else the agent, its project and the day, else
/// the file. Only agents have projects.
std::string name_of_log(const Document& document) {
  std::string file, second, format, title, project, day;
  size_t files = 0, sessions = 0;
  flat_tables(document, [&](const FlatTable& table) {
    if (!table.group.empty() || (table.name != "inputs" && table.name != "sessions")) return;
    const CellKey path(table.columns, {"path"}), read_as(table.columns, {"format"}),
        titled(table.columns, {"title"}), in(table.columns, {"project"}),
        start(table.columns, {"start"});
    table.rows([&](size_t, std::span<const Cell> row) {
      if (table.name == "inputs") {
        if (files++ == 1) second = text_of(path.in(row));
        if (files > 1) return;
        file = text_of(path.in(row));
        format = text_of(read_as.in(row));
      } else if (sessions++ == 0) {
        title = text_of(titled.in(row));
        project = text_of(in.in(row));
        day = flat_text(start.in(row)).substr(0, 10);
      }
    });
  });
  if (sessions == 1 && !title.empty()) return title;
  if (sessions == 1 && !project.empty())
    return fmt::format("{} session in {}, {}", find_product(format), project, day);
  file.erase(0, file.find_last_of('/') + 1);
  if (file.empty()) return "no input";
  second.erase(0, second.find_last_of('/') + 1);
  if (files == 2 && second != file) return fmt::format("{} and {}", file, second);
  return files > 1 ? fmt::format("{} and {} more", file, files - 1) : file;
}

std::string title_of(const Document& document) {
  std::string title(document.view());
  if (is_one_of(document.view(), {"explain", "impact", "trace"}))
    if (const std::string subject = subject_of(document); !subject.empty())
      title += ' ' + clip(subject, kMostColumns / 4);
  const std::string log = name_of_log(document);
  return clip(title == "dag" ? log : title + " of " + log, kMostColumns);
}

void write_static_part(const Document& document, const Chart& chart, std::ostream& out) {
  write_sums(chart, out);
  write_warnings(document, out);
  const bool is_graph = document.view() == "dag" && !chart.marks.empty();
  if (!is_graph) write_tables(document, out);
  if (chart.marks.empty()) return;
  if (chart.marks.size() > kMostStaticRows)
    out << "<p>The first " << kMostStaticRows << " of " << chart.marks.size() << " rows:</p>\n";
  const size_t rows = std::min(chart.marks.size(), kMostStaticRows);
  const std::vector<const StaticColumn*> columns = columns_of(chart, rows);
  out << "<table><thead><tr>";
  for (const StaticColumn* column : columns) out << "<th>" << column->title << "</th>";
  out << "</tr></thead><tbody>\n";
  for (size_t i = 0; i < rows; ++i) {
    out << "<tr>";
    for (const StaticColumn* column : columns)
      out << "<td><bdi>" << for_markup(column->text(chart, chart.marks[i])) << "</bdi></td>";
    out << "</tr>\n";
  }
  out << "</tbody></table>\n";
  if (is_graph) write_agents(document, out);
  write_passages(chart, out);
}

}  // namespace xtrace
