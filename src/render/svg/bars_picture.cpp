#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "base/one_of.h"
#include "render/chart/chart_cells.h"
#include "render/svg/figures.h"
#include "render/svg/pictures.h"

namespace xtrace {

namespace {

constexpr int64_t kRow = 22, kBar = 14, kNameRoom = 260, kAmountRoom = 180;

/// A row of the table.
struct Bar {
  std::string name;
  int64_t cost = Chart::kUnknown, calls = Chart::kUnknown;
  bool is_low = false;  ///< the true cost is higher
};

struct Columns {
  CellKey name, label, cost, calls, by, low, unpriced, partly;

  explicit Columns(const Table& table)
      : name(table.columns, {"name"}),
        label(table.columns, {"label"}),
        cost(table.columns, {"cost_usd"}),
        calls(table.columns, {"calls"}),
        by(table.columns, {"by"}),
        low(table.columns, {"low_output_calls"}),
        unpriced(table.columns, {"unpriced_calls"}),
        partly(table.columns, {"partly_priced_calls"}) {}

  std::string_view text(const CellKey& key, std::span<const Cell> row) const {
    const Text* found = std::get_if<Text>(&key.in(row));
    return found == nullptr ? std::string_view() : found->view();
  }
};

std::vector<Bar> read_bars(const Table& table, const Columns& columns) {
  std::vector<Bar> bars;
  for (size_t i = 0; i < table.rows(); ++i) {
    const std::span<const Cell> row = table.row(i);
    const std::string_view name = columns.text(columns.name, row);
    bars.push_back({std::string(name.empty() ? columns.text(columns.label, row) : name),
                    billionths_of(columns.cost.in(row)), count_of(columns.calls.in(row)),
                    std::max({count_of(columns.low.in(row)), count_of(columns.unpriced.in(row)),
                              count_of(columns.partly.in(row))}) > 0});
  }
  return bars;
}

void draw_bar(const Bar& bar, int64_t most, int64_t y, SvgWriter& svg) {
  constexpr int64_t kLeft = kPictureMargin + kNameRoom + 10;
  constexpr int64_t kRoom = kPictureWidth - kPictureMargin - kAmountRoom - kLeft;
  const std::string calls = bar.calls < 0 ? "" : tell_many(bar.calls, "call");
  const std::string amount =
      bar.cost < 0 ? "cost unknown" : (bar.is_low ? "≥" : "") + tell_cost(bar.cost);
  svg.open_group(bar.name);
  svg.text(kPictureMargin + kNameRoom, y + kBar - 3, fitted(bar.name, kNameRoom, 11), "",
           SvgWriter::Anchor::end);
  // As floating point, because a product of two of them exceeds 64 bits from $10,000 on.
  const int64_t width =
      most <= 0 ? 0
                : static_cast<int64_t>(static_cast<double>(std::max<int64_t>(bar.cost, 0)) /
                                       static_cast<double>(most) * kRoom);
  svg.rect(kLeft, y, std::max<int64_t>(width, bar.cost > 0 ? 1 : 0), kBar, "h1", 2);
  svg.text(kLeft + width + 8, y + kBar - 3, calls.empty() ? amount : amount + " · " + calls,
           "number");
  svg.close_group();
}

}  // namespace

std::string bars_picture(const Table& table, const Chart& chart) {
  constexpr size_t kMostRows = (kMostHeight - 140) / kRow;
  const Columns columns(table);
  const std::string by(columns.text(columns.by, table.row(0)));
  std::vector<Bar> bars = read_bars(table, columns);
  Caption caption{"Cost by " + by + ": " + title_of(chart), sums_of(chart), {}};
  if (bars.size() > kMostRows) {
    // Of periods the latest are of interest, of others the first, which are the most expensive.
    const auto more = static_cast<ptrdiff_t>(bars.size() - kMostRows);
    const bool is_time = is_one_of(by, {"day", "week", "month", "block"});
    caption.notes.push_back(fmt::format("{} {} not drawn", tell_many(more, "row"),
                                        is_time ? "before these" : "after these"));
    bars.erase(is_time ? bars.begin() : bars.end() - more,
               is_time ? bars.begin() + more : bars.end());
  }
  int64_t most = 0;
  for (const Bar& bar : bars) most = std::max(most, bar.cost);
  SvgWriter svg;
  int64_t y = top_below(caption);
  for (const Bar& bar : bars) {
    draw_bar(bar, most, y, svg);
    y += kRow;
  }
  return whole_picture(caption, kPictureWidth, y + 4, svg.take());
}

}  // namespace xtrace
