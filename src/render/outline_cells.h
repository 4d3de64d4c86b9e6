#pragma once

#include <string>
#include <vector>

#include "base/zone.h"
#include "doc/document.h"

namespace xtrace {

/// What the cells of an outline look like to people: one form for each kind of number, `38.4k`,
/// `1.2s`, `$0.0042`. Where most amounts of a column are lower bounds, or all of them estimates,
/// `≥` or `~` is in its title and not beside each of them.
class OutlineCells {
 public:
  explicit OutlineCells(const Outline& outline, Zone zone = {});

  std::string show(const Cell& cell) const;
  /// Without the sign in the title of the column.
  std::string show(const Cell& cell, size_t column) const;
  std::string title(size_t column) const;

 private:
  const Outline& outline_;
  Zone zone_;
  bool milliseconds_;  ///< moments lie so close together that seconds distinguish few of them
  std::vector<std::string_view> signs_;  ///< by column: the one in its title; empty: none
};

/// How many bytes of an amount of money follow its whole dollars: 5 in `$0.0042`, none in `$12`.
/// None, too, of what is no amount.
size_t bytes_of_cents(std::string_view shown);
/// Is it an amount of money and nothing else?
bool is_money(std::string_view shown);

/// The share of each line in the costs of all in this column, 0 to 1. Nothing of sums: totals, and
/// lines with others below them; nothing at all where too few lines have a cost to compare, or
/// where colors say what differs.
std::vector<double> cost_shares(const Outline& outline, size_t column);

/// The lines that lead from a line's parents to it, `├─ ` and the like; one for each line. Lines
/// deeper than anybody can follow are no further to the right, but state their depth: `… 1234 └─ `.
std::vector<std::string> tree_branches(const Outline& outline);

/// The sentences below, and what the columns of which `is_shown` is true mean.
std::vector<std::string> foot_of(const Outline& outline, const std::vector<bool>& is_shown);

}  // namespace xtrace
