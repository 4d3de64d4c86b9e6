#include "render/ranking.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <optional>
#include <ostream>
#include <utility>

#include "base/one_of.h"

namespace xtrace {

namespace {

using By = Ranking::By;
using Figure = std::optional<double>;

/// The columns that have a figure, the best first. Without any of them, the sum of its parts.
struct Figures {
  std::vector<Role> wholes{}, parts{};
};

const Figures& figures_of(By by) {
  static const Figures kNone, kCost = {{Role::cost}}, kTime = {{Role::duration, Role::waited}},
                              kTokens = {{Role::tokens}, {Role::input, Role::output}},
                              kErrors = {{Role::errors}};
  switch (by) {
    case By::cost: return kCost;
    case By::time: return kTime;
    case By::tokens: return kTokens;
    case By::errors: return kErrors;
    case By::place: break;
  }
  return kNone;
}

Figure figure_in(const Cell& cell) {
  if (const Dollars* amount = std::get_if<Dollars>(&cell))
    return static_cast<double>(amount->billionths);
  if (const Duration* length = std::get_if<Duration>(&cell))
    return static_cast<double>(length->count());
  if (const int64_t* number = std::get_if<int64_t>(&cell)) return static_cast<double>(*number);
  if (const double* number = std::get_if<double>(&cell)) return *number;
  return {};
}

/// Which cells of a row make its figure.
class Measure {
 public:
  template <class Columns>
  Measure(const Columns& columns, By by) {
    const auto add_columns = [&](Role role, std::vector<size_t>& found) {
      for (size_t i = 0; i < columns.size(); ++i)
        if (columns[i].role == role) found.push_back(i);
    };
    for (Role role : figures_of(by).wholes) add_columns(role, wholes_);
    for (Role role : figures_of(by).parts) add_columns(role, parts_);
    if (by == By::errors) add_columns(Role::status, statuses_);
  }

  bool is_known() const { return !wholes_.empty() || !parts_.empty() || !statuses_.empty(); }

  Figure of(std::span<const Cell> row) const {
    for (size_t at : wholes_)
      if (Figure figure = at < row.size() ? figure_in(row[at]) : std::nullopt) return figure;
    Figure sum;
    for (size_t at : parts_)
      if (Figure figure = at < row.size() ? figure_in(row[at]) : std::nullopt)
        sum = sum.value_or(0) + *figure;
    for (size_t at : statuses_)
      if (const Text* status = at < row.size() ? std::get_if<Text>(&row[at]) : nullptr)
        return is_one_of(status->view(), {"error", "failed", "ERROR"}) ? 1 : 0;
    return sum;
  }

 private:
  std::vector<size_t> wholes_, parts_, statuses_;
};

/// The largest first, unknown ones last, equal ones in their old order.
std::vector<size_t> order_of(const std::vector<Figure>& figures) {
  std::vector<size_t> order(figures.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](size_t a, size_t b) { return figures[a] > figures[b]; });
  return order;
}

/// The lines of an outline as a tree.
class Tree {
 public:
  Tree(const Outline& outline, const Ranking& ranking) : outline_(outline), ranking_(ranking) {
    const Measure measure(outline.columns, ranking.by);
    // A failed line is known by its colour if no column counts them.
    const bool by_tone = ranking.by == By::errors && !measure.is_known();
    figures_.resize(outline.lines.size());
    for (size_t i = 0; i < figures_.size(); ++i) {
      const Outline::Line& line = outline.lines[i];
      if (by_tone)
        figures_[i] = line.tone == Tone::error ? Figure(1) : Figure();
      else if (!line.is_prose)
        figures_[i] = measure.of(line.cells);
    }
    for (size_t i = figures_.size(); i-- > 0;) add_up(i);
  }

  RankedLines ranked() {
    write_siblings(0, outline_.lines.size());
    return std::move(written_);
  }

 private:
  /// After the last line below it.
  size_t end_of(size_t line) const {
    size_t end = line + 1;
    while (end < outline_.lines.size() &&
           (outline_.lines[end].depth > outline_.lines[line].depth || outline_.lines[end].is_prose))
      ++end;
    return end;
  }
  void add_up(size_t line) {
    if (figures_[line]) return;
    const size_t end = end_of(line);
    for (size_t i = line + 1; i < end; i = end_of(i))
      if (figures_[i]) figures_[line] = figures_[line].value_or(0) + *figures_[i];
  }
  void leave_out(size_t line) {
    for (size_t i = line, end = end_of(line); i < end; ++i)
      written_.left_out += !outline_.lines[i].is_prose;
  }
  void write_siblings(size_t begin, size_t end) {
    std::vector<size_t> lines;
    for (; begin < end && outline_.lines[begin].is_prose; ++begin)  // what is said of the parent
      written_.lines.push_back(outline_.lines[begin]);
    std::vector<size_t> totals;
    for (size_t i = begin; i < end; i = end_of(i))
      if (outline_.lines[i].is_spare && !ranking_.top)
        leave_out(i);
      else
        (outline_.lines[i].is_total ? totals : lines).push_back(i);
    std::vector<Figure> figures;
    figures.reserve(lines.size());
    for (size_t line : lines) figures.push_back(figures_[line]);
    std::vector<size_t> order = order_of(figures);
    for (; order.size() > ranking_.most(); order.pop_back()) leave_out(lines[order.back()]);
    for (size_t nth : order) {
      written_.lines.push_back(outline_.lines[lines[nth]]);
      write_siblings(lines[nth] + 1, end_of(lines[nth]));
    }
    for (size_t line : totals) written_.lines.push_back(outline_.lines[line]);
  }

  const Outline& outline_;
  const Ranking& ranking_;
  std::vector<Figure> figures_;
  RankedLines written_;
};

}  // namespace

bool has_figure(std::span<const Column> columns, Ranking::By by) {
  return Measure(columns, by).is_known();
}

size_t write_ranked(const FlatTable& table, const Ranking& ranking,
                    const std::function<std::string(size_t nth, std::span<const Cell> row)>& line,
                    std::ostream& out) {
  // A table about the answer itself has no rows of it.
  const bool ranks = !table.is_record && !is_preface(table.name);
  const Measure measure(table.columns, ranking.by);
  const bool sorts = ranks && measure.is_known();
  const size_t most = ranks ? ranking.most() : SIZE_MAX;
  size_t count = 0;
  std::vector<Figure> figures;
  std::vector<std::string> lines;  // in the order of the answer
  table.rows([&](size_t nth, std::span<const Cell> row) {
    ++count;
    if (!sorts) {
      if (count <= most) out << line(nth, row);
      return;
    }
    figures.push_back(measure.of(row));
    lines.push_back(line(nth, row));
  });
  size_t written = 0;
  for (size_t at : order_of(figures)) {
    if (written++ == most) break;
    out << lines[at];
  }
  return count > most ? count - most : 0;
}

bool is_ranked(const Outline& outline, const Ranking& ranking) {
  if (ranking.by != Ranking::By::place || ranking.most() < SIZE_MAX) return true;
  return !ranking.top && std::any_of(outline.lines.begin(), outline.lines.end(),
                                     [](const Outline::Line& line) { return line.is_spare; });
}

RankedLines rank_lines(const Outline& outline, const Ranking& ranking) {
  RankedLines ranked = Tree(outline, ranking).ranked();
  ranked.list = outline.list;  // has no figures, so that its order stays
  if (ranked.list.size() > ranking.most()) {
    ranked.left_out += ranked.list.size() - ranking.most();
    ranked.list.resize(ranking.most());
  }
  return ranked;
}

std::string_view choice_of(const Outline& outline, const Ranking& ranking) {
  // In another order, or with a number of rows that was asked for, others are left.
  return ranking.by == Ranking::By::place && !ranking.top ? outline.choice.view()
                                                          : std::string_view();
}

std::string left_out_words(size_t rows, std::string_view choice) {
  return fmt::format("{}{}{} not shown; --top 0 shows all", choice, choice.empty() ? "" : "; ",
                     rows == 1 ? "1 row" : fmt::format("{} rows", rows));
}

}  // namespace xtrace
