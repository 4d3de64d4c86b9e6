#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <iosfwd>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "doc/document.h"
#include "render/flat.h"

namespace xtrace {

/// In which order rows come to people who look for the largest, and how many of them. Of JSON,
/// pictures and totals it changes nothing.
struct Ranking {
  enum class By : uint8_t { place, cost, time, tokens, errors };
  By by = By::place;  ///< place: as the answer has them; else the largest first, unknown ones last
  /// Of each table, and of the lines below each line of a tree; 0: all. Nothing: all but what is
  /// spare (Outline::Line::is_spare).
  std::optional<size_t> top{};

  size_t most() const { return top.value_or(0) > 0 ? *top : SIZE_MAX; }
};

/// What users call them, in the order of Ranking::By; the first is not asked for.
inline constexpr std::string_view kRankingWords[] = {"", "cost", "time", "tokens", "errors"};

/// Does a row of these columns have a figure to be ranked by?
bool has_figure(std::span<const Column> columns, Ranking::By by);

/// Writes each row of a table as `line` puts it, in the order of the ranking, and no more of them
/// than it wants; returns how many are left out. A table without such a figure keeps its order.
size_t write_ranked(const FlatTable& table, const Ranking& ranking,
                    const std::function<std::string(size_t nth, std::span<const Cell> row)>& line,
                    std::ostream& out);

/// The lines of a tree in the order of a ranking: siblings by their figures, each with all lines
/// below it. A line without a figure of its own has the sum of those below. What is spare is left
/// out where nobody says how many rows there shall be.
struct RankedLines {
  std::vector<Outline::Line> lines;
  std::vector<Text> list;
  size_t left_out = 0;  ///< with those below them that are no prose
};
RankedLines rank_lines(const Outline& outline, const Ranking& ranking);
/// Do these differ from the lines in their order?
bool is_ranked(const Outline& outline, const Ranking& ranking);

/// Which lines those are that a ranking leaves, where the outline says so; else empty.
std::string_view choice_of(const Outline& outline, const Ranking& ranking);
/// `12 rows are not shown; --top 0 shows all`, behind the words of the choice.
std::string left_out_words(size_t rows, std::string_view choice = {});

}  // namespace xtrace
